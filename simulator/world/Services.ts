import type { Channels } from "../../core/ports/Channels.ts"
import type { ContactRules } from "../../core/ports/ContactRules.ts"
import type { IdentityVerifier } from "../../core/ports/IdentityVerifier.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { Installation } from "../../core/ports/Installation.ts"
import type { Messenger } from "../../core/ports/Messenger.ts"
import type { RateLeases } from "../../core/ports/RateLeases.ts"
import type { Rates } from "../../core/ports/Rates.ts"
import type { ReceiverAddress } from "../../core/ports/ReceiverAddress.ts"
import type { Revoker } from "../../core/ports/Revoker.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import type { WallClock } from "../../core/ports/WallClock.ts"
import type { WebhookSender } from "../../core/ports/WebhookSender.ts"

/** Everything that the core needs of a simulated world. */
export type Services =
  | Channels
  | ContactRules
  | IdentityVerifier
  | Ids
  | Installation
  | Messenger
  | RateLeases
  | Rates
  | ReceiverAddress
  | Revoker
  | Store
  | Vault
  | WallClock
  | WebhookSender
