import { Effect, Exit } from "effect"
import { settlePayment, verifyPayment } from "../../adapters/http/x402/settle.ts"
import type { FacilitatorRequest, SettleResponse } from "../../adapters/shared/x402/Wire.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import { redeemProof } from "../../core/challenges/redeemProof.ts"
import { captureIntent } from "../../core/payments/captureIntent.ts"
import { voidIntent } from "../../core/payments/endIntent.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { heldPayments as known, heldRules } from "../auditor/invariants/held.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payShown } from "./payShown.ts"
import { begin, type Proven, SOLD } from "./provenPayments.ts"

/** How a payment is captured: by x402's schemes, the second in both flows, and by MPP's intent. */
const WAYS = ["upto", "escrow", "authorization", "authorize"] as const
type Way = (typeof WAYS)[number]

/** How many purchases are made, the first of them by two payments. */
const PURCHASES = 3

/** How often each payment is shown and captured. */
const TURNS = 3

/** A payment of which at most a maximum is captured, by usage. */
interface Held extends Proven {
  readonly way: Way
  /** The buyer, if it is the buyer's own payment; undefined if the seller requested it. */
  readonly buyer: Caller | undefined
  /** The client's identifier of its purchase. */
  readonly purchase: string
  /** The used amount, in minor units, which the seller usually captures. */
  readonly used: number
  readonly chance: Chance
}

/** By scene: every payment that was begun. */
const everyHeld = new WeakMap<Scene["people"], Array<Held>>()

/** Returns the order of a seller's server to the facilitator. */
const orderOf = (
  { bound, id, purchase, token, way }: Held,
  value: number,
  type?: "capture" | "void",
): FacilitatorRequest => {
  const { amount, resource, service_id } = bound
  const accepted = {
    scheme: way === "upto" ? "upto" : "auth-capture",
    network: "payport:sandbox",
    amount: String(amount.value),
    asset: amount.currency,
    payTo: service_id,
    maxTimeoutSeconds: 3_600,
    extra: { resource, ...(way === "authorization" && { paymentFlow: way }) },
  }
  const extensions = { "payment-identifier": { info: { required: true, id: purchase } } }
  const payload = { payment_intent: id, token, ...(type !== undefined && { type }) }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted, payload, extensions },
    paymentRequirements: { ...accepted, amount: String(value) },
  }
}

const letIn = ({ auditor }: Scene, { id }: Held, door: string) => {
  auditor.see("passed", id, { payment_intent: id, door })
}

const purchased = ({ auditor }: Scene, { id, purchase }: Held, door: string) => {
  auditor.see("purchased", purchase, { purchase, payment_intent: id, door })
}

const tell = ({ auditor }: Scene, { id }: Held, asked: number | null, value: number) => {
  auditor.see("told_of_hold", id, { payment_intent: id, asked, told: { value } })
}

/**
 * Orders the facilitator to hold, capture an amount, or release. A hold lets one request through,
 * and so does a settlement under one key; later orders let none through.
 */
const settle = (
  scene: Scene,
  held: Held,
  value: number,
  key: string | null,
  type?: "capture" | "void",
) => {
  const { client, doors } = scene
  const { id, seller, way } = held
  const body = orderOf(held, value, type)
  const holds = way === "escrow" && type === undefined
  const door = way === "escrow" ? "held" : "upto"
  const verb = Effect.onExit(settlePayment(seller, body), (exit) =>
    Effect.sync(() => {
      if (Exit.isFailure(exit)) return
      const { amount, success }: SettleResponse = exit.value
      const opens = type === undefined && (holds || key !== null)
      if (opens && doors[door](success)) letIn(scene, held, door)
      if (!success) return
      purchased(scene, held, door)
      tell(scene, held, holds ? null : type === "void" ? 0 : value, Number(amount))
    }),
  )
  const route = "POST /v1/x402/settle"
  const keyed = key === null ? null : `${key} of ${id}`
  return client.send({ caller: seller, route, body, key: keyed, verb })
}

