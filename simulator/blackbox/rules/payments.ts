import { canonicalJson } from "../../../core/shared/Text.ts"
import type { Finding, Rule } from "../../auditor/Observation.ts"
import { isTerminal, leadsTo } from "../../auditor/invariants/lifecycle.ts"
import {
  flowOf,
  type RestingPayment,
  type SeenBalance,
  type SeenEntry,
  type SeenPayment,
  type SeenRefund,
  timeOf,
} from "../Seen.ts"
import { DAY, SECOND, utcDay } from "../../../core/shared/Timestamp.ts"
import { LATE } from "../../auditor/invariants/deliveries.ts"

const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

/** The fields of an ended payment that never change. */
const ENDED = [
  "status",
  "amount",
  "settlement",
  "scanned_at",
  "authorized_at",
  "captured_at",
  "succeeded_at",
  "failure_code",
] as const satisfies ReadonlyArray<keyof SeenPayment>

const differing = (
  fields: ReadonlyArray<keyof SeenPayment>,
  before: SeenPayment,
  after: SeenPayment,
) =>
  fields.find(
    (field) => canonicalJson(before[field] ?? null) !== canonicalJson(after[field] ?? null),
  )

/** Checks that nothing of an ended payment changes. */
export const stays: Rule<"shown"> = ({ after, before, flow }) => {
  if (before === undefined || !isTerminal(flow, before.status)) return undefined
  const changed = differing(ENDED, before, after)
  return changed === undefined
    ? undefined
    : `was ${before.status} and changed its ${changed} (${after.status})`
}

/** Checks that an answer is not older than one that was received before its request. */
export const isNoOlder: Rule<"shown"> = ({ after, before, flow }) => {
  if (before === undefined || before.status === after.status) return undefined
  const [was, is] = [before.status, after.status]
  return leadsTo(flow, is, was) && !leadsTo(flow, was, is)
    ? `was shown ${is} after it had been shown ${was}`
    : undefined
}

/** Checks that a change follows the table, unless it is a step back. */
export const onPath: Rule<"shown"> = (seen, model) => {
  const { after, before, flow } = seen
  if (before === undefined || before.status === after.status) return undefined
  if (isNoOlder(seen, model) !== undefined || isTerminal(flow, before.status)) return undefined
  return leadsTo(flow, before.status, after.status)
    ? undefined
    : `went from ${before.status} to ${after.status}`
}

/** Checks that a payment has one code for each channel, and is paid at an offered channel. */
export const offeredOnce: Rule<"resting"> = ({ acknowledged, seen }) => {
  const offers = (acknowledged.channels ?? []).map(({ channel }) => channel)
  if (new Set(offers).size !== offers.length) return "offers one channel twice"
  const offered = acknowledged.channel === null ? offers : [acknowledged.channel]
  return seen.channel === null || offered.includes(seen.channel)
    ? undefined
    : `is of ${seen.channel}, and was offered ${offered.join() || "nothing"}`
}

/** Checks that a payment advances only before `expires_at`, and expires only after it. */
export const beforeExpiry: Rule<"resting"> = ({ events, seen }) => {
  const expires = timeOf(seen.expires_at)
  const advanced =
    flowOf(seen) === "one_time_pay" && seen.auto_paid !== true ? seen.succeeded_at : undefined
  const times = [seen.scanned_at, seen.authorized_at, advanced]
  const late = times.find((time) => time !== undefined && timeOf(time) >= expires)
  if (late !== undefined) return `advanced at ${late}, after it had expired at ${seen.expires_at}`
  const early = events.find(
    ({ created_at, type }) => type === "payment_intent.expired" && timeOf(created_at) < expires,
  )
  return early === undefined ? undefined : `expired at ${early.created_at}, before its time`
}

/** Checks that a payment expires when its time is over, with an event. */
export const toldInTime: Rule<"resting"> = ({ events, seen }) => {
  const latest = timeOf(seen.expires_at) + LATE
  const late = events.find(
    ({ created_at, type }) => type === "payment_intent.expired" && timeOf(created_at) > latest,
  )
  return late === undefined ? undefined : `expired at ${late.created_at}, long after its time`
}

