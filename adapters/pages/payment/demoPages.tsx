import { Effect } from "effect"
import { payStaticCode } from "../../../core/hosted/payStaticCode.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import type { ReceiverAddress } from "../../../core/ports/ReceiverAddress.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import type { ManifestInput } from "../../../core/registry/ManifestInput.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"
import { notFound } from "../../../core/shared/Failure.ts"
import type { Page } from "../Page.ts"
import { html, seeOther } from "../shared/html.ts"
import { languageQuery } from "./languageQuery.ts"
import type { PaymentPorts } from "./PaymentPorts.ts"
import { StaticDocument } from "./StaticDocument.tsx"

/** What the demo seller of a sandbox offers to whoever wants to see a payment. */
const OFFER: ManifestInput = {
  name: "Demo papers",
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper, summed up" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  default_channel: "wallet_a",
  qr_mode: "static",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
  tags: ["demo"],
}

/** The seller that every sandbox of `npm start` has; other sandboxes have no demo. */
const demoSeller = Effect.gen(function* () {
  const account = yield* (yield* Store).findBy("account", { agent_id: "demo-seller" })
  return account ?? (yield* notFound("demo", ""))
})

const show: Page<PaymentPorts> = {
  method: "GET",
  path: "/sandbox/demo",
  handle: Effect.fn("page.demo")(function* (request) {
    const { name } = yield* demoSeller
    const { currencies } = yield* Installation
    const { description, name: service, pricing } = OFFER
    const prices = pricing.one_time ?? []
    const code = { service_id: "demo", service, description, payee: name, prices, open: null }
    const attempt = (yield* Vault).token()
    return html(<StaticDocument {...{ request, code, currencies, attempt, failed: false }} />)
  }),
}

/** Registers the offer, once, and has it on sale. */
const onSale = Effect.fnUntraced(function* () {
  const caller = { account: yield* demoSeller, api_key_id: "demo" }
  const { id, status } = yield* registerService(caller, OFFER)
  const activating = moveService(caller, id, "activate")
  // Another click at the same time may have done it.
  const done = catchFailure(["INVALID_TRANSITION"], () => Effect.void)
  if (status === "draft") yield* done(activating)
  return id
})

const pay: Page<PaymentPorts | ReceiverAddress> = {
  method: "POST",
  path: "/sandbox/demo",
  body: "form",
  weight: 50,
  handle: Effect.fn("page.payDemo")(function* (request) {
    const service = yield* onSale()
    const attempt = request.form.get("attempt") ?? ""
    const id = yield* payStaticCode(service, { price: 0, attempt })
    return seeOther(`${request.site.root}/pay/${id}${languageQuery(request)}`)
  }),
}

/** A payment to look at, of a sandbox in which nothing is on sale yet. */
export const demo: ReadonlyArray<Page<PaymentPorts | ReceiverAddress>> = [show, pay]