/** Shows it to the seller's own endpoint, which captures at once or later. */
const show = (scene: Scene, held: Held, capture: "at_once" | "later", key: string | null) => {
  const { client, doors } = scene
  const { bound, id, purchase, seller, token } = held
  const shown = { ...bound, token, payment_identifier: purchase, capture }
  const door = capture === "later" ? "authorize" : "mpp"
  const verb = Effect.onExit(redeemProof(seller, id, shown), (exit) =>
    Effect.sync(() => {
      const accepted = Exit.isSuccess(exit)
      const isFirst = accepted && !exit.value.repeated
      // A response that the buyer does not receive lets nothing through, whatever the door decides.
      if (doors[door](isFirst)) letIn(scene, held, door)
      if (!accepted) return
      purchased(scene, held, door)
      if (exit.value.capture_before !== null) tell(scene, held, null, bound.amount.value)
    }),
  )
  const route = `POST /v1/payment-challenges/${id}/redeem`
  const keyed = key === null ? null : `${key} of ${id}`
  return client.send({ caller: seller, route, body: shown, key: keyed, verb })
}

/** Captures a part as the seller, or voids it, like any other payment. */
const finish = (scene: Scene, held: Held, value: number, key: string) => {
  const { bound, id, seller } = held
  const action = value === 0 ? "void" : "capture"
  const body = value === 0 ? {} : { amount: { currency: bound.amount.currency, value } }
  const asked = value === 0 ? voidIntent(seller, id) : captureIntent(seller, id, body)
  const verb = Effect.tap(asked, ({ captured_amount, status }) =>
    Effect.sync(() => {
      if (status === "voided") tell(scene, held, 0, 0)
      if (status !== "captured" && status !== "succeeded") return
      tell(scene, held, value, captured_amount?.value ?? bound.amount.value)
    }),
  )
  return scene.client.send({
    caller: seller,
    route: `POST /v1/payment-intents/${id}/${action}`,
    body,
    key: `${action} ${value} ${key} of ${id}`,
    moves: { id, event: value === 0 ? "voided" : "capture_requested" },
    verb,
  })
}

/** Cancels the buyer's own payment, unless somebody has accepted it. */
const giveUp = ({ client }: Scene, { id }: Held, buyer: Caller) =>
  client.send({
    caller: buyer,
    route: `POST /v1/payment-intents/${id}/void`,
    body: {},
    key: null,
    moves: { id, event: "voided" },
    verb: voidIntent(buyer, id),
  })

const verify = ({ client }: Scene, held: Held) => {
  const { bound, seller } = held
  const body = orderOf(held, bound.amount.value)
  const verb = verifyPayment(seller, body)
  return client.send({ caller: seller, route: "POST /v1/x402/verify", body, key: null, verb })
}

/** Ends the payment as the seller that was shown it: captures what was used, or nothing. */
const end = (scene: Scene, held: Held, value: number, key: string) => {
  switch (held.way) {
    case "upto":
    case "authorization":
      return settle(scene, held, value, key)
    case "escrow":
      return value === 0
        ? settle(scene, held, held.bound.amount.value, key, "void")
        : settle(scene, held, value, key, "capture")
    case "authorize":
      return finish(scene, held, value, key)
  }
}

/** Requests the hold, if the payment is held first. */
const hold = (scene: Scene, held: Held, key: string | null) =>
  held.way === "escrow"
    ? settle(scene, held, held.bound.amount.value, key)
    : held.way === "authorize"
      ? show(scene, held, "later", key)
      : Effect.asVoid(verify(scene, held))

