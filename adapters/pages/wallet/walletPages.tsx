import { Clock, Effect } from "effect"
import { findHosted } from "../../../core/hosted/showHosted.ts"
import { asOf, charges as chargesOf } from "../../../core/payments/Lifecycle.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { type MandateDecision, Sandbox, type SimulatedAction } from "../../../core/ports/Sandbox.ts"
import { Store, type StoreUnavailable } from "../../../core/ports/Store.ts"
import { Failure, notFound } from "../../../core/shared/Failure.ts"
import { isId } from "../../../core/shared/Id.ts"
import type { Page, PageRequest } from "../Page.ts"
import { html, seeOther } from "../shared/html.ts"
import { Links, WALLET } from "./Links.ts"
import { MandateView } from "./MandateView.tsx"
import { PaymentView } from "./PaymentView.tsx"
import { readScanned } from "./readScanned.ts"
import { ScanView } from "./ScanView.tsx"

type WalletPorts = Installation | Sandbox | Store

const nameOf = Effect.fnUntraced(function* (service_id: string) {
  return (yield* (yield* Store).find("service", service_id))?.name ?? "—"
})

/** Returns the channel of a request, if the payment has a code for it. */
const channelOf = (intent: PaymentIntent, { query }: PageRequest): string | undefined =>
  chargesOf(intent).find(({ channel }) => channel === query.get("channel"))?.channel

/** Finds the payment of a code in its current state. Other ids get one answer. */
const findPayment = Effect.fnUntraced(function* (id: string) {
  return asOf(yield* findHosted(id), yield* Clock.currentTimeMillis)
})

const findMandate = Effect.fnUntraced(function* (id: string) {
  const found = isId("mnd", id) ? yield* (yield* Store).find("mandate", id) : undefined
  return found ?? (yield* notFound("mandate", id))
})

/** Ignores that an action came too late: the next page shows the current state. */
const unlessTooLate = <R,>(
  effect: Effect.Effect<void, Failure<"INVALID_TRANSITION" | "NOT_FOUND"> | StoreUnavailable, R>,
) =>
  Effect.catchTag(effect, "Failure", (failure) =>
    failure.code === "INVALID_TRANSITION" ? Effect.void : Effect.fail(failure),
  )

/** Opens a scanned text. A payment's charge counts as scanned if the code names its channel. */
const open = Effect.fnUntraced(function* (request: PageRequest, text: string, scans: boolean) {
  const links = new Links(request)
  const scanned = readScanned(text, yield* Installation)
  switch (scanned.type) {
    case "payment": {
      const { channel, id } = scanned
      if (scans && channel !== undefined) {
        const sandbox = yield* Sandbox
        const intent = yield* findPayment(id)
        // A payment by link has no scanned code.
        const acts = intent.flow === "request_payment"
        const code = { payment_intent: id, channel }
        if (acts) yield* unlessTooLate(sandbox.act(code, "scan"))
      }
      return seeOther(links.payment(id, channel))
    }
    case "service":
      return seeOther(links.service(scanned.id, scanned.channel))
    case "mandate":
      return seeOther(links.mandate(scanned.id))
    case "unknown":
      return html(<ScanView request={request} wrong={text.slice(0, 2048)} />, 422)
  }
})

const scanPage: Page<WalletPorts> = {
  method: "GET",
  path: WALLET,
  handle: (request) => {
    const code = request.query.get("code")
    return code === null
      ? Effect.succeed(html(<ScanView request={request} />))
      : open(request, code, false)
  },
}

const openPage: Page<WalletPorts> = {
  method: "POST",
  path: WALLET,
  body: "form",
  handle: (request) => open(request, request.form.get("code") ?? "", true),
}

const paymentPage: Page<WalletPorts> = {
  method: "GET",
  path: `${WALLET}/pay/:id`,
  handle: Effect.fnUntraced(function* (request) {
    const intent = yield* findPayment(request.params["id"] ?? "")
    const payee = yield* nameOf(intent.service_id)
    const installation = yield* Installation
    const channel = channelOf(intent, request)
    const now = yield* Clock.currentTimeMillis
    const said = { request, installation, intent, payee, channel, now }
    return html(<PaymentView {...said} />)
  }),
}

/** Returns the action of a button. A payment by link is paid, one by code is authorized. */
const actionOf = (intent: PaymentIntent, name: string | null): SimulatedAction | undefined => {
  if (name === "approve") return intent.flow === "one_time_pay" ? "pay" : "authorize"
  return name === "reject" || name === "insufficient_balance" ? name : undefined
}

const unknownButton = () =>
  new Failure({ code: "INVALID_REQUEST", message: "The form names no action of the wallet." })

const actPage: Page<WalletPorts> = {
  method: "POST",
  path: `${WALLET}/pay/:id`,
  body: "form",
  handle: Effect.fnUntraced(function* (request) {
    const intent = yield* findPayment(request.params["id"] ?? "")
    const channel = channelOf(intent, request) ?? intent.channel ?? undefined
    const action = actionOf(intent, request.form.get("action"))
    if (action === undefined || channel === undefined) return yield* unknownButton()
    const sandbox = yield* Sandbox
    yield* unlessTooLate(sandbox.act({ payment_intent: intent.id, channel }, action))
    return seeOther(new Links(request).payment(intent.id, channel))
  }),
}

const mandatePage: Page<WalletPorts> = {
  method: "GET",
  path: `${WALLET}/mandates/:id`,
  handle: Effect.fnUntraced(function* (request) {
    const mandate = yield* findMandate(request.params["id"] ?? "")
    const payee = yield* nameOf(mandate.service_id)
    const installation = yield* Installation
    return html(<MandateView {...{ request, installation, mandate, payee }} />)
  }),
}

const DECISIONS: ReadonlyArray<MandateDecision> = ["approve", "reject", "end"]

const decidePage: Page<WalletPorts> = {
  method: "POST",
  path: `${WALLET}/mandates/:id`,
  body: "form",
  handle: Effect.fnUntraced(function* (request) {
    const { id } = yield* findMandate(request.params["id"] ?? "")
    const decision = DECISIONS.find((name) => name === request.form.get("decision"))
    if (decision === undefined) return yield* unknownButton()
    yield* unlessTooLate((yield* Sandbox).decide(id, decision))
    return seeOther(new Links(request).mandate(id))
  }),
}

/** The pages of a payer's wallet, in a sandbox only. */
export const walletPages: ReadonlyArray<Page<WalletPorts>> = [
  scanPage,
  openPage,
  paymentPage,
  actPage,
  mandatePage,
  decidePage,
]
