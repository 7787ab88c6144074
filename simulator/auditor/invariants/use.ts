import { DAY, MINUTE, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import type { Invoice } from "../../../core/invoices/Invoice.ts"
import type { Tab } from "../../../core/invoices/Tab.ts"
import type { UsageRecord } from "../../../core/invoices/Usage.ts"
import { type Billing, billing } from "../Billing.ts"
import type { Finding, Rule } from "../Observation.ts"
import { MILLIONTHS, millionths } from "./millionths.ts"

/** A unit, in millionths of millionths. */
const UNIT = MILLIONTHS * MILLIONTHS

/** Rounds millionths of millionths once to whole units: half to even, or up. */
const rounded = (exact: bigint, isUp: boolean): bigint => {
  const [whole, rest] = [exact / UNIT, exact % UNIT]
  if (isUp) return rest > 0n ? whole + 1n : whole
  const up = 2n * rest > UNIT || (2n * rest === UNIT && whole % 2n === 1n)
  return up ? whole + 1n : whole
}

/** Parses an exact decimal of at most twelve places, in millionths of millionths. */
const exactly = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(12, "0"))
}

const summed = (invoice: Invoice, known: Billing): Finding => {
  const { amount, lines, period, tab } = invoice
  const used = known.usedIn(tab ?? "", period)
  const sum = used.reduce((total, { quantity }) => total + millionths(quantity), 0n)
  const left = known.leftTo(tab ?? "", amount.currency)
  const [line, rest] = lines
  if (line === undefined || lines.length !== (left > 0n ? 2 : 1)) {
    return `has ${lines.length} lines, with ${left} left by earlier bills`
  }
  if (rest !== undefined && exactly(rest.unit_amount) !== left) {
    return `charges ${rest.unit_amount} of the ${left} that earlier bills have left`
  }
  if (millionths(line.quantity) !== sum) {
    return `bills ${line.quantity} units of ${Number(sum) / Number(MILLIONTHS)}`
  }
  const isStopped = known.stopOf(tab ?? "", period) !== undefined
  const due = rounded(known.costOf(invoice) + left, isStopped)
  if (BigInt(amount.value) !== due) return `comes to ${amount.value} and not to ${due}`
  const parts = lines.reduce((total, each) => total + each.amount.value, 0)
  return parts === amount.value ? undefined : `has lines over ${parts}, and is over ${amount.value}`
}

/** How long use can be reported after its tab was closed. */
const REPORTED_FOR = DAY

/** Checks that a closed tab is billed once its time for reports is over. */
const inItsTime = (
  { period, tab }: Invoice,
  known: Billing,
  at: Timestamp,
  slack: number,
): Finding => {
  const stop = known.stopOf(tab ?? "", period)
  const early = stop === undefined ? 0 : stop + REPORTED_FOR - slack - at
  return early > 0
    ? `bills a closed tab ${early} ms before its time for reports is over`
    : undefined
}

/** Checks that what counts after a tab was closed was used before, and reported in time. */
const isLate = (used: UsageRecord, known: Billing, at: Timestamp, slack: number): Finding => {
  const stop = known.stopOf(used.tab, used.period)
  if (stop === undefined) return undefined
  const { idempotency_key: key, occurred_at } = used
  if (occurred_at > stop + slack) return `counts ${key}, which was used after the tab was closed`
  return at > stop + REPORTED_FOR + slack
    ? `counts ${key} too long after the tab was closed`
    : undefined
}

/** Whether a use was reported in time of a tab that was open at that time and has been closed. */
export const canBeReported = (
  known: Billing,
  tab: string,
  { at, now, slack }: { readonly at: Timestamp; readonly now: Timestamp; readonly slack: number },
): boolean =>
  known.spans.get(tab)?.some(({ end, opened }) => {
    if (end === undefined) return false
    const isWithin = at > opened + slack && at < end.at - slack
    return isWithin && now < end.at + REPORTED_FOR - slack
  }) === true

/**
 * Whether a tab's bill with some more units may be more than these cents: for tabs in US dollars,
 * since the others' worth depends on a rate. The sum is a floating-point number, so that less than
 * a cent below them counts, too.
 */
export const mayExceed = (known: Billing, tab: string, units: number, cents: number): boolean => {
  const price = known.tabs.get(tab)?.price
  if (price === undefined || price.currency !== "USD") return true
  const used = [...known.used.values()].filter((one) => one.tab === tab)
  const sum = used.reduce((total, { quantity }) => total + Number(quantity), units)
  return sum * Number(price.rate) > cents - 1
}

/** Checks that a report counts once, in an unbilled period, and that the bill is their sum. */
export const billedOnce: Rule<"write"> = ({ at, held_up, write }, model) => {
  const known = model.know(billing)
  const slack = MINUTE + held_up + model.clocksOff
  if (write.kind === "invoice" && write.op === "insert" && write.record.tab !== null) {
    return summed(write.record, known) ?? inItsTime(write.record, known, at, slack)
  }
  if (write.kind !== "usage_record" || write.op !== "insert") return undefined
  const { id, idempotency_key: key, period, tab } = write.record
  const twice = [...known.used.values()].some((used) => used.idempotency_key === key)
  if (known.used.has(id) || twice) return `counts ${key} again`
  const billed = known.cycles.get(`${tab} ${period}`)
  if (billed !== undefined) return `comes after ${billed} has billed its period`
  return isLate(write.record, known, at, slack)
}

/** Checks that every acknowledged report is stored, and every period with reports billed. */
export const billedInFull: Rule<"billing"> = (_, model) => {
  const known = model.know(billing)
  const used = [...known.used.values()]
  for (const [key, units] of known.acknowledged) {
    const record = used.find((one) => one.idempotency_key === key)
    if (Number(record?.quantity) !== units) return `has ${record?.quantity} of ${units} of ${key}`
  }
  const unbilled = used.find(({ period, tab }) => !known.cycles.has(`${tab} ${period}`))
  return unbilled === undefined ? undefined : `never bills ${unbilled.idempotency_key}`
}

/** Checks that a tab's next period begins no earlier than the last ends; only that is billed. */
export const inTabPeriod = (after: Tab, before: Tab | undefined): Finding => {
  const { closing, period, period_end, period_start, status } = after
  if (period_start >= period_end) return `has a period that ends before it begins`
  if (before === undefined) return undefined
  if (period < before.period) return `goes back from period ${before.period} to ${period}`
  const isReopened = before.status === "closed" && status === "open"
  if (period > before.period && !isReopened && period_start < before.period_end) {
    return `begins a period at ${toIso(period_start)}, before the last has ended`
  }
  if (closing === null || before.closing !== null) return undefined
  return closing.number === before.period && closing.start === before.period_start
    ? undefined
    : `closes period ${closing.number} instead of ${before.period}`
}
