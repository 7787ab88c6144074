import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import { DAY, fromIso, MINUTE, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { billing } from "../Billing.ts"
import { knowledge } from "../Knowledge.ts"
import { levelLimits } from "../LevelLimits.ts"
import { installs } from "./installs.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { isCaptured } from "./lifecycle.ts"
import { takenAt } from "./refunds.ts"
import { takenValue } from "./taken.ts"
import { canBeReported, mayExceed } from "./use.ts"

/** A refused request of a client that had done nothing wrong. */
interface TurnedAway {
  readonly account: string
  /** Its method and path. */
  readonly route: string
  readonly code: string
  readonly body: unknown
  /** The payment that it should change, and the event; undefined for all others. */
  readonly moves: { readonly id: string; readonly event: string } | undefined
  /** When it was sent, with the model's step, and when it was refused. */
  readonly sent: Timestamp
  readonly since: number
  readonly at: Timestamp
}

declare module "../Observation.ts" {
  interface Observations {
    /** A request of an honest client was refused. */
    readonly turned_away: TurnedAway
  }
}

/** Errors that any request may get at any time, although nothing is wrong with it. */
const PASSING: ReadonlySet<string> = new Set([
  "CHANNEL_TEMPORARILY_UNAVAILABLE",
  "CONNECTION_LOST",
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "OUTCOME_UNKNOWN",
  "OVERLOADED",
  "RATE_LIMIT_EXCEEDED",
  "TEMPORARILY_UNAVAILABLE",
])

const INTENTS = "POST /v1/payment-intents"
const ONE_TIME = "POST /v1/payments/one-time"
const CHALLENGES = "POST /v1/payment-challenges"
const REFUNDING = "POST /v1/refunds"
const ASKED_FOR = [INTENTS, ONE_TIME, CHALLENGES, "POST /v1/x402/payments"]
const WORDS = "POST /v1/ai/nlp-payment"
const MOVES = ["capture", "void", "cancel"].map((move) => `${INTENTS}/{id}/${move}`)
const PROOFS = ["redeem", "draw", "close"].map((use) => `${CHALLENGES}/{id}/${use}`)
const SUBSCRIBE = "POST /v1/service-manifests/{id}/subscribe"
const SUBSCRIBED = "POST /v1/subscriptions/{id}/redeem"
const OPEN_TAB = "POST /v1/services/{id}/tab"
const USAGE = "POST /v1/services/{id}/usage"
const PAY_INVOICE = "POST /v1/invoices/{id}/pay"
const DECISIONS = ["approve", "decline", "withdraw"].map(
  (what) => `POST /v1/refund-requests/{id}/${what}`,
)
const SERVICE = ["activate", "delete", "deprecate", "pause", "resume"].map(
  (move) => `PATCH /v1/services/{id}/${move}`,
)

/** The routes that make payments. */
const PAYMENTS = [
  ...ASKED_FOR,
  SUBSCRIBE,
  PAY_INVOICE,
  "POST /v1/fx/quotes",
  "POST /v1/fx/routes",
  WORDS,
]
const REFUNDS = [REFUNDING, "POST /v1/refund-requests", WORDS, ...DECISIONS, ...PROOFS]

/** Routes that change something that their path does not name; others have an id in it. */
const MOVING: ReadonlySet<string> = new Set([
  "POST /v1/refund-requests",
  "POST /v1/access-items",
  WORDS,
])

/** The routes at which an honest client may get each error code, according to the interface. */
const REASONS: { readonly [code: string]: ReadonlyArray<string> } = {
  ALREADY_SUBSCRIBED: [SUBSCRIBE],
  CHANNEL_ERROR: [...PAYMENTS, ...MOVES],
  CHANNEL_NO_DEEPLINK: [ONE_TIME, WORDS],
  CHANNEL_UNAVAILABLE: PAYMENTS,
  DUPLICATE_NAME: ["POST /v1/services", ...SERVICE],
  FORBIDDEN: MOVES,
  IDEMPOTENCY_KEY_USED: [INTENTS, ONE_TIME],
  INSUFFICIENT_KYC: [...PAYMENTS, USAGE],
  INVALID_AMOUNT: [...PAYMENTS, ...MOVES, OPEN_TAB],
  INVALID_REQUEST: [USAGE],
  INVOICE_UNPAID: [OPEN_TAB],
  NOT_FOUND: [
    ...PAYMENTS,
    "POST /v1/x402/listings",
    OPEN_TAB,
    "DELETE /v1/services/{id}/tab",
    USAGE,
  ],
  OTP_RATE_LIMITED: ["POST /v1/kyc/verify"],
  PAYMENT_IDENTIFIER_USED: PROOFS,
  PAYMENT_PROOF_INVALID: [...PROOFS, SUBSCRIBED],
  PAYMENT_PROOF_USED: [...PROOFS, SUBSCRIBED],
  PAYMENT_REQUIRED: [...PROOFS, SUBSCRIBED, "POST /v1/subscriptions/{id}/proofs"],
  PAYMENT_UNRESOLVED: [...PROOFS, SUBSCRIBED],
  QR_NOT_FOUND: ["POST /v1/ai/scan-qr"],
  QUOTE_EXPIRED: ["POST /v1/fx/routes"],
  QUOTE_USED: ["POST /v1/fx/routes"],
  REFUND_CHANNEL_REJECTED: REFUNDS,
  REFUND_EXCEEDS_PAYMENT: REFUNDS,
  REFUND_LIMIT_EXCEEDED: REFUNDS,
  REFUND_NOT_ALLOWED: REFUNDS,
  REFUND_WINDOW_EXPIRED: REFUNDS,
  refund_exceeds_revocable: REFUNDS,
  SERVICE_NOT_ACTIVE: PAYMENTS,
  SPEND_CAP_EXCEEDED: PAYMENTS,
  USAGE_NOT_STARTED: [USAGE],
}

/** When services were last not active. */
class Pauses {
  readonly last = new Map<string, Timestamp>()
  readonly #paused = new Set<string>()

  learn(id: string, isActive: boolean, at: Timestamp): void {
    if (isActive && !this.#paused.delete(id)) return
    if (!isActive) this.#paused.add(id)
    this.last.set(id, at)
  }
}

/** The auditor's knowledge about services that could not be paid. */
export const pauses = knowledge("pauses of services", Pauses, (known, { kind, op, record }, at) => {
  if (kind === "service") {
    known.learn(record.id, op !== "remove" && record.status === "active", at)
  }
})

const fieldOf = (body: unknown, field: string): unknown =>
  typeof body === "object" && body !== null ? Reflect.get(body, field) : undefined

const serviceOf = ({ body }: TurnedAway, model: Model) =>
  model.services.get(String(fieldOf(body, "service_id")))

/** Whether the service of a payment could not be paid at some time since the request was sent. */
const wasPaused = (seen: TurnedAway, model: Model): boolean => {
  const service = serviceOf(seen, model)
  if (service === undefined || service.status !== "active") return true
  return (model.know(pauses).last.get(service.id) ?? -Infinity) >= seen.sent
}

/** The most that an amount may be, in minor units. */
const MOST = 999_999_999_999

/** Limits are in cents of this currency: any other amount needs a rate, which may be missing. */
const DOLLAR = "USD"

/**
 * Whether an amount is too large, or needs a rate, by which it may be too small, or with which a
 * cap is compared.
 */
const isHardToTake = (seen: TurnedAway, model: Model): boolean => {
  const amount = fieldOf(seen.body, "amount")
  const [currency, value] = [fieldOf(amount, "currency"), Number(fieldOf(amount, "value"))]
  if (value > MOST || currency !== DOLLAR) return true
  const service = serviceOf(seen, model)
  if (service === undefined || model.know(installs).cappedAbroad.has(service.id)) return true
  return service.settlement_currency !== DOLLAR
}

/** Whether the tabs of a service need a rate, which may be missing. */
const needsRate = ({ route }: TurnedAway, model: Model): boolean => {
  const service = [...model.services.values()].find(({ id }) => route.includes(id))
  if (service === undefined) return true
  const { pricing, settlement_currency } = service
  const { currency = settlement_currency } = pricing.cumulative ?? {}
  return currency !== DOLLAR || settlement_currency !== DOLLAR
}

/** Whether a payment was ready to be captured during the whole time since the request was sent. */
const wasReady = ({ at, moves, since }: TurnedAway, model: Model): boolean => {
  const known = moves === undefined ? undefined : model.intents.get(moves.id)
  if (known === undefined || at >= known.record.expires_at - model.clocksOff) return false
  const first = known.history.findLastIndex(({ step }) => step <= since)
  return known.history.slice(Math.max(first, 0)).every(({ status }) => status === "authorized")
}

/** The errors of a refund that depend only on the payment and its channel's rules. */
const BY_THE_RULES: ReadonlySet<string> = new Set([
  "REFUND_EXCEEDS_PAYMENT",
  "REFUND_LIMIT_EXCEEDED",
  "REFUND_NOT_ALLOWED",
  "REFUND_WINDOW_EXPIRED",
])

/** Whether every rule allowed a refund during the whole time since it was requested. */
const wasRefundable = ({ at, body, since }: TurnedAway, model: Model): boolean => {
  const id = String(fieldOf(body, "payment_intent"))
  const known = model.intents.get(id)
  const last = known?.history.at(-1)
  if (known === undefined || last === undefined || last.step > since) return false
  const { record } = known
  const rules = find(defaultCatalog, record.channel ?? "")?.refunds
  const taken = isCaptured(record.status) ? takenAt(record) : undefined
  if (rules === undefined || taken === undefined) return false
  if (at > taken + rules.window_days * DAY - model.clocksOff) return false
  const standing = model.refundsOf(id).filter(({ status }) => status !== "failed")
  const whole = takenValue(record)
  const left = whole - standing.reduce((sum, { amount }) => sum + amount.value, 0)
  const value = Number(fieldOf(fieldOf(body, "amount"), "value") ?? left)
  const parts = standing.filter(({ partial }) => partial).length
  const isWithin = value === whole || parts < (rules.max_partial_refunds ?? Infinity)
  return value > 0 && value <= left && isWithin
}

/** The refusals of use that would make a bill that its payer could not pay. */
const UNPAYABLE: ReadonlySet<string> = new Set(["INVALID_REQUEST", "INSUFFICIENT_KYC"])

/**
 * Whether a report is of a use in the open time of its agent's tab, which was closed since, and of
 * a bill that everybody may pay.
 */
const wasOpen = ({ at, body, code, route }: TurnedAway, model: Model): boolean => {
  const occurred = fromIso(String(fieldOf(body, "occurred_at")))
  if (occurred === undefined) return false
  const known = model.know(billing)
  const times = { at: occurred, now: at, slack: MINUTE + model.clocksOff }
  const [least = 0] = model.know(levelLimits).atOnce
  const units = Number(fieldOf(body, "quantity"))
  const isUnpayable = (tab: string) => UNPAYABLE.has(code) && mayExceed(known, tab, units, least)
  return [...known.tabs.values()].some(
    ({ agent_id, id, service_id }) =>
      agent_id === fieldOf(body, "agent_id") &&
      route.includes(service_id) &&
      canBeReported(known, id, times) &&
      !isUnpayable(id),
  )
}

/** Returns a route by its place in the interface, with any ids removed. */
const placeOf = (route: string): string =>
  route.replaceAll(/\/(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f-]{27}/g, "/{id}")

const hasReason: Rule<"turned_away"> = (seen, model) => {
  const { code, moves } = seen
  const route = placeOf(seen.route)
  if (PASSING.has(code)) return undefined
  const isMove = code === "INVALID_TRANSITION" && (route.includes("{id}") || MOVING.has(route))
  if (!isMove && REASONS[code]?.includes(route) !== true) return `is refused with ${code}`
  const isNew = route === INTENTS || route === ONE_TIME
  if (isNew && (code === "NOT_FOUND" || code === "SERVICE_NOT_ACTIVE") && !wasPaused(seen, model)) {
    return `is refused with ${code}, and its service is active`
  }
  if (isNew && code === "INVALID_AMOUNT" && !isHardToTake(seen, model)) {
    return `is refused with ${code}, and its amount needs no rate`
  }
  if (route === OPEN_TAB && code === "INVALID_AMOUNT" && !needsRate(seen, model)) {
    return `is refused with ${code}, and its price needs no rate`
  }
  if (route === REFUNDING && BY_THE_RULES.has(code) && wasRefundable(seen, model)) {
    return `is refused with ${code}, and nothing stands in its way`
  }
  if (route === USAGE && wasOpen(seen, model)) {
    return `is refused with ${code}, and its tab was open then`
  }
  const isCapture = moves?.event === "capture_requested" && route.endsWith("/capture")
  return isCapture && code === "INVALID_TRANSITION" && wasReady(seen, model)
    ? "is refused its capture while it is authorized"
    : undefined
}

/** The rules about refusals of honest clients. */
export const refusalRules: Rulebook = {
  113: { turned_away: hasReason },
}