/** The statuses in which nobody has authorized the payment yet. */
const UNDECIDED: ReadonlySet<string> = new Set(["qr_generated", "scanning"])

/** Processes see a moved clock within half a second of each other. */
const SETTLING = 2 * SECOND

/** Checks that a request after `expires_at` shows the payment as expired. */
export const expiredInTime: Rule<"shown"> = ({ after, asked_at }) => {
  const late = (asked_at ?? 0) - timeOf(after.expires_at)
  return UNDECIDED.has(after.status) && late > SETTLING
    ? `was shown ${after.status} ${Math.round(late)} ms after its time`
    : undefined
}

/** Checks that only one of capture, void and cancel succeeds. */
export const oneWinner: Rule<"resting"> = ({ done }) => {
  const isCaptured = done.has("capture")
  return isCaptured && done.size > 1 ? `was answered as done: ${[...done].join(", ")}` : undefined
}

/** Checks that an unpaid payment stays unpaid, whatever was forged. */
export const paidByWallet: Rule<"resting"> = ({ paid, seen }) =>
  !paid && PAID.has(seen.status) ? `is ${seen.status} though nobody has paid it` : undefined

const KEPT = [
  "service_id",
  "amount",
  "settlement",
  "description",
  "metadata",
  "payee",
  "created_at",
  "expires_at",
] as const satisfies ReadonlyArray<keyof SeenPayment>

/** Checks that the payment still agrees with the first answer. */
export const isKept: Rule<"resting"> = ({ acknowledged, seen }) => {
  const changed = differing(KEPT, acknowledged, seen)
  return changed === undefined ? undefined : `was made with another ${changed} than it rests with`
}

/** Checks that a pending or completed purchase is not made again. */
export const boughtOnce: Rule<"resting"> = ({ eventsOfThose, samePurchase, seen }) => {
  const made = timeOf(seen.created_at)
  const standing = samePurchase.find((other) => {
    if (timeOf(other.created_at) >= made) return false
    if (other.status === "completed" || other.status === "pending") return true
    const end = eventsOfThose.find(
      ({ data, type }) => type.startsWith("payment_intent.") && data["id"] === other.id,
    )
    const ended = Math.min(timeOf(end?.created_at ?? other.expires_at), timeOf(other.expires_at))
    return ended > made
  })
  return standing === undefined ? undefined : `buys again what ${standing.id} buys`
}

const UNPAID: ReadonlySet<string> = new Set(["failed", "expired", "cancelled", "voided"])

const sumOf = (refunds: ReadonlyArray<SeenRefund>): number =>
  refunds.reduce((sum, { amount, status }) => sum + (status === "failed" ? 0 : amount.value), 0)

const takenOf = ({ entries }: RestingPayment): ReadonlyArray<SeenEntry> =>
  entries.filter(({ account, kind }) => kind === "captured" && account === "channel_clearing")

/** Checks that the payer's money is taken once. */
export const capturedOnce = (resting: RestingPayment): Finding => {
  const { length } = takenOf(resting)
  return length > 1 ? `was captured ${length} times` : undefined
}

/** Returns the taken amount: all of it, unless the payee has captured less. */
const takenAmount = ({ amount, captured_amount }: RestingPayment["seen"]) =>
  captured_amount ?? amount

/** Checks that the payment's amount or the shown part is taken, in its currency. */
export const capturedWhole = (resting: RestingPayment): Finding => {
  const { currency, value } = takenAmount(resting.seen)
  const wrong = takenOf(resting).find(
    ({ amount }) => amount.value !== value || amount.currency !== currency,
  )
  return wrong === undefined
    ? undefined
    : `was captured with ${wrong.amount.value} ${wrong.amount.currency}`
}

/** Checks that refunds are not more than the payment, in its currency. */
export const refundsWithin: Rule<"resting"> = ({ refunds, seen }) => {
  const other = refunds.find(({ amount }) => amount.currency !== seen.amount.currency)
  if (other !== undefined) return `has ${other.id} in ${other.amount.currency}`
  const sum = sumOf(refunds)
  const { value } = takenAmount(seen)
  return sum > value ? `had ${value} and gives ${sum} back` : undefined
}

