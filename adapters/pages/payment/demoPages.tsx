import { Effect } from "effect"
import { payStaticCode } from "../../../core/hosted/payStaticCode.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import type { ReceiverAddress } from "../../../core/ports/ReceiverAddress.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"
import { notFound } from "../../../core/shared/Failure.ts"
import type { Page } from "../Page.ts"
import { html, seeOther } from "../shared/html.ts"
import { demoSeller, isOfDemo, OFFER, onSale } from "./demo.ts"
import { languageQuery } from "./languageQuery.ts"
import type { PaymentPorts } from "./PaymentPorts.ts"
import { readPrice } from "./priceText.ts"
import { StaticDocument } from "./StaticDocument.tsx"

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

const pay: Page<PaymentPorts | ReceiverAddress> = {
  method: "POST",
  path: "/sandbox/demo",
  body: "form",
  weight: 50,
  handle: Effect.fn("page.payDemo")(function* (request) {
    const service = yield* onSale()
    const { form } = request
    const price = readPrice(form.get("price") ?? "") ?? { typed: "" }
    const id = yield* payStaticCode(service, { price, attempt: form.get("attempt") ?? "" })
    return seeOther(`${request.site.root}/pay/${id}${languageQuery(request)}`)
  }),
}

/** Plays the demo seller's agent: it delivers, and captures the money. */
const deliver: Page<PaymentPorts> = {
  method: "POST",
  path: "/sandbox/demo/:id/deliver",
  body: "form",
  handle: Effect.fn("page.deliverDemo")(function* (request) {
    const id = request.params["id"] ?? ""
    if (!(yield* isOfDemo(id))) return yield* notFound("payment", id)
    const capturing = captureIntent({ account: yield* demoSeller, api_key_id: "demo" }, id)
    // Another click may have come first, or the time is over. The payment's page shows that.
    yield* capturing.pipe(catchFailure(["INVALID_TRANSITION"], () => Effect.void))
    return seeOther(`${request.site.root}/pay/${id}${languageQuery(request)}`)
  }),
}

/** The pages of a demo payment, for a sandbox without active services. */
export const demo: ReadonlyArray<Page<PaymentPorts | ReceiverAddress>> = [show, pay, deliver]
