// The lifetimes and timestamps are written independently of core/payments on purpose, so that the
// rules do not come from the code that they check.

import type { Commit } from "../../../core/commits/Commit.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { DAY, SECOND } from "../../../core/shared/Timestamp.ts"
import { STORE_LATENCY_LIMIT } from "../../world/ports/slowStore.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import { leavesWithIt } from "./leaving.ts"
import { isCaptured, isState, isTerminal, leadsTo, STAMPS, type Stamps } from "./lifecycle.ts"
import { difference } from "../saysTheSame.ts"

type Step = Observations["intent"]

const LIFETIME = { request_payment: 900 * SECOND, one_time_pay: 300 * SECOND }

/** Whether a payment pays an invoice, which can be paid for a day, even if its service is gone. */
const isOwed = ({ after }: Step): boolean => after.invoice !== null

const onPath: Rule<"intent"> = ({ before, after }) => {
  if (before === undefined) {
    const first =
      after.flow === "request_payment"
        ? ["pending", "qr_generated", "failed"]
        : ["pending", "debiting", "failed"]
    return first.includes(after.status) ? undefined : `was created ${after.status}`
  }
  if (before.status === after.status) return undefined
  return leadsTo(after.flow, before.status, after.status)
    ? undefined
    : `went from ${before.status} to ${after.status}`
}

const stamped: Rule<"intent"> = ({ before, after, at }, { clocksOff }) => {
  const now = after as Stamps
  const was = (before ?? {}) as Stamps
  let last = after.created_at
  for (const stamp of STAMPS) {
    const time = now[stamp]
    if (was[stamp] !== undefined && was[stamp] !== time) return `changed its ${stamp}`
    if (time === undefined) continue
    if (time < last) return `has a ${stamp} before what came earlier`
    if (time > at + clocksOff) return `has a ${stamp} in the future`
    last = time
  }
  const needed: { readonly [status: string]: number } = {
    scanning: 1,
    authorized: 2,
    capturing: 2,
    captured: 3,
    succeeded: 4,
  }
  const complete = STAMPS.slice(0, needed[after.status] ?? 0)
  const missing = complete.find((stamp) => now[stamp] === undefined)
  return missing === undefined ? undefined : `is ${after.status} without ${missing}`
}

/**
 * Checks that a payment advances before it expires. The moment of the decision counts, by the clock
 * of the deciding process; the store may take longer.
 */
const beforeExpiry: Rule<"intent"> = ({ before, after, at, held_up }, { clocksOff }) => {
  if (before === undefined || before.status === after.status || isCaptured(before.status)) {
    return undefined
  }
  const { expires_at } = after
  const now = after as Stamps
  const was = before as Stamps
  if (after.status === "expired") {
    if (at + clocksOff < expires_at) return `expired ${expires_at - at} ms before its time`
    return now.ended_at === expires_at ? undefined : "expired at another time than expires_at"
  }
  const times = [...STAMPS, "ended_at" as const].flatMap((stamp) =>
    was[stamp] === undefined && now[stamp] !== undefined ? [now[stamp]] : [],
  )
  const decided = Math.max(after.created_at, ...times)
  return decided >= expires_at || at - held_up > expires_at + STORE_LATENCY_LIMIT + clocksOff
    ? `went from ${before.status} to ${after.status} after expires_at`
    : undefined
}

const EXPIRING = ["pending", "qr_generated", "scanning", "authorized"]

/** Returns the statuses that a payment in a state may be shown in, from a time to another. */
export const shownFrom = (
  status: string,
  expires: number,
  from: number,
  to: number,
): Array<string> => {
  const shown = status === "capturing" ? "authorized" : status === "debiting" ? "pending" : status
  const ends = EXPIRING.includes(status)
  if (!ends || to < expires) return [shown]
  return from >= expires ? ["expired"] : [shown, "expired"]
}

/** Returns a payment without the fields that change after its end: inquiries, and refund sums. */
const facts = (intent: PaymentIntent) => ({ ...intent, version: 0, channel_asks: 0, refunded: 0 })

/** How long a payment is kept that nobody has started to pay. */
const KEPT = 30 * DAY

/** Whether a payer's money arrived for it, at any time and with any outcome. */
const wasPaid = (id: string, model: Model): boolean =>
  model.booksOf(id).count("hold", "capture", "payment") > 0

/** Whether a commit notes that money for a payment came too late, which keeps the payment. */
const notesLateMoney = ({ writes }: Commit, id: string): boolean =>
  writes.some(
    ({ kind, record }) =>
      kind === "discrepancy" &&
      record.payment_intent === id &&
      // Late money that refunds give back as a whole is noted as a contradiction.
      (record.kind === "late_payment" || record.actual === "SUCCESS"),
  )

/** Whether a commit registers access to the payment, or confirms a refund of it: one by one. */
const ordersAccess = ({ writes }: Commit, id: string): boolean =>
  writes.some(
    ({ kind, record }) =>
      (kind === "access_item" && record.payment_intent === id) ||
      (kind === "refund" && record.payment_intent === id && record.status === "succeeded"),
  )

/**
 * Checks that an ended payment stays as it is. Only its later inquiries are counted, up to their
 * end, and its refunds, which invariant 8 adds up. Late money and what decides about access write
 * it, unchanged. If its money came too late, a payment that would be removed now is marked to stay:
 * as if the last inquiry had been made.
 */
