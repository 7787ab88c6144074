import { DAY, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Faults } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import type {
  AccessPlan,
  AftermathPlan,
  ConfusionPlan,
  PayeePlan,
  PayerPlan,
  PaymentPlan,
  RefundPlan,
} from "../world/plans/Plan.ts"
import { type ServicePlan, SERVICES } from "../world/people/Population.ts"
import type { Load, Scenario } from "./Scenario.ts"
import { type PayeePersona, PAYEES, type PayerPersona, PAYERS } from "./Persona.ts"

const TYPES = ["access_token", "session", "license_key"] as const

const drawAccess = (chance: Chance, name: string): AccessPlan => ({
  type: chance.pick(TYPES),
  name,
  scope: chance.hits(0.3) ? chance.pick(["all", "read:summary", "read:full"]) : null,
})

/** Draws what a refund revokes: bought accesses, unregistered ones, and sometimes one twice. */
const drawRevokes = (
  chance: Chance,
  items: AftermathPlan["items"],
  number: number,
): RefundPlan["revokes"] => {
  if (chance.hits(0.4)) return "by_policy"
  if (chance.hits(0.2)) return "nothing"
  const unheard = drawAccess(chance, `unheard-${chance.hits(0.2) ? "shared" : number}`)
  const named = items.map(({ name, type }) => ({ ...drawAccess(chance, name), type }))
  return chance.hits(0.5) ? [...named, unheard] : named.length > 0 ? named : [unheard]
}

const drawRefund = (
  chance: Chance,
  items: AftermathPlan["items"],
  number: number,
  several: () => boolean,
): RefundPlan => ({
  after: chance.wait(MINUTE),
  share: chance.hits(0.8) ? chance.pick([0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.999]) : null,
  parallel: several() ? chance.int(2, 6) : 1,
  keyed: chance.hits(0.8),
  revokes: drawRevokes(chance, items, number),
})

/** Draws more small parts than some channels allow. */
const drawParts = (chance: Chance): ReadonlyArray<RefundPlan> => {
  const part = { share: 0.01, parallel: 1, keyed: false, revokes: "by_policy" } as const
  return Array.from({ length: chance.int(9, 13) }, () => ({ ...part, after: chance.wait(SECOND) }))
}

/** Draws a time around the end of a channel's window, within a moment or within days. */
const drawLate = (chance: Chance): number =>
  chance.hits(0.4) ? chance.int(-1, 1) : chance.int(-DAY, 2 * DAY)

/** The channel with the lowest limit of partial refunds. */
const STRICT = "bank_qr_a"

/** Draws what happens to a payment that was made. */
const drawAftermath = (
  chance: Chance,
  number: number,
  service: ServicePlan,
  persona: PayeePersona,
  hurried: () => boolean,
): AftermathPlan => {
  const several = () => hurried() || chance.hits(persona.refund_races)
  const asks_after = chance.wait(10 * SECOND)
  if (!chance.hits(persona.refunds)) return { items: [], refunds: [], late: null, asks_after }
  const items = Array.from({ length: chance.int(0, 3) }, (_, n) => {
    const { name, type } = drawAccess(chance, `item-${number}-${n}`)
    return { name, type }
  })
  const draw = () => drawRefund(chance, items, number, several)
  if (chance.hits(0.2)) {
    const refunds = chance.hits(0.5) ? [draw()] : []
    return { items, refunds, late: { by: drawLate(chance), refund: draw() }, asks_after }
  }
  const refunds = chance.hits(service.accepted_channels.includes(STRICT) ? 0.5 : 0.1)
    ? drawParts(chance)
    : Array.from({ length: chance.int(1, 4) }, draw)
  return { items, refunds, late: null, asks_after }
}

/** Draws a name by its weight. */
const byWeight = <A extends string>(
  chance: Chance,
  weights: { readonly [K in A]?: number },
  fallback: A,
): A => {
  const items = Object.entries<number>(weights as { readonly [name: string]: number }) as Array<
    [A, number]
  >
  const weighed = items.filter(([, weight]) => weight > 0)
  if (weighed.length === 0) return fallback
  return chance.weighted(weighed.map(([item, weight]) => [weight, item] as const))
}

const personaOf = <P>(
  chance: Chance,
  shares: ReadonlyArray<{ readonly weight: number; readonly persona: string | P }>,
  known: { readonly [name: string]: P },
  fallback: P,
): P => {
  const chosen = chance.weighted(shares.map(({ persona, weight }) => [weight, persona] as const))
  return typeof chosen === "string" ? (known[chosen] ?? fallback) : chosen
}

/** Draws a time at the very edge, or minutes after it. */
const around = (chance: Chance, probability: number): number | null =>
  chance.hits(probability)
    ? chance.int(-1, 1)
    : chance.hits(probability * 0.4)
      ? chance.int(1, 5) * MINUTE
      : null

const drawPayer = (chance: Chance, persona: PayerPersona): PayerPlan => ({
  act: byWeight(chance, persona.acts, "sleeps"),
  scans_after: chance.wait(persona.scans_after_ms),
  decides_after: chance.wait(persona.decides_after_ms),
  around_expiry: around(chance, persona.at_expiry),
  others: chance.hits(persona.opens_others)
    ? chance.pick(["pays", "pays", "rejects", "scans"])
    : null,
})