/** Plays one turn: hold and capture, by several at once that may want different amounts. */
const turn = (scene: Scene, held: Held, n: number) => {
  const { bound, buyer, chance, used } = held
  const key = (what: string) => (chance.hits(0.7) ? `${what} ${n}` : null)
  const acts: Array<Effect.Effect<unknown, never, Effect.Services<ReturnType<typeof hold>>>> = []
  const first = n === 0 ? chance.int(1, 3) : chance.int(0, 1)
  for (let time = 0; time < first; time += 1) acts.push(hold(scene, held, key(`holds ${time}`)))
  if (buyer !== undefined && chance.hits(n === 1 ? 0.4 : 0.1)) acts.push(giveUp(scene, held, buyer))
  if (n > 0 || chance.hits(0.3)) {
    acts.push(end(scene, held, used, `ends ${n}`))
    if (chance.hits(0.3)) acts.push(end(scene, held, used, `ends again ${n}`))
    const other = chance.pick([0, bound.amount.value, chance.int(1, bound.amount.value)])
    if (chance.hits(0.3)) acts.push(end(scene, held, other, `ends otherwise ${n}`))
  }
  if (chance.hits(0.2)) acts.push(show(scene, held, "at_once", key("shows")))
  return atOnce(acts)
}

/** Repeats everything when the faults have ended; it has only one outcome. */
const again = (scene: Scene, held: Held) =>
  Effect.gen(function* () {
    yield* hold(scene, held, "holds at last")
    yield* end(scene, held, held.used, "ends at last")
    yield* atOnce([show(scene, held, "at_once", null), end(scene, held, 0, "gives up at last")])
  })

const buy = Effect.fnUntraced(function* (scene: Scene, n: number) {
  const { people, stage } = scene
  const chance = stage.chance(`held purchase ${n}`)
  const seller = people.sellers[SOLD.seller]
  const service_id = people.services.get(SOLD.name)
  const buyer = people.buyers[0]
  if (seller === undefined || service_id === undefined || buyer === undefined) return
  const amount = { currency: SOLD.currencies[0], value: chance.int(100, 900) }
  const bound = { service_id, amount, resource: `https://seller.example/held/${n}` }
  const purchase = `held_${String(n).padStart(16, "0")}`
  const way = WAYS[n % WAYS.length] ?? "upto"
  yield* Effect.sleep(chance.wait(MINUTE))
  const payments = Array.from({ length: n === 1 ? 2 : 1 }, (_, nth) =>
    Effect.gen(function* () {
      const used = chance.pick([0, amount.value, chance.int(1, amount.value), 1])
      const payer = way === "authorize" ? undefined : buyer
      const asked = { buyer: payer, key: `${purchase} ${nth}` }
      const made = yield* begin(scene, seller, bound, asked)
      if (made === undefined) return
      const held: Held = { ...made, way, buyer: payer, purchase, used, chance }
      everyHeld.set(people, [...(everyHeld.get(people) ?? []), held])
      yield* payShown(scene, held, chance, 0.9)
      for (let time = 0; time < TURNS; time += 1) {
        yield* Effect.sleep(chance.wait(chance.hits(0.15) ? 10 * MINUTE : 15 * SECOND))
        yield* turn(scene, held, time)
      }
      scene.later.push(again(scene, held))
    }),
  )
  yield* atOnce(payments)
})

const inspect = ({ auditor, people }: Scene) =>
  Effect.sync(() => {
    const held = everyHeld.get(people) ?? []
    for (const { id } of held) auditor.see("hold_at_rest", id, { payment_intent: id })
    for (const purchase of new Set(held.map((one) => one.purchase))) {
      const payments = held.filter((one) => one.purchase === purchase).map(({ id }) => id)
      auditor.see("charged", purchase, { purchase, payments })
    }
  })

/** Payments that are held first and captured later, or captured by usage, in part or not at all. */
export const heldPayments: Part = {
  name: "held payments",
  heavy: 0.1,
  large: 0.5,
  rules: heldRules,
  knowledge: [known],
  errands: (scene) => {
    const first = scene.stage.chance("held purchases").int(0, WAYS.length - 1)
    return Array.from({ length: PURCHASES }, (_, n) => buy(scene, first + n))
  },
  inspect,
}
