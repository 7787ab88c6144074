import type { Money } from "../../core/shared/Money.ts"
import { DAY, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Faults } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import { SERVICES, type ServicePlan } from "./Population.ts"

/** What a payer does with the charges that it is shown. */
export interface PayerPlan {
  readonly act: "pays" | "scans" | "rejects" | "lacks_funds" | "is_closed_out" | "sleeps"
  /** Milliseconds until the wallet opens the charge, and from then until the payer decides. */
  readonly scans_after: number
  readonly decides_after: number
  /** Decides that far from `expires_at` instead; null otherwise. */
  readonly around_expiry: number | null
  /** What is done with each further charge that is offered; null leaves them alone. */
  readonly others: PayerPlan["act"] | null
}

/** What a payee does about a payment. */
export interface PayeePlan {
  readonly act: "captures" | "captures_blindly" | "voids" | "cancels" | "contests" | "waits"
  readonly after: number
  readonly around_expiry: number | null
  /** How many requests are sent at once, and how often all of that is done again. */
  readonly parallel: number
  readonly again: number
  readonly keyed: boolean
}

/** One refund of a payment. */
export interface RefundPlan {
  /** Milliseconds after the refund before it is asked for. */
  readonly after: number
  /** Which part of the payment; null for all that is left. */
  readonly share: number | null
  readonly parallel: number
  readonly keyed: boolean
  /** What is to be revoked: what the service's policy says, nothing, or these accesses. */
  readonly revokes: "by_policy" | "nothing" | ReadonlyArray<AccessPlan>
}

/** An access that a payment bought, as the seller knows it, and the scope that a refund takes. */
export interface AccessPlan {
  readonly type: "access_token" | "session" | "license_key"
  readonly name: string
  readonly scope: string | null
}

/** What happens to a payment after it was made. */
export interface AftermathPlan {
  /** What the seller registers as bought. */
  readonly items: ReadonlyArray<Omit<AccessPlan, "scope">>
  readonly refunds: ReadonlyArray<RefundPlan>
  /** A further one, asked for so many milliseconds after the end of the channel's window. */
  readonly late: { readonly by: number; readonly refund: RefundPlan } | null
  /** How long the gate waits before it asks about everything, after each refund. */
  readonly asks_after: number
}

/** One payment's story, decided before it begins. */
export interface PaymentPlan {
  readonly number: number
  /** Milliseconds after the payment before it. */
  readonly after: number
  readonly flow: "request_payment" | "one_time_pay"
  readonly service: ServicePlan
  readonly buyer: number
  readonly by: "buyer" | "seller"
  readonly amount: Money
  readonly channel: string | null
  readonly keyed: boolean
  readonly parallel: number
  /** Sends another body under the same Idempotency-Key afterwards. */
  readonly reuses_key: boolean
  /** A One-Time payment that repeats its purchase under another key. */
  readonly buys_again: boolean
  readonly nosy_stranger: boolean
  readonly payer: PayerPlan
  readonly payee: PayeePlan
  readonly aftermath: AftermathPlan
}

const ARRIVES_AFTER = 1.2 * SECOND

/** A common value, or one at the very edge. */
const around = (chance: Chance): number | null =>
  chance.hits(0.12) ? chance.int(-1, 1) : chance.hits(0.05) ? chance.int(1, 5) * MINUTE : null

const drawPayer = (chance: Chance): PayerPlan => ({
  act: chance.weighted([
    [70, "pays"],
    [7, "rejects"],
    [6, "lacks_funds"],
    [4, "is_closed_out"],
    [5, "scans"],
    [8, "sleeps"],
  ]),
  scans_after: chance.wait(20 * SECOND),
  decides_after: chance.wait(15 * SECOND),
  around_expiry: around(chance),
  others: chance.hits(0.2) ? chance.pick(["pays", "pays", "rejects", "scans"]) : null,
})

