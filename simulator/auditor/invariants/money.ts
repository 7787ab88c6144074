import { MAX_VALUE } from "../../../core/shared/Money.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Refund } from "../../../core/refunds/Refund.ts"
import type { Entry } from "../../channels/Entry.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import type { Model } from "../Model.ts"
import { isCaptured } from "./lifecycle.ts"
import { takenValue } from "./taken.ts"
import { difference, saysTheSame } from "../saysTheSame.ts"

const OPEN: ReadonlyArray<Refund["status"]> = ["pending", "succeeded"]

/** Returns the sum of the refunds in these states, in minor units. */
const valueOf = (
  refunds: ReadonlyArray<Refund>,
  statuses: ReadonlyArray<Refund["status"]>,
): number =>
  refunds.reduce(
    (sum, { amount, status }) => sum + (statuses.includes(status) ? amount.value : 0),
    0,
  )

const takes = ({ type }: Entry): boolean => type === "capture" || type === "payment"

const FROZEN = [
  "account_id",
  "payee_account_id",
  "payer_account_id",
  "service_id",
  "amount",
  "settlement",
  "description",
  "offers",
  "metadata",
  "created_at",
  "expires_at",
  "flow",
] as const satisfies ReadonlyArray<keyof PaymentIntent>

/** The fields that are null until they are known. */
const ONCE_KNOWN = [
  "fees",
  "trade_no",
  "channel",
  "invoice",
  "payee",
] as const satisfies ReadonlyArray<keyof PaymentIntent>

const unchanged: Rule<"intent"> = ({ before, after }) => {
  const { value } = after.amount
  if (!Number.isSafeInteger(value) || value < 1 || value > MAX_VALUE) return `is over ${value}`
  if (!Number.isSafeInteger(after.settlement.value)) return "settles to no whole number"
  if (before === undefined) return undefined
  const changed = FROZEN.find((field) => !saysTheSame(before[field], after[field]))
  if (changed === undefined) return undefined
  const differs = difference({ [changed]: before[changed] }, { [changed]: after[changed] })
  return `changed its ${differs}`
}

/** Checks that what is not known from the beginning is fixed once it is. Not all views have it. */
const keepsKnown: Rule<"write"> = ({ write }, model) => {
  if (write.kind !== "payment_intent") return undefined
  const before = model.intents.get(write.record.id)?.record
  if (before === undefined) return undefined
  const changed = ONCE_KNOWN.find(
    (field) => before[field] !== null && !saysTheSame(before[field], write.record[field]),
  )
  if (changed === undefined) return undefined
  const differs = difference({ [changed]: before[changed] }, { [changed]: write.record[changed] })
  return `changed its ${differs}`
}

/** The types of entries by which a channel takes a payer's money. */
const TAKES: ReadonlySet<Entry["type"]> = new Set(["payment", "capture", "debit"])

const agree: Rule<"rest"> = ({ intent, refunds }, model) => {
  const books = model.booksOf(intent.id)
  const paid = intent.status === "succeeded" || intent.status === "completed"
  const expected = paid ? takenValue(intent) - valueOf(refunds, ["succeeded"]) : 0
  if (books.taken !== expected) {
    return `is ${intent.status} while the channels have ${books.taken} of ${takenValue(intent)}`
  }
  const wrong = refunds.find(
    ({ amount, channel_request: number, status }) =>
      status !== "pending" && !books.gave(number, status === "succeeded" ? amount.value : 0),
  )
  if (wrong !== undefined) return `has ${wrong.id} ${wrong.status}, and its channel otherwise`
  if (!paid || expected === 0) return undefined
  const [charge] = [...books.charges].filter(([, { taken }]) => taken !== 0)
  // A link that was made again at another channel has the same number there; the paid entry
  // decides.
  const at = books.entries.find(
    ({ charge_id, type }) => charge_id === charge?.[0] && TAKES.has(type),
  )
  return at?.channel === intent.channel
    ? undefined
    : `was paid at ${at?.channel} and not where it says`
}

/** Checks that refunds are not more than the money, and never of money that nobody has taken. */
const covered: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind !== "refund") return undefined
  const id = write.record.payment_intent
  const written = commit.writes.find(({ record }) => record.id === id)
  const intent = written?.kind === "payment_intent" ? written.record : model.intents.get(id)?.record
  const value = valueOf(model.refundsOf(id, commit), OPEN)
  if (intent === undefined || value > takenValue(intent)) return `brings refunds to ${value}`
  return write.op !== "insert" || isCaptured(intent.status)
    ? undefined
    : `is a refund of a payment that is ${intent.status}`
}