const drawProbes = (chance: Chance): PayeePlan["probes"] =>
  Array.from({ length: chance.int(1, 3) }, () => ({
    action: chance.pick(["capture", "void", "cancel"]),
    after: chance.int(0, 20 * MINUTE),
  }))

const drawPayee = (chance: Chance, persona: PayeePersona, parallel: boolean): PayeePlan => ({
  act: byWeight(chance, persona.acts, "waits"),
  after: chance.wait(persona.acts_after_ms),
  around_expiry: chance.hits(persona.at_expiry) ? chance.int(-5, 1) : null,
  parallel: parallel ? chance.int(2, 5) : 1,
  again: chance.hits(persona.repeats) ? chance.int(1, 3) : 0,
  keyed: chance.hits(0.7),
  probes: chance.hits(persona.probes) ? drawProbes(chance) : [],
})

const CONFUSIONS = [
  "SCANNED",
  "SUCCESS",
  "REJECTED",
  "INSUFFICIENT_BALANCE",
  "CLOSED",
  "SETTLEMENT_FAILED",
] as const

const drawConfusions = (chance: Chance, faults: Faults): ReadonlyArray<ConfusionPlan> =>
  chance.hits(faults.callback_confused)
    ? Array.from({ length: chance.int(1, 6) }, () => ({
        status: chance.pick(CONFUSIONS),
        after: Math.round(SECOND * 1_200 ** chance.next()),
      }))
    : []

/** Returns the time between the previous payment and this one. */
const gapOf = (chance: Chance, load: Load, number: number, total: number): number => {
  switch (load.shape) {
    case "steady":
      return chance.wait(load.mean_gap_ms)
    case "bursts":
      return number > 0 && number % load.size === 0 ? load.pause_ms : chance.int(0, 5)
    case "ramp": {
      const { from_gap_ms, to_gap_ms } = load
      return chance.wait(from_gap_ms + ((to_gap_ms - from_gap_ms) * number) / total)
    }
  }
}

const serviceOf = (chance: Chance, names: Scenario["services"]): ServicePlan => {
  const [first, ...others] = SERVICES.filter(({ name }) => names?.includes(name) ?? true)
  return chance.pick(first === undefined ? SERVICES : [first, ...others])
}

const valueOf = (chance: Chance, { amount }: Scenario): number => {
  if (amount !== undefined) return chance.int(amount.least, amount.most)
  return chance.hits(0.05) ? chance.pick([1, 1_000_000_000_000]) : chance.int(1, 100_000)
}

/** Lets an impatient client send one of a payment's requests up to fifty times at once. */
const withStampede = (chance: Chance, faults: Faults, plan: PaymentPlan): PaymentPlan => {
  if (!chance.hits(faults.client_stampede)) return plan
  // The logarithm is uniformly distributed, so fifty are rare.
  const parallel = Math.round(10 * 5 ** chance.next())
  const { aftermath, payee } = plan
  const [first, ...others] = aftermath.refunds
  if (first !== undefined && chance.hits(0.5)) {
    return { ...plan, aftermath: { ...aftermath, refunds: [{ ...first, parallel }, ...others] } }
  }
  if (payee.act !== "waits" && (!plan.keyed || chance.hits(0.5))) {
    return { ...plan, payee: { ...payee, parallel, again: 0 } }
  }
  return plan.keyed ? { ...plan, parallel } : plan
}

/** Draws the plan of payment `number` of `total`, from its own random stream. */
export const drawPayment = (
  chance: Chance,
  scenario: Scenario,
  faults: Faults,
  number: number,
  total: number,
): PaymentPlan => {
  const service = serviceOf(chance, scenario.services)
  const payee = personaOf(chance, scenario.payees, PAYEES, PAYEES.typical)
  const flow = chance.hits(scenario.one_time) ? "one_time_pay" : "request_payment"
  const several = () => chance.hits(faults.client_parallel)
  const keyed = chance.hits(scenario.keyed)
  const plan: PaymentPlan = {
    number,
    after: gapOf(chance, scenario.load, number, total),
    flow,
    service: service.name,
    buyer: chance.int(0, 3),
    by: flow === "one_time_pay" || chance.hits(0.7) ? "buyer" : "seller",
    amount: { currency: chance.pick(service.currencies), value: valueOf(chance, scenario) },
    channel: chance.hits(0.3) ? chance.pick([...service.accepted_channels, "auto"] as const) : null,
    keyed,
    parallel: keyed && several() ? chance.int(2, 8) : 1,
    reuses_key: keyed && chance.hits(scenario.reuses_key),
    buys_again: chance.hits(scenario.buys_again),
    nosy_stranger: chance.hits(scenario.nosy),
    payer: drawPayer(chance, personaOf(chance, scenario.payers, PAYERS, PAYERS.typical)),
    payee: drawPayee(chance, payee, several()),
    aftermath: drawAftermath(chance, number, service, payee, several),
    confusions: drawConfusions(chance, faults),
  }
  return withStampede(chance, faults, plan)
}

/** The share of payees who capture a part of the authorized amount. */
const PARTS = 0.15

/** Returns the same plan, with a partial capture sometimes. */
export const withPart = (chance: Chance, plan: PaymentPlan): PaymentPlan => {
  if (plan.flow !== "request_payment" || !chance.hits(PARTS)) return plan
  const part = chance.pick([0.01, 0.25, 1 / 3, 0.5, 0.75, 0.999])
  return { ...plan, payee: { ...plan.payee, part } }
}
