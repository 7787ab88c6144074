import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { periodStart } from "../../../core/installs/SpendCap.ts"
import { centsOf, worthIn } from "../Cents.ts"
import { DECIDES_WITHIN, identities, RANKS } from "../Identities.ts"
import { installs, payerOf } from "../Installs.ts"
import { type Finding, type Invariant, invariant } from "../Invariant.ts"
import type { Model } from "../Model.ts"
import type { Observations } from "../Observation.ts"
import { UNSPENT } from "./lifecycle.ts"

type Step = Observations["intent"]

/** What each level may pay at a time, in cents. */
const AT_ONCE = [1_000, 10_000, 100_000, 1_000_000] as const

/** A level below what is charged, or below what the channel is open to. */
const beyondLevel = ({ after, at }: Step, model: Model): Finding => {
  const { channel, created_at, payer, payer_account_id } = after
  const from = created_at - DECIDES_WITHIN - model.clocksOff
  const known = model.know(identities)
  const rank = known.rankWithin(
    payer_account_id ?? "",
    payer.agent_id ?? "",
    from,
    at + model.clocksOff,
  )
  if (centsOf(after, model) > (AT_ONCE[rank] ?? 0))
    return `is charged past what ${RANKS[rank]} may pay`
  const needed = defaultCatalog.find(({ id }) => id === channel)?.kyc_level ?? "business"
  return RANKS.indexOf(needed) > rank ? `is charged on ${channel} as ${RANKS[rank]}` : undefined
}

/** A payment is charged through an install only where that allows it in this moment. */
const allowed = (seen: Step, model: Model): Finding => {
  const { after, before, commit } = seen
  if (after.status !== "debiting" || before?.status === "debiting") return undefined
  if (before !== undefined) return "is charged after its person was asked"
  const { account_id, amount, payer_account_id } = after
  if (payer_account_id !== account_id) return "is charged to somebody else than its creator"
  const install = model.know(installs).latest(payerOf(after))
  if (install === undefined) return "is charged without an install"
  const { auto_pay_limit: limit, mandate } = install
  if (limit === null || mandate?.status !== "active") return "is charged without a mandate"
  if (amount.currency !== limit.currency) return "is charged in another currency"
  if (amount.value > limit.value) return "is charged more than its limit"
  const isWritten = commit.writes.some(
    ({ kind, record }) =>
      kind === "channel_request" &&
      record.id === after.debit_request &&
      record.mandate === mandate.id &&
      record.channel === mandate.channel,
  )
  return isWritten ? beyondLevel(seen, model) : "is charged through another mandate"
}

/** What was paid without asking was charged. */
const charged = ({ after, before }: Step): Finding =>
  after.status === "completed" &&
  before?.status !== "completed" &&
  after.auto_paid !== (before?.status === "debiting")
    ? "says otherwise of who was asked"
    : undefined

/** What a person is asked to pay is owed already where it is an invoice. */
const isCapped = ({ invoice, status }: Step["after"]): boolean =>
  !UNSPENT.has(status) && (invoice === null || status === "debiting")

/** A cap that holds while a payment is decided bounds it and all that count with it. */
const withinCap = ({ after, at, before }: Step, model: Model): Finding => {
  if (before !== undefined || !isCapped(after)) return undefined
  const known = model.know(installs)
  const payer = payerOf(after)
  const cap = known.throughout(payer, after.created_at - model.clocksOff, at)?.spend_cap_in_force
  if (cap === undefined || cap === null) return undefined
  const { currency, value: most } = cap.amount
  const sum = known
    .countedIn(payer, currency, cap.period, after.created_at)
    .flatMap((id) => model.intents.get(id)?.record ?? [])
    .reduce(
      (total, payment) =>
        total + (UNSPENT.has(payment.status) ? 0 : worthIn(payment, currency, model)),
      worthIn(after, currency, model),
    )
  known.count(payer, currency, after)
  return sum > most ? `brings its agent to ${sum} ${currency} of at most ${most}` : undefined
}

/** An alert tells of what was reached, once a period. */
const alerted = ({ commit, write }: Observations["write"], model: Model): Finding => {
  if (write.kind !== "event" || write.op !== "insert") return undefined
  const { data, subject_id, type } = write.record
  if (type !== "budget.alert") return undefined
  const { percent, spend_cap: cap, spent } = data as typeof data & Alert
  const paid = commit.writes.find(({ kind }) => kind === "payment_intent")
  if (paid?.kind !== "payment_intent") return "is told of no payment"
  if (spent.value * 100 < cap.amount.value * percent) return `tells of ${percent}% too early`
  const period = `${cap.period} ${periodStart(cap.period, paid.record.created_at)}`
  const name = `${subject_id} ${percent} ${period}`
  const { alerted: told } = model.know(installs)
  if (told.has(name)) return `tells of ${percent}% again`
  told.add(name)
  return undefined
}

interface Alert {
  readonly percent: number
  readonly spent: { readonly value: number }
  readonly spend_cap: {
    readonly amount: { readonly value: number }
    readonly period: "daily" | "weekly" | "monthly"
  }
}

/** What may be paid without asking, and within which budget. */
export const installInvariants: ReadonlyArray<Invariant> = [
  invariant(
    11,
    "Auto-paid: the payer's own install, same currency, at most its limit, within the level",
    "One-Time Pay, auto-pay",
    { intent: (seen, model) => allowed(seen, model) ?? charged(seen) },
  ),
  invariant(66, "What an agent spends through an install never passes its cap", "Installs", {
    intent: withinCap,
  }),
  invariant(67, "A budget alert tells of what was reached, once a period", "Installs", {
    write: alerted,
  }),
]