const stays: Rule<"intent"> = ({ before, after, at, commit }, model) => {
  if (before === undefined || !isTerminal(before.flow, before.status)) return undefined
  const differs = difference(facts(before), facts(after))
  if (differs !== undefined) return `was changed after it was ${before.status}: ${differs}`
  const [was, now] = [before.channel_asks, after.channel_asks]
  if (was === now && before.refunded.value !== after.refunded.value) return undefined
  if (was === now && notesLateMoney(commit, after.id)) return undefined
  if (was === now && ordersAccess(commit, after.id)) return undefined
  const ended = (before as Stamps).ended_at ?? Infinity
  if (was === null && now !== null && wasPaid(after.id, model)) {
    const age = at - ended
    return age + model.clocksOff < KEPT ? `is kept for good ${age} ms after its end` : undefined
  }
  return was !== null && (now === null || now === was + 1)
    ? undefined
    : `was written without a reason after it was ${before.status}`
}

/** The final statuses of payments that may be removed. A failed payment is an answer, and stays. */
const LEAVING: ReadonlySet<string> = new Set(["expired", "cancelled", "voided"])

/** How many removable payments an account of any plan keeps, and how many are removed at a time. */
const MOST_KEPT = 100_000
const AT_A_TIME = 100

const mayLeave = ({ channel_asks, invoice, status, trade_no, ...rest }: PaymentIntent): boolean =>
  LEAVING.has(status) &&
  (rest as Stamps).scanned_at === undefined &&
  [channel_asks, invoice, trade_no].every((fact) => fact === null)

/** Checks that a payment removed early is among the oldest of more than the account keeps. */
const leavesEarly = (known: PaymentIntent, model: Model): Finding => {
  const kept = [...model.intents.values()].filter(
    ({ record }) =>
      !model.left.has(record.id) && record.account_id === known.account_id && mayLeave(record),
  )
  const endOf = (intent: PaymentIntent) => (intent as Stamps).ended_at ?? Infinity
  const older = kept.filter(({ record }) => endOf(record) < endOf(known)).length
  if (kept.length <= MOST_KEPT - AT_A_TIME) {
    return `was removed although its account keeps ${kept.length} of them`
  }
  return older >= AT_A_TIME ? `was removed before ${older} older ones` : undefined
}

/** Checks that a removed payment ended long enough ago, and that no money ever moved for it. */
const leavesInTime: Rule<"left"> = ({ known, record, at }, model) => {
  if (known === undefined) return "was removed and never there"
  const differs = difference(known, record, ["version"])
  if (differs !== undefined) return `was removed as something else than it is, with ${differs}`
  const { channel_asks, id, invoice, status, trade_no } = known
  const { ended_at, scanned_at } = known as Stamps
  if (!LEAVING.has(status) || ended_at === undefined) return `was removed while it was ${status}`
  if (scanned_at !== undefined || trade_no !== null) return "was removed although it was scanned"
  if (invoice !== null) return "was removed although an invoice shows it"
  if (channel_asks !== null) return "was removed before its channels had answered"
  const { held, taken } = model.booksOf(id)
  if (held !== 0 || taken !== 0) return `was removed while channels held ${held + taken} for it`
  if (model.postedOf(id).isAny) return "was removed although it is in the books"
  const age = at - ended_at
  const finding = age + model.clocksOff < KEPT ? leavesEarly(known, model) : undefined
  return finding === undefined ? undefined : `${finding}, ${age} ms after its end`
}

const capturedInTime: Rule<"entry"> = ({ type, out_trade_no }, model) => {
  const status = model.intents.get(out_trade_no)?.record.status
  return type === "capture" && status !== "capturing"
    ? `was captured at the channel while ${status}`
    : undefined
}

const ofItsFlow: Rule<"intent"> = ({ after }) =>
  !isState(after.flow, after.status)
    ? `is ${after.status}, which its flow does not have`
    : after.flow === "one_time_pay" && after.offers.length > 0
      ? "is a One-Time payment with a QR code"
      : undefined

const livesAsItsFlow: Rule<"intent"> = (seen, model) => {
  const { before, after } = seen
  if (before !== undefined) return undefined
  const lives = after.expires_at - after.created_at
  const due = isOwed(seen) ? DAY : LIFETIME[after.flow]
  if (lives !== due) return `lives ${lives} ms`
  if (isOwed(seen)) return undefined
  const status = model.services.get(after.service_id)?.status
  return status === "active" ? undefined : `was created on a service that is ${status}`
}

const wasThere: Rule<"read"> = ({ id, status, since, askedAt, at }, model) => {
  const known = model.intents.get(id)
  if (known === undefined || status === undefined) return undefined
  const { history, record } = known
  const [from, to] = [askedAt - model.clocksOff, at + model.clocksOff]
  const first = history.findLastIndex(({ step }) => step <= since)
  const possible = history
    .slice(Math.max(first, 0))
    .flatMap((state) => shownFrom(state.status, record.expires_at, from, to))
  return possible.includes(status)
    ? undefined
    : `was shown ${status} while it was ${[...new Set(possible)].join(" or ")}`
}

const readLatest: Rule<"write"> = ({ write: { op, kind, record } }, model) => {
  const version = model.versions.get(`${kind} ${record.id}`)
  if (op === "insert") return version === undefined ? undefined : "was inserted twice"
  return version === record.version
    ? undefined
    : `has version ${version} and was replaced as version ${record.version}`
}

/** The rules about a payment's states and times. */
export const stateRules: Rulebook = {
  12: { intent: onPath },
  13: { intent: stays, left: leavesInTime, write: leavesWithIt },
  14: { intent: beforeExpiry },
  15: { intent: stamped },
  16: { entry: capturedInTime },
  18: { intent: ofItsFlow },
  47: { intent: livesAsItsFlow },
  48: { read: wasThere },
  49: { write: readLatest },
}
