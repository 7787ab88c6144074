import { find } from "../../../core/channels/Channel.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { DAY, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { STORE_LATENCY_LIMIT } from "../../world/ports/slowStore.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import type { Stamps } from "./lifecycle.ts"
import { takenValue } from "./taken.ts"

/** Returns when the payer's money was taken; the refund window starts then. */
export const takenAt = (intent: PaymentIntent): Timestamp | undefined => {
  const stamps = intent as Stamps
  return intent.flow === "one_time_pay" ? stamps.succeeded_at : stamps.captured_at
}

/** Checks that a refund is started within its window; the store may take longer. */
const inTime: Rule<"write"> = ({ at, held_up, write }, model) => {
  if (write.kind !== "refund" || write.op !== "insert") return undefined
  const { channel, created_at, payment_intent } = write.record
  const intent = model.intents.get(payment_intent)?.record
  const rules = find(defaultCatalog, channel)?.refunds
  const taken = intent && takenAt(intent)
  if (rules === undefined || taken === undefined) return "refunds what nobody has paid"
  const end = taken + rules.window_days * DAY
  return created_at > end || at - held_up > end + STORE_LATENCY_LIMIT + model.clocksOff
    ? `began ${at - end} ms after its window`
    : undefined
}

/** Checks that a refund call is for a payee's refund, within the payment and the channel's cap. */
const withinCap: Rule<"call"> = ({ call }, model) => {
  const request = model.requests.get(call.number)
  if (call.action !== "refund" || request === undefined || request.refund === null) return undefined
  const intent = model.intents.get(request.payment_intent)?.record
  const rules = find(defaultCatalog, call.channel)?.refunds
  const refund = model.refunds.get(request.refund)
  if (intent === undefined || rules === undefined || refund?.channel_request !== call.number) {
    return `had ${call.channel} asked for a refund that is none`
  }
  const standing = model.refundsOf(intent.id).filter(({ status }) => status !== "failed")
  const sum = standing.reduce((total, { amount }) => total + amount.value, 0)
  if (sum > takenValue(intent)) return `had ${call.channel} asked, and ${sum} are to go back`
  const parts = standing.filter(({ amount }) => amount.value < takenValue(intent)).length
  const most = rules.max_partial_refunds ?? Infinity
  return parts > most ? `had ${call.channel} asked for part ${parts} of ${most}` : undefined
}

/** The rules about which refunds are allowed. */
export const refundRules: Rulebook = {
  40: { call: withinCap, write: inTime },
}