const drawPayee = (chance: Chance, parallel: boolean): PayeePlan => ({
  act: chance.weighted([
    [66, "captures"],
    [6, "captures_blindly"],
    [6, "voids"],
    [5, "cancels"],
    [12, "contests"],
    [5, "waits"],
  ]),
  after: chance.wait(30 * SECOND),
  around_expiry: chance.hits(0.15) ? chance.int(-5, 1) : null,
  parallel: parallel ? chance.int(2, 5) : 1,
  again: chance.hits(0.2) ? chance.int(1, 3) : 0,
  keyed: chance.hits(0.7),
})

const TYPES = ["access_token", "session", "license_key"] as const

const drawAccess = (chance: Chance, name: string): AccessPlan => ({
  type: chance.pick(TYPES),
  name,
  scope: chance.hits(0.3) ? chance.pick(["all", "read:summary", "read:full"]) : null,
})

/** What a refund revokes: of what was bought, of what nobody registered, and now and then twice. */
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
  share: chance.hits(0.6) ? chance.pick([0.01, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.999]) : null,
  parallel: several() ? chance.int(2, 6) : 1,
  keyed: chance.hits(0.8),
  revokes: drawRevokes(chance, items, number),
})

/** More small parts than some channels allow. */
const drawParts = (chance: Chance): ReadonlyArray<RefundPlan> => {
  const part = { share: 0.01, parallel: 1, keyed: false, revokes: "by_policy" } as const
  return Array.from({ length: chance.int(9, 13) }, () => ({ ...part, after: chance.wait(SECOND) }))
}

/** Around the end of a channel's window, within a moment or within days. */
const drawLate = (chance: Chance): number =>
  chance.hits(0.4) ? chance.int(-1, 1) : chance.int(-DAY, 2 * DAY)

/** The channel with the lowest limit of partial refunds. */
const STRICT = "bank_qr_a"

const drawAftermath = (
  chance: Chance,
  number: number,
  service: ServicePlan,
  several: () => boolean,
): AftermathPlan => {
  const asks_after = chance.wait(10 * SECOND)
  if (chance.hits(0.5)) return { items: [], refunds: [], late: null, asks_after }
  const items = Array.from({ length: chance.int(0, 3) }, (_, n) => {
    const { name, type } = drawAccess(chance, `item-${number}-${n}`)
    return { name, type }
  })
  const draw = () => drawRefund(chance, items, number, several)
  if (chance.hits(0.2)) {
    const refunds = chance.hits(0.5) ? [draw()] : []
    return { items, refunds, late: { by: drawLate(chance), refund: draw() }, asks_after }
  }
  const refunds = chance.hits(service.accepted_channels.includes(STRICT) ? 0.5 : 0.02)
    ? drawParts(chance)
    : Array.from({ length: chance.int(1, 4) }, draw)
  return { items, refunds, late: null, asks_after }
}

/** The story of payment `number`, from a stream of chance of its own. */
export const drawPayment = (chance: Chance, faults: Faults, number: number): PaymentPlan => {
  const service = chance.pick(SERVICES)
  const flow = chance.hits(0.7) ? "request_payment" : "one_time_pay"
  const several = () => chance.hits(faults.client_parallel)
  const keyed = chance.hits(0.8)
  return {
    number,
    after: chance.wait(ARRIVES_AFTER),
    flow,
    service,
    buyer: chance.int(0, 3),
    by: flow === "one_time_pay" || chance.hits(0.7) ? "buyer" : "seller",
    amount: {
      currency: chance.pick(service.currencies),
      value: chance.hits(0.05) ? chance.pick([1, 1_000_000_000_000]) : chance.int(1, 100_000),
    },
    channel: chance.hits(0.3) ? chance.pick([...service.accepted_channels, "auto"] as const) : null,
    keyed,
    parallel: keyed && several() ? chance.int(2, 8) : 1,
    reuses_key: keyed && chance.hits(0.1),
    buys_again: chance.hits(0.1),
    nosy_stranger: chance.hits(0.05),
    payer: drawPayer(chance),
    payee: drawPayee(chance, several()),
    aftermath: drawAftermath(chance, number, service, several),
  }
}
