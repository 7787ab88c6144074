import { Effect } from "effect"
import { pickChannel } from "../../../core/hosted/pickChannel.ts"
import { showHosted, showStanding } from "../../../core/hosted/showHosted.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { QrWriter } from "../../../core/ports/QrWriter.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { Page, PageRequest } from "../Page.ts"
import { html, seeOther } from "../shared/html.ts"
import { isOfDemo } from "./demo.ts"
import type { PaymentPorts } from "./PaymentPorts.ts"
import { paymentQuery } from "./languageQuery.ts"
import { PaymentDocument } from "./PaymentDocument.tsx"

const idOf = ({ params }: Pick<PageRequest, "params">): string => params["id"] ?? ""

const show: Page<PaymentPorts> = {
  method: "GET",
  path: "/pay/:id",
  handle: Effect.fn("page.payment")(function* (request) {
    const payment = yield* showHosted(idOf(request))
    const { currencies } = yield* Installation
    const [only, other] = payment.codes
    const isOne = only !== undefined && other === undefined
    const svg = isOne ? yield* (yield* QrWriter).svg(only.content) : undefined
    const isDemo = request.site.mode === "sandbox" && (yield* isOfDemo(payment.id))
    return html(<PaymentDocument {...{ request, payment, currencies, svg, isDemo }} />)
  }),
}

const pick: Page<PaymentPorts> = {
  method: "POST",
  path: "/pay/:id/channel",
  body: "form",
  handle: Effect.fn("page.pickChannel")(function* (request) {
    const id = idOf(request)
    yield* pickChannel(id, request.form.get("channel") ?? "")
    return seeOther(`${request.site.root}/pay/${id}${paymentQuery(request)}`)
  }),
}

/** Returns the state as an event. Its number says whether the page is still current. */
const snapshot = Effect.fnUntraced(function* (id: string) {
  const { ended, status, version } = yield* showStanding(id)
  const event = { id: String(version), event: "payment", data: { version, status } }
  return { event, last: ended }
})

const events: Page<PaymentPorts> = {
  method: "GET",
  path: "/pay/:id/events",
  handle: Effect.fn("page.paymentEvents")(function* (request) {
    const id = idOf(request)
    const store = yield* Store
    const first = yield* snapshot(id)
    const watch = (listener: () => void) => store.watch(id, listener)
    return { feed: { first, read: snapshot(id), watch } }
  }),
}

/** The page of a payment, the choice of its channel, and the stream of its changes. */
export const onePayment: ReadonlyArray<Page<PaymentPorts>> = [show, pick, events]
