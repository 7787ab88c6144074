import { DAY, fromIso } from "../../../core/shared/Timestamp.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { chargedFor, inProportion, settledFor, takenValue } from "./taken.ts"
import { difference } from "../saysTheSame.ts"

/** Checks that a journal balances, is complete in its commit, and is new. */
const balanced: Rule<"commit"> = ({ commit }, model) => {
  const sums = new Map<string, number>()
  for (const { amount, currency, id, journal } of commit.postings ?? []) {
    if (model.posted.has(id)) return `posted ${id} again`
    if (model.journals.has(journal)) return `added to the journal ${journal}`
    const name = `${journal} ${currency}`
    sums.set(name, (sums.get(name) ?? 0) + amount)
  }
  for (const [name, sum] of sums) if (sum !== 0) return `posted ${name}, which sums to ${sum}`
  return undefined
}

/** Checks that the books hold exactly the rows that were written into them. */
const unchanged: Rule<"entries"> = ({ account, rows }, model) => {
  const written = [...model.posted.values()].filter(({ account_id }) => account_id === account)
  const there = new Map(rows.map((row) => [row.id, row]))
  for (const row of written) {
    const stored = there.get(row.id)
    if (stored === undefined) return `has lost the row ${row.id}`
    const differs = difference(row, stored)
    if (differs !== undefined) return `has another row ${row.id}, with ${differs}`
  }
  return rows.length === written.length
    ? undefined
    : `has ${rows.length} rows where ${written.length} were written`
}

const PAID: ReadonlyArray<string> = ["succeeded", "completed"]

/** A payment that was refunded before it could be settled counts as paid: its refunds stand. */
const isCharged = ({ refunded, status }: PaymentIntent): boolean =>
  PAID.includes(status) || (status === "failed" && refunded.value > 0)

const chargedOnSuccess: Rule<"commit"> = ({ commit }, model) => {
  for (const { kind, payment_intent } of commit.postings ?? []) {
    if (kind !== "fees") continue
    const write = commit.writes.find(({ record }) => record.id === payment_intent)
    const paid = write?.kind === "payment_intent" && isCharged(write.record)
    if (!paid) return `charged ${payment_intent} for something else than its success`
    if (model.postedOf(payment_intent ?? "").has("fees")) return `charged ${payment_intent} twice`
  }
  return undefined
}

/** Checks that the refunded and pending part of the fee is never more than the fee. */
const feesWithin: Rule<"intent"> = ({ after }) => {
  const { service } = chargedFor(after)
  return after.refunded.service_fee > service
    ? `gives ${after.refunded.service_fee} back of a fee of ${service}`
    : undefined
}

/**
 * Checks that refunds give back the service's fee and the spread in proportion to their amounts:
 * exactly, or with the rounding of each refund once one of them has failed.
 */
const feesInProportion: Rule<"intent"> = ({ after, commit }, model) => {
  const { service_fee, value, fx_spread } = after.refunded
  const refunds = model.refundsOf(after.id, commit)
  const isEven = refunds.every(({ status }) => status !== "failed")
  const most = isEven ? 0 : refunds.length
  const { service, spread } = chargedFor(after)
  const share = (whole: number) => inProportion(whole, value, takenValue(after))
  if (Math.abs(service_fee - share(service)) > most) {
    return `gives ${service_fee} of its fee back for ${value}, not ${share(service)}`
  }
  return Math.abs(fx_spread - share(spread)) > most
    ? `gives ${fx_spread} of its spread back for ${value}, not ${share(spread)}`
    : undefined
}

/** Checks that a fully refunded payment leaves its payee and payport only the channel's fee. */
const whole: Rule<"rest"> = ({ intent, refunds }, model) => {
  const done = refunds.filter(({ status }) => status === "succeeded")
  const value = done.reduce((sum, { amount }) => sum + amount.value, 0)
  if (!PAID.includes(intent.status) || value !== takenValue(intent)) return undefined
  const posted = model.postedOf(intent.id)
  const kept = (["merchant_wallet", "fx", "fx_spread", "service_fees"] as const).find(
    (account) => !posted.isEmpty(account),
  )
  return kept === undefined ? undefined : `was refunded as a whole, and left something on ${kept}`
}

/** Checks that the ledger agrees with the payment, its fees and its refunds. */
export const settledUp: Rule<"rest"> = ({ intent, refunds }, model) => {
  const posted = model.postedOf(intent.id)
  if (!posted.isEmpty("payer_clearing")) return "left a payer's money in the clearing"
  if (!posted.isEmpty("refunds")) return "left money set aside for refunds"
  const isPaid = PAID.includes(intent.status)
  const back = (part: "settlement" | "service_fee") =>
    refunds.reduce(
      (sum, refund) => sum + (refund.status === "succeeded" ? refund[part].value : 0),
      0,
    )
  const earned = isPaid ? settledFor(intent) - back("settlement") : 0
  const wallet = -posted.on("merchant_wallet", intent.settlement.currency)
  if (wallet !== earned) return `brought ${wallet} into the wallet and not ${earned}`
  const { channel, service } = chargedFor(intent)
  const due = isPaid ? service + channel - back("service_fee") : 0
  const owed = posted.on("fees_due", intent.settlement.currency)
  return owed === due ? undefined : `was charged ${owed} and not ${due}`
}

const agree: Rule<"rest"> = (seen, model) => {
  const { amount, id } = seen.intent
  const { taken } = model.booksOf(id)
  const ours = model.postedOf(id).on("channel_clearing", amount.currency)
  return ours === taken
    ? settledUp(seen, model)
    : `has ${ours} in the ledger while the channels have ${taken}`
}

const feesPaid: Rule<"rest"> = ({ intent }, model) =>
  model.postedOf(intent.payee_account_id).isEmpty("fees_due")
    ? undefined
    : "is of a payee that still owes fees"

/** Checks that the fees of a day leave the wallet when it is over, and not before. */
const afterItsDay: Rule<"write"> = ({ at, write }, { clocksOff }) => {
  if (write.kind !== "fee_day" || write.op !== "replace" || write.record.due_at !== null) {
    return undefined
  }
  const end = (fromIso(`${write.record.day}T00:00:00Z`) ?? 0) + DAY
  return at + clocksOff < end
    ? `takes the fees of its day ${end - at} ms before its end`
    : undefined
}

/** The rules about the ledger, checked against the stored rows. */
export const ledgerRules: Rulebook = {
  6: { commit: balanced, entries: unchanged },
  10: {
    commit: chargedOnSuccess,
    intent: (seen, model) => feesWithin(seen, model) ?? feesInProportion(seen, model),
    rest: whole,
  },
  55: { rest: agree },
  56: { rest: feesPaid, write: afterItsDay },
}
