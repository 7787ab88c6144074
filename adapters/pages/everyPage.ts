import { Effect } from "effect"
import type { ReceiverAddress } from "../../core/ports/ReceiverAddress.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { consolePages } from "./console/consolePages.tsx"
import { docsPages } from "./docs/docsPages.ts"
import { homePage } from "./home/homePage.tsx"
import type { Page } from "./Page.ts"
import { demo } from "./payment/demoPages.tsx"
import { onePayment } from "./payment/paymentPages.tsx"
import type { PaymentPorts } from "./payment/PaymentPorts.ts"
import { staticCodes } from "./payment/staticPages.tsx"
import { seeOther } from "./shared/html.ts"
import { walletPages } from "./wallet/walletPages.tsx"

/** The ports that pages need. */
export type PagePorts = PaymentPorts | ReceiverAddress

/** The pages of payers, which a host's app has, too. */
export const paymentPages: ReadonlyArray<Page<PaymentPorts>> = [...onePayment, ...staticCodes]

/** The pages on the operators' own listener. */
export const operatorPages: ReadonlyArray<Page<never>> = [
  {
    method: "GET",
    path: "/",
    handle: ({ site }) => Effect.succeed(seeOther(`${site.root}/console`)),
  },
  ...consolePages,
  ...docsPages(),
]

/** Every page of a live installation. */
export const livePages: ReadonlyArray<Page<PagePorts>> = [
  homePage,
  ...consolePages,
  ...docsPages(),
  ...paymentPages,
]

/** Every page of a sandbox. */
export const sandboxPages: ReadonlyArray<Page<PagePorts | Sandbox>> = [
  ...livePages,
  ...demo,
  ...walletPages,
]