/** Checks that an unpaid payment leaves no taken money. */
export const nothingLeft: Rule<"resting"> = ({ entries, seen }) => {
  if (!UNPAID.has(seen.status)) return undefined
  const left = entries.reduce(
    (sum, { account, amount }) => sum + (account === "channel_clearing" ? amount.value : 0),
    0,
  )
  return left === 0 ? undefined : `is ${seen.status} while its channel has ${left}`
}

/** Checks the remaining amount that a refund shows. */
export const leftOver: Rule<"resting"> = ({ refunds, seen }) => {
  const left = takenAmount(seen).value - sumOf(refunds)
  const wrong = refunds.find(
    ({ remaining_refundable: said }) =>
      said !== undefined && (said.value !== left || said.currency !== seen.amount.currency),
  )
  return wrong === undefined
    ? undefined
    : `has ${left} left, and ${wrong.id} says ${wrong.remaining_refundable?.value}`
}

/** Checks that a refund is requested in time, with no more parts than its channel allows. */
export const refundsAllowed: Rule<"resting"> = ({ refund_rules: rules, refunds, seen }) => {
  if (rules === undefined || refunds.length === 0) return undefined
  const taken = timeOf(seen.captured_at ?? seen.succeeded_at)
  const late = refunds.find((one) => timeOf(one.created_at) > taken + rules.window_days * DAY)
  if (late !== undefined) return `has ${late.id}, which is too late`
  const parts = refunds.filter(
    ({ amount, status }) => status !== "failed" && amount.value < takenAmount(seen).value,
  )
  const most = rules.max_partial_refunds ?? Infinity
  return parts.length > most ? `has ${parts.length} parts refunded, of ${most}` : undefined
}

const SIGNS = [
  ["available", "merchant_wallet", -1],
  ["fees_due", "fees_due", 1],
  ["refunds_pending", "refunds", -1],
] as const satisfies ReadonlyArray<
  readonly [keyof SeenBalance["balances"][number], SeenEntry["account"], 1 | -1]
>

/** Checks that a balance is the sum of the ledger's rows. */
export const balanceAddsUp: Rule<"account"> = ({ balance, entries }) => {
  if (entries === undefined) return undefined
  for (const [part, account, sign] of SIGNS) {
    const sums = new Map<string, number>()
    for (const { account: on, amount } of entries) {
      if (on !== account) continue
      sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + sign * amount.value)
    }
    for (const line of balance.balances) {
      const sum = sums.get(line.currency) ?? 0
      sums.delete(line.currency)
      if (sum !== line[part]) {
        return `has ${line[part]} ${line.currency} ${part}, and its ledger says ${sum}`
      }
    }
    const untold = [...sums].find(([, sum]) => sum !== 0)
    if (untold !== undefined) return `is not told of ${untold[1]} ${untold[0]} ${part}`
  }
  return undefined
}

/** Checks that no channel statement differs from the ledger; late money is returned as reported. */
export const statementsAgree: Rule<"account"> = ({ report, rests }) => {
  const [first] = report.discrepancies.filter(({ kind }) => kind !== "late_payment")
  if (!rests || first === undefined) return undefined
  const { actual, channel, date, expected, kind, payment_intent } = first
  const said = `${expected ?? "nothing"} expected, ${actual ?? "nothing"} found`
  const where = `${kind} of ${payment_intent} at ${channel} on ${date}`
  return `has ${report.discrepancies.length} discrepancies, such as ${where}: ${said}`
}

/** Checks that each day is reconciled at two in the next night; late runs get one more day. */
export const daysCompared: Rule<"account"> = ({ at, report, rests }) => {
  const latest = utcDay(at - 2 * DAY)
  const open = rests ? report.pending_days.find((day) => day < latest) : undefined
  return open === undefined ? undefined : `has ${open} not compared with its channels' statements`
}
