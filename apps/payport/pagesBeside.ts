import { Effect } from "effect"
import type { Beside, MountOptions } from "../../adapters/http/mount.ts"
import { paymentPages } from "../../adapters/pages/everyPage.ts"
import { openPages } from "../../adapters/pages/openPages.ts"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { Intake } from "../../adapters/shared/Intake.ts"
import type { Payport } from "./makePayport.ts"

/**
 * Serves the payment page at `/pay` under the prefix of the HTTP API; the `scan_url` of codes leads
 * there: `payport.http({ beside: [pages(payport)] })`. With the same `intake` and `gate` as the
 * HTTP API, its requests count together with the API's.
 */
export const pages = (
  { context }: Pick<Payport, "context">,
  { gate = new AddressGate(), intake = new Intake() }: Pick<MountOptions, "gate" | "intake"> = {},
): Beside => Effect.runSyncWith(context)(openPages(paymentPages, { gate, intake }))
