import type { Channels } from "../../core/ports/Channels.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { Installation } from "../../core/ports/Installation.ts"
import type { QrWriter } from "../../core/ports/QrWriter.ts"
import type { Rates } from "../../core/ports/Rates.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { consolePages } from "./console/consolePages.tsx"
import { homePage } from "./home/homePage.tsx"
import type { Page } from "./Page.ts"
import { walletPages } from "./wallet/walletPages.tsx"

/** The ports that pages need. */
export type PagePorts = Store | Vault | Ids | Installation | Channels | Rates | QrWriter

/** What payers see: the part of the pages that a host's app has too. */
export const paymentPages: ReadonlyArray<Page<PagePorts>> = []

/** Every page of a live installation. */
export const livePages: ReadonlyArray<Page<PagePorts>> = [
  homePage,
  ...consolePages,
  ...paymentPages,
]

/** Every page of a sandbox. */
export const sandboxPages: ReadonlyArray<Page<PagePorts | Sandbox>> = [...livePages, ...walletPages]
