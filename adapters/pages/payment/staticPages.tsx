import { Effect } from "effect"
import {
  type CodePayment,
  payStaticCode,
  showStaticCode,
} from "../../../core/hosted/payStaticCode.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { QrWriter } from "../../../core/ports/QrWriter.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { servicePage } from "../../../core/qr/QrLink.ts"
import { type Failure, statusOf } from "../../../core/shared/Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import { html, seeOther } from "../shared/html.ts"
import type { PaymentPorts } from "./PaymentPorts.ts"
import { paymentQuery } from "./languageQuery.ts"
import { readPrice } from "./priceText.ts"
import { BusyDocument, PausedDocument, PrintedDocument, StaticDocument } from "./StaticDocument.tsx"

const serviceOf = ({ params }: PageRequest): string => params["service"] ?? ""

/** Renders the page of a code; after a refusal with its status, and with what was typed. */
const render = Effect.fnUntraced(function* (
  request: PageRequest,
  status: number,
  refused?: string,
) {
  const code = yield* showStaticCode(serviceOf(request))
  const { currencies } = yield* Installation
  const attempt = (yield* Vault).token()
  const typed = code.open === null ? undefined : refused
  const failed = status !== 200 && typed === undefined
  const shown = { request, code, currencies, attempt, failed, refused: typed }
  return html(<StaticDocument {...shown} />, status)
})

/** Renders the page of a code with too many open payments, and when it can be used again. */
const renderBusy = Effect.fnUntraced(function* (request: PageRequest, after: number | undefined) {
  const seconds = after ?? 60
  const code = yield* showStaticCode(serviceOf(request))
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const wait = { "Retry-After": String(Math.ceil(seconds)) }
  return html(<BusyDocument {...{ request, code, minutes }} />, 429, wait)
})

const show: Page<PaymentPorts> = {
  method: "GET",
  path: "/pay/s/:service",
  handle: (request) => render(request, 200),
}

/** Whether another price, or a later try, may not be refused. Then the page is shown again. */
const isAboutPrice = ({ code, subject }: Failure): boolean => {
  const status = statusOf(code, subject)
  return status !== 404 && status !== 429 && status !== 500
}

/** Returns the request without its channel, if the payment was refused because of that. */
const withoutRefused = (request: PageRequest, { code }: Failure): PageRequest => {
  if (!code.startsWith("CHANNEL_")) return request
  const query = new URLSearchParams(request.query)
  query.delete("channel")
  return { ...request, query }
}

/** Returns the chosen price of the form, or the amount that its payer has typed. */
const chosenIn = (form: URLSearchParams): CodePayment["price"] => {
  const price = form.get("price") ?? ""
  if (price === "open") return { typed: form.get("amount") ?? "" }
  return readPrice(price) ?? { typed: "" }
}

/** Returns the typed text, if the payment was refused because of it. */
const refusedText = (form: URLSearchParams, { field }: Failure): string | undefined =>
  form.get("price") === "open" && field === "price" ? (form.get("amount") ?? "") : undefined

const pay: Page<PaymentPorts> = {
  method: "POST",
  path: "/pay/s/:service",
  body: "form",
  weight: 50,
  handle: Effect.fn("page.payStaticCode")(function* (request) {
    const { form, site } = request
    const paying = payStaticCode(serviceOf(request), {
      price: chosenIn(form),
      channel: form.get("channel") ?? undefined,
      attempt: form.get("attempt") ?? "",
    })
    return yield* paying.pipe(
      Effect.map((id) => seeOther(`${site.root}/pay/${id}${paymentQuery(request, true)}`)),
      Effect.catchIf(
        (error) => error._tag === "Failure" && error.code === "RATE_LIMIT_EXCEEDED",
        (error) => renderBusy(request, error._tag === "Failure" ? error.retry_after : undefined),
      ),
      Effect.catchIf(
        (error) => error._tag === "Failure" && isAboutPrice(error),
        (error) =>
          error._tag === "Failure"
            ? render(withoutRefused(request, error), statusOf(error.code), refusedText(form, error))
            : render(request, 503),
      ),
    )
  }),
}

const print: Page<PaymentPorts> = {
  method: "GET",
  path: "/pay/s/:service/code",
  handle: Effect.fn("page.printedCode")(function* (request) {
    const code = yield* showStaticCode(serviceOf(request))
    const svg = yield* (yield* QrWriter).svg(servicePage(request.site.base_url, code.service_id))
    return html(<PrintedDocument {...{ request, code, svg }} />)
  }),
}

/** Returns the page, which says of a paused service that it is paused. */
const orPaused = ({ handle, ...page }: Page<PaymentPorts>): Page<PaymentPorts> => ({
  ...page,
  handle: (request) =>
    Effect.catchIf(
      handle(request),
      (error) => error._tag === "Failure" && error.code === "SERVICE_NOT_ACTIVE",
      () => Effect.succeed(html(<PausedDocument request={request} />, 409)),
    ),
})

/** The page of a printed code, the payment that is made there, and the code for printing. */
export const staticCodes: ReadonlyArray<Page<PaymentPorts>> = [show, pay, print].map(orPaused)
