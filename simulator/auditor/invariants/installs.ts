// Written independently of core/installs on purpose: see Model.ts.

import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { CapPeriod } from "../../../core/installs/SpendCap.ts"
import { centsOf, worthIn } from "./exchange.ts"
import { DECIDES_WITHIN, identities, RANKS } from "../Identities.ts"
import type { Observations, Rule, Rulebook } from "../Observation.ts"
import { UNSPENT } from "./lifecycle.ts"
import { countedOf } from "./taken.ts"
import type { Install } from "../../../core/installs/Install.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import type { Write } from "../../../core/ports/Store.ts"
import { DAY, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import { levelLimits } from "../LevelLimits.ts"

/** 1970 began on a Thursday. */
const FROM_MONDAY = 3

/** Names the period of a time: its day, its week from Monday, or its month, by UTC. */
export const periodAt = (period: CapPeriod, at: Timestamp): string => {
  const day = Math.floor(at / DAY)
  if (period === "daily") return `${day}`
  return period === "weekly" ? `${Math.floor((day + FROM_MONDAY) / 7)}` : toIso(at).slice(0, 7)
}

/** The periods of caps. */
export const PERIODS = ["daily", "weekly", "monthly"] as const satisfies ReadonlyArray<CapPeriod>

interface Stored {
  /** Undefined after its removal. */
  readonly install: Install | undefined
  readonly from: Timestamp
}

type Payer = Pick<PaymentIntent, "payer" | "payer_account_id" | "service_id">

/** Returns the name of the install through which a payment would be made. */
export const payerOf = ({ payer, payer_account_id, service_id }: Payer): string =>
  `${payer_account_id} ${payer.agent_id} ${service_id}`

/** Installs, and the payments that count against their caps. */
class Installs {
  readonly #stored = new Map<string, Array<Stored>>()
  /** The counting payments, by payer, currency of the cap, and period. */
  readonly #counted = new Map<string, Array<string>>()
  /** The services that somebody has installed with a cap in another currency than dollars. */
  readonly cappedAbroad = new Set<string>()
  /** The payments that are being charged now. */
  readonly charging = new Set<string>()

  /** Returns the install as it was stored last. */
  latest(payer: string): Install | undefined {
    return this.#stored.get(payer)?.at(-1)?.install
  }

  /** Returns the install if it existed unchanged for all of that time; otherwise undefined. */
  throughout(payer: string, from: Timestamp, to: Timestamp): Install | undefined {
    const stored = this.#stored.get(payer)?.findLast((known) => known.from < from)
    const changed = this.#stored.get(payer)?.some((known) => from <= known.from && known.from <= to)
    return changed === true ? undefined : stored?.install
  }

  /** Returns the payments that count against a cap of that currency in the period of that time. */
  countedIn(payer: string, currency: string, period: CapPeriod, at: Timestamp) {
    return this.#counted.get(`${payer} ${currency} ${period} ${periodAt(period, at)}`) ?? []
  }

  count(payer: string, currency: string, { created_at, id }: PaymentIntent): void {
    for (const period of PERIODS) {
      const name = `${payer} ${currency} ${period} ${periodAt(period, created_at)}`
      const counted = this.#counted.get(name)
      if (counted === undefined) this.#counted.set(name, [id])
      else counted.push(id)
    }
  }

  learn({ kind, op, record }: Write, at: Timestamp): void {
    if (kind === "payment_intent") {
      if (record.status === "debiting") this.charging.add(record.id)
      else this.charging.delete(record.id)
    }
    if (kind !== "install") return
    const { account_id, agent_id, service_id } = record
    const payer = `${account_id} ${agent_id} ${service_id}`
    const { spend_cap, spend_cap_in_force: inForce } = record
    if ([spend_cap, inForce].some((cap) => cap !== null && cap.amount.currency !== "USD")) {
      this.cappedAbroad.add(service_id)
    }
    const stored = this.#stored.get(payer) ?? []
    stored.push({ install: op === "remove" ? undefined : record, from: at })
    this.#stored.set(payer, stored)
  }
}

/** The auditor's knowledge about installs. */
export const installs = knowledge("installs", Installs, (known, write, at) =>
  known.learn(write, at),
)

type Step = Observations["intent"]

/** Checks that the payer's level covers the amount and the channel. */
const beyondLevel: Rule<"intent"> = ({ after, at }, model) => {
  const { channel, created_at, payer, payer_account_id } = after
  const from = created_at - DECIDES_WITHIN - model.clocksOff
  const known = model.know(identities)
  const rank = known.rankWithin(
    payer_account_id ?? "",
    payer.agent_id ?? "",
    from,
    at + model.clocksOff,
  )
  if (centsOf(after, model) > (model.know(levelLimits).atOnce[rank] ?? 0))
    return `is charged past what ${RANKS[rank]} may pay`
  const needed = defaultCatalog.find(({ id }) => id === channel)?.kyc_level ?? "business"
  return RANKS.indexOf(needed) > rank ? `is charged on ${channel} as ${RANKS[rank]}` : undefined
}

/** Checks that a payment is charged through an install only if that allows it at the moment. */
const allowed: Rule<"intent"> = (seen, model) => {
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

/** Checks that a payment without a person's confirmation was charged. */
const charged: Rule<"intent"> = ({ after, before }) =>
  after.status === "completed" &&
  before?.status !== "completed" &&
  after.auto_paid !== (before?.status === "debiting")
    ? "says otherwise of who was asked"
    : undefined

/** Whether caps apply to the payment. A person may always pay an invoice, which is owed already. */
export const isCapped = ({ invoice, status }: Step["after"]): boolean =>
  !UNSPENT.has(status) && (invoice === null || status === "debiting")

/** Checks that a cap limits the sum of a payment and all that count with it. */
const withinCap: Rule<"intent"> = ({ after, at, before }, model) => {
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
        total +
        (UNSPENT.has(payment.status) ? 0 : countedOf(payment, worthIn(payment, currency, model))),
      worthIn(after, currency, model),
    )
  known.count(payer, currency, after)
  return sum > most ? `brings its agent to ${sum} ${currency} of at most ${most}` : undefined
}

/** The rules about payments without a person's confirmation, and their caps. */
export const installRules: Rulebook = {
  11: { intent: (seen, model) => allowed(seen, model) ?? charged(seen, model) },
  66: { intent: withinCap },
}
