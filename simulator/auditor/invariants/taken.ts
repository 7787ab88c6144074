// Written independently of core/payments on purpose: it computes the parts of a payment a second
// time.

import { find } from "../../../core/channels/Channel.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import type { Cause } from "../../world/ports/CurrentCause.ts"
import { difference } from "../saysTheSame.ts"

/** Returns the captured part of a payment, or the part to be captured, if it is less than all. */
const partOf = (intent: PaymentIntent): number | undefined =>
  "capture_value" in intent ? intent.capture_value : undefined

/** Returns the amount that is captured, or is to be, in minor units: all unless less is said. */
export const takenValue = (intent: PaymentIntent): number => partOf(intent) ?? intent.amount.value

/** Returns how much of its amount a payment uses of limits: all until less has been captured. */
export const countedOf = (intent: PaymentIntent, counted: number): number => {
  if (!("captured_at" in intent) || intent.captured_at === undefined) return counted
  const [part, whole] = [BigInt(takenValue(intent)), BigInt(intent.amount.value)]
  return Number((BigInt(counted) * part + whole - 1n) / whole)
}

/** Returns `value × part / whole`, rounded half to even. */
export const inProportion = (value: number, part: number, whole: number): number => {
  const product = BigInt(value) * BigInt(part)
  const [down, twice] = [product / BigInt(whole), 2n * (product % BigInt(whole))]
  const isUp = twice > BigInt(whole) || (twice === BigInt(whole) && down % 2n === 1n)
  return Number(isUp ? down + 1n : down)
}

/** Returns the part's share of a fee, rounded half to even. */
const shareOf = (intent: PaymentIntent, value: number): number =>
  inProportion(value, takenValue(intent), intent.amount.value)

/** Returns what the payee gets of the captured amount, rounded down. */
export const settledFor = (intent: PaymentIntent): number =>
  Number(
    (BigInt(intent.settlement.value) * BigInt(takenValue(intent))) / BigInt(intent.amount.value),
  )

/** Returns the lines of the fees for the captured amount. */
export const chargedFor = (intent: PaymentIntent) => ({
  service: shareOf(intent, intent.fees?.service.value ?? 0),
  channel: shareOf(intent, intent.fees?.channel.value ?? 0),
  spread: shareOf(intent, intent.fees?.fx_spread.value ?? 0),
})

/** Returns the amount that a request asks to capture, in minor units; undefined for all of it. */
const askedFor = (cause: Cause): number | undefined => {
  if (cause.type !== "client") return undefined
  // In the x402 schemes that take less than was authorised, the required amount is what was used.
  const { amount, paymentRequirements } = (cause.body ?? {}) as {
    readonly amount?: { readonly value: number }
    readonly paymentRequirements?: { readonly amount: string }
  }
  return cause.route.endsWith("/capture")
    ? amount?.value
    : paymentRequirements && Number(paymentRequirements.amount)
}

/** Checks that a capture starts for the amount that its payee has requested, by that request. */
const asAsked: Rule<"commit"> = ({ cause, commit }, model) => {
  for (const { kind, record } of commit.writes) {
    if (kind !== "payment_intent" || record.status !== "capturing") continue
    if (model.intents.get(record.id)?.record.status === "capturing") continue
    const asked = askedFor(cause) ?? record.amount.value
    if (takenValue(record) !== asked) {
      return `is to take ${takenValue(record)} of ${record.id}, where ${asked} were asked for`
    }
    const request = commit.writes.find((write) => write.record.id === record.capture_request)
    const value = request?.kind === "channel_request" ? request.record.amount.value : undefined
    if (value !== asked) return `asks for ${value} of ${record.id} and not for ${asked}`
  }
  return undefined
}

/** Checks that the requested amount stays until the channel has refused it. */
const stays: Rule<"intent"> = ({ after, before }) => {
  const part = partOf(after)
  if (part !== undefined && !(part >= 1 && part < after.amount.value)) return `takes ${part}`
  if (before === undefined || before.status === "authorized") return undefined
  if (after.status === "authorized") {
    return part === undefined ? undefined : "still takes a part that was refused"
  }
  const differs = difference(partOf(before), part)
  return differs === undefined ? undefined : `takes something else than before: ${differs}`
}

/** Checks that the channel takes the held money as requested, and releases the rest. */
const restReleased: Rule<"rest"> = ({ intent }, model) => {
  if (partOf(intent) === undefined) return undefined
  const { entries, held } = model.booksOf(intent.id)
  const sum = (type: string) =>
    entries.reduce((total, entry) => total + (entry.type === type ? entry.amount.value : 0), 0)
  if (held !== 0) return `has ${held} held that nobody will take`
  const rest = intent.amount.value - takenValue(intent)
  return sum("capture") === takenValue(intent) && sum("release") >= rest
    ? undefined
    : `takes ${takenValue(intent)}, and its channel has taken ${sum("capture")}`
}

/** Checks that a channel without partial captures gets none, and none exceeds the payment. */
const asItCan: Rule<"call"> = ({ call }, model) => {
  const whole = model.intents.get(call.out_trade_no)?.record.amount.value
  if (call.action !== "capture" || whole === undefined || call.amount.value === whole) {
    return undefined
  }
  if (call.amount.value > whole) return `had ${call.channel} asked for ${call.amount.value}`
  return find(defaultCatalog, call.channel)?.partial_capture === true
    ? undefined
    : `had ${call.channel} asked for a part, which it does not capture`
}

/** The rules about captures by payees. */
export const takenRules: Rulebook = {
  97: { commit: asAsked, intent: stays, rest: restReleased },
  98: { call: asItCan },
}
