import type { Channels } from "../../../core/ports/Channels.ts"
import type { Ids } from "../../../core/ports/Ids.ts"
import type { Installation } from "../../../core/ports/Installation.ts"
import type { QrWriter } from "../../../core/ports/QrWriter.ts"
import type { Rates } from "../../../core/ports/Rates.ts"
import type { Store } from "../../../core/ports/Store.ts"
import type { Vault } from "../../../core/ports/Vault.ts"

/** The ports that the pages of payers need. */
export type PaymentPorts = Store | Vault | Ids | Installation | Channels | Rates | QrWriter
