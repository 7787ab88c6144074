import { find } from "../../core/channels/Channel.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { Play } from "../../simulator/scenarios/Play.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import type { Recording, SeenPayment } from "./Recording.ts"

/** The largest time of a scenario, in milliseconds: a year. */
const LONGEST = 31_536_000_000

const within = (millis: number): number => Math.min(LONGEST, Math.max(0, Math.round(millis)))

/** Returns the milliseconds from one moment to a later one; undefined if either is unknown. */
const between = (
  from: string | null | undefined,
  to: string | null | undefined,
): number | undefined => {
  const millis = Date.parse(to ?? "") - Date.parse(from ?? "")
  return Number.isNaN(millis) ? undefined : within(millis)
}

const FAILURES: { readonly [code: string]: Play["payer"]["act"] } = {
  INSUFFICIENT_BALANCE: "lacks_funds",
  CHANNEL_CLOSED: "is_closed_out",
}

const PAID = new Set(["authorized", "captured", "succeeded", "completed"])

/** Returns the payer's action, from the last shown state of the payment. */
const actOf = ({ payer, shown }: SeenPayment): Play["payer"]["act"] => {
  if (payer !== undefined) return payer
  const { authorized_at, failure_code, scanned_at, status } = shown
  if (PAID.has(status) || typeof authorized_at === "string") return "pays"
  if (status === "failed") return FAILURES[failure_code ?? ""] ?? "rejects"
  return status === "scanning" || typeof scanned_at === "string" ? "scans" : "sleeps"
}

const payerOf = (payment: SeenPayment): Play["payer"] => {
  const { authorized_at, created_at, scanned_at, succeeded_at } = payment.shown
  return {
    act: actOf(payment),
    scans_after_ms: between(created_at, scanned_at) ?? 0,
    decides_after_ms: between(scanned_at ?? created_at, authorized_at ?? succeeded_at) ?? 0,
  }
}

const payeeOf = ({ at, payee, shown }: SeenPayment): Play["payee"] => {
  if (payee === undefined) return { act: "waits", after_ms: 0 }
  const { act, at: acted, captures } = payee
  const later = act === "captures" ? between(shown.authorized_at, shown.captured_at) : undefined
  const after_ms = later ?? within(acted - at)
  return { act, after_ms, ...(captures !== undefined && { captures }) }
}

const refundsOf = ({ at, payee, refunds }: SeenPayment): Play["refunds"] =>
  refunds.map(({ at: asked, ...refund }, n) => ({
    ...refund,
    after_ms: within(asked - (refunds[n - 1]?.at ?? payee?.at ?? at)),
  }))

const playOf = (payment: SeenPayment, before: SeenPayment | undefined): Play => {
  const { buyer, by, flow, keyed, shown } = payment
  const known = find(defaultCatalog, shown.channel ?? "")
  return {
    after_ms: between(before?.shown.created_at, shown.created_at) ?? 0,
    flow,
    by,
    buyer,
    amount: shown.amount,
    channel: known === undefined ? null : shown.channel,
    keyed,
    payer: payerOf(payment),
    payee: payeeOf(payment),
    refunds: refundsOf(payment),
  }
}

/** Returns the share, from 0 to 1, with three digits. */
const shareOf = (plays: ReadonlyArray<Play>, isOne: (play: Play) => boolean): number =>
  Math.round((1_000 * plays.filter(isOne).length) / plays.length) / 1_000

const meanOf = (values: ReadonlyArray<number>): number =>
  Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length))

/** Returns the frequencies of the actions as weights. */
const weightsOf = <A extends string>(acts: ReadonlyArray<A>): { readonly [K in A]?: number } => {
  const counts: { [K in A]?: number } = {}
  for (const act of acts) counts[act] = (counts[act] ?? 0) + 1
  return counts
}

/** Returns personas from which a similar mix could be drawn. */
const personasOf = (plays: ReadonlyArray<Play>) => ({
  payers: [
    {
      weight: 1,
      persona: {
        about: "As recorded",
        acts: weightsOf(plays.map(({ payer }) => payer.act)),
        scans_after_ms: meanOf(plays.map(({ payer }) => payer.scans_after_ms)),
        decides_after_ms: meanOf(plays.map(({ payer }) => payer.decides_after_ms)),
        at_expiry: 0,
        opens_others: 0,
      },
    },
  ] as const,
  payees: [
    {
      weight: 1,
      persona: {
        about: "As recorded",
        acts: weightsOf(plays.map(({ payee }) => payee.act)),
        acts_after_ms: meanOf(plays.map(({ payee }) => payee.after_ms)),
        at_expiry: 0,
        repeats: 0,
        probes: 0,
        refunds: shareOf(plays, ({ refunds }) => refunds.length > 0),
        refund_races: 0,
      },
    },
  ] as const,
})

/** Returns the scenario of the recording; undefined if there was no payment. */
export const scenarioFrom = (recording: Recording, name: string): Scenario | undefined => {
  const made = recording.payments.toSorted(
    (a, b) => Date.parse(a.shown.created_at) - Date.parse(b.shown.created_at),
  )
  const [first, ...others] = made.map((payment, n) => playOf(payment, made[n - 1]))
  if (first === undefined) return undefined
  const plays = [first, ...others] as const
  return {
    name,
    about: "Recorded: each payment as it went. Without plays, a like mix is drawn of the rest",
    payments: plays.length,
    start: made[0]?.shown.created_at ?? "",
    load: { shape: "steady", mean_gap_ms: Math.max(1, meanOf(others.map((one) => one.after_ms))) },
    ...personasOf(plays),
    one_time: shareOf(plays, ({ flow }) => flow === "one_time_pay"),
    keyed: shareOf(plays, ({ keyed }) => keyed),
    reuses_key: 0,
    buys_again: 0,
    nosy: 0,
    faults: { base: "none" },
    plays,
    ...(recording.subscriptions > 0 && { subscribed_months: 1 }),
  }
}