/** Checks that the refund fields of a payment are the sums of its refunds. */
const summed: Rule<"intent"> = ({ after, commit }, model) => {
  const open = model.refundsOf(after.id, commit).filter(({ status }) => OPEN.includes(status))
  const sum = (part: "settlement" | "service_fee" | "fx_spread") =>
    open.reduce((total, refund) => total + refund[part].value, 0)
  const value = valueOf(open, OPEN)
  const { refunded } = after
  const right =
    refunded.value === value &&
    refunded.settlement === sum("settlement") &&
    refunded.service_fee === sum("service_fee") &&
    refunded.fx_spread === sum("fx_spread") &&
    refunded.partials === open.filter(({ partial }) => partial).length
  if (!right) return `says that ${refunded.value} are refunded, and its refunds say ${value}`
  return value > takenValue(after) ? `has ${takenValue(after) - value} left to refund` : undefined
}

/** Checks that a capture takes the requested amount, which is all unless the payment says less. */
const takesAsked: Rule<"entry"> = (entry, model) => {
  const intent = model.intents.get(entry.out_trade_no)?.record
  if (!takes(entry)) return undefined
  const value = intent && (entry.type === "capture" ? takenValue(intent) : intent.amount.value)
  return value === entry.amount.value && intent?.amount.currency === entry.amount.currency
    ? undefined
    : `was charged ${entry.amount.value} ${entry.amount.currency}`
}

const backWithin: Rule<"entry"> = (entry, model) => {
  const balance = model.booksOf(entry.out_trade_no).charges.get(entry.charge_id)
  const back =
    entry.type === "refund" || entry.type === "reversal"
      ? balance?.taken
      : entry.type === "release" || entry.type === "capture"
        ? balance?.held
        : undefined
  return back !== undefined && back < entry.amount.value
    ? `had ${back} and lost ${entry.amount.value} by a ${entry.type}`
    : undefined
}

const oncePerNumber: Rule<"entry"> = ({ number }, model) =>
  number !== null && (model.entriesOfRequest.get(number) ?? 0) > 0
    ? `saw request ${number} take effect twice`
    : undefined

const nothingHeld: Rule<"rest"> = ({ intent }, model) => {
  const { held } = model.booksOf(intent.id)
  return held === 0 ? undefined : `is ${intent.status} while ${held} are still held`
}

const writtenBefore: Rule<"entry"> = ({ amount, number, type, out_trade_no, charge_id }, model) => {
  if (number === null) return undefined
  const request = model.requests.get(number)
  const action = type === "payment" ? "debit" : type
  return request !== undefined &&
    request.action === action &&
    request.amount.value === amount.value &&
    request.payment_intent === out_trade_no &&
    request.charge_id === charge_id
    ? undefined
    : `saw a ${type} that nobody had written down`
}

const paidOnce = (entry: Entry, model: Model): Finding =>
  takes(entry) && model.booksOf(entry.out_trade_no).entries.some(takes)
    ? "was paid twice"
    : undefined

const chargedOnce = (entry: Entry, model: Model): Finding => {
  if (entry.type !== "charge") return undefined
  const { entries } = model.booksOf(entry.out_trade_no)
  const there = entries.some(({ type, channel }) => type === "charge" && channel === entry.channel)
  return there ? `has two charges at ${entry.channel}` : undefined
}

/** Checks that each offered charge is at its channel, for the right amount, once per channel. */
const offered: Rule<"intent"> = ({ before, after }, model) => {
  if (before !== undefined) return undefined
  const { entries } = model.booksOf(after.id)
  const accepted = model.services.get(after.service_id)?.accepted_channels ?? []
  for (const { channel, charge_id } of after.offers) {
    const entry = entries.find((one) => one.channel === channel && one.charge_id === charge_id)
    if (entry === undefined) return `offers a charge that ${channel} does not know`
    if (entry.amount.value !== after.amount.value) return `offers another amount at ${channel}`
    if (!accepted.includes(channel)) return `offers ${channel}, which its service does not accept`
  }
  const channels = new Set(after.offers.map(({ channel }) => channel))
  return channels.size === after.offers.length ? undefined : "offers one channel twice"
}

/** Checks that of all offered charges only the payment's own was paid, and no other keeps money. */
const onePaid: Rule<"rest"> = ({ intent }, model) => {
  if (intent.flow !== "request_payment") return undefined
  const { charges, entries } = model.booksOf(intent.id)
  const paid = entries.find(takes)
  const stray = [...charges].find(
    ([charge, { held, taken }]) => charge !== paid?.charge_id && held + taken !== 0,
  )
  if (stray !== undefined) return `leaves money on the charge ${stray[0]}`
  if (intent.status !== "succeeded") return undefined
  const chosen = intent.offers.find(({ channel }) => channel === intent.channel)
  return paid !== undefined && chosen?.charge_id === paid.charge_id
    ? undefined
    : `has succeeded at ${intent.channel}, which was not paid`
}

/** The rules about money, checked against the channels' own books. */
export const moneyRules: Rulebook = {
  1: { entry: takesAsked },
  2: { entry: backWithin, write: covered },
  4: { entry: oncePerNumber },
  5: { rest: agree },
  7: { rest: nothingHeld },
  8: { intent: summed },
  9: { intent: unchanged, write: keepsKnown },
  50: { entry: writtenBefore },
  3: { entry: paidOnce },
  17: { entry: chargedOnce, intent: offered, rest: onePaid },
}
