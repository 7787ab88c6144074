import { Effect, Exit } from "effect"
import { settlePayment, verifyPayment } from "../../adapters/http/x402/settle.ts"
import type { FacilitatorRequest } from "../../adapters/shared/x402/Wire.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import { callToolProven } from "../../core/agents/callTool.ts"
import { redeemProof } from "../../core/challenges/redeemProof.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import {
  namedPurchaseRules,
  namedPurchases as known,
} from "../auditor/invariants/namedPurchases.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payShown } from "./payShown.ts"
import { begin as beginProven, type Bound, type Proven, SOLD } from "./provenPayments.ts"

/** Returns the name of the seller's tool, which is one of the doors. */
const toolOf = (service_id: string): string => `${service_id}__pay_one_time`

/** How many purchases are made, each by several payments at once. */
const PURCHASES = 2

/** How often each payment is shown. */
const TURNS = 3

/** A purchase that is made once, however many payments are begun for it. */
interface Purchase {
  readonly name: string
  readonly seller: Caller
  readonly bound: Bound
  readonly chance: Chance
}

/** A payment that was begun for a purchase. */
interface Begun extends Purchase, Proven {
  /** The buyer, if it is the buyer's own payment; undefined if the seller requested it. */
  readonly buyer: Caller | undefined
}

/** By scene: every payment that was begun for each purchase. */
const everyBegun = new WeakMap<Scene["people"], Array<Begun>>()

/** Begins a payment, at the seller's 402 or as the buyer at the facilitator. */
const begin = Effect.fnUntraced(function* (scene: Scene, purchase: Purchase, n: number) {
  const { bound, chance, name, seller } = purchase
  const payer = scene.people.buyers[0]
  if (payer === undefined) return undefined
  yield* Effect.sleep(chance.wait(20 * SECOND))
  const buyer = n % 2 === 0 ? undefined : payer
  const made = yield* beginProven(scene, seller, bound, { buyer, key: `begins ${name} ${n}` })
  if (made === undefined) return undefined
  const begun: Begun = { ...purchase, ...made, buyer }
  const { people } = scene
  everyBegun.set(people, [...(everyBegun.get(people) ?? []), begun])
  return begun
})

/** Shows it to the seller's own paid endpoint. */
const showAtDoor = (scene: Scene, begun: Begun, key: string | null) => {
  const { auditor, client } = scene
  const { bound, id, name, seller, token } = begun
  const shown = { ...bound, token, payment_identifier: name }
  const verb = Effect.tap(redeemProof(seller, id, shown), ({ repeated }) =>
    Effect.sync(() => {
      auditor.see("purchased", name, { purchase: name, payment_intent: id, door: "402" })
      if (repeated) return
      if (scene.doors.x402(true)) auditor.see("passed", id, { payment_intent: id, door: "x402" })
    }),
  )
  const route = `POST /v1/payment-challenges/${id}/redeem`
  return client.send({ caller: seller, route, body: shown, key, verb })
}

const payloadOf = ({ bound, id, name, token }: Begun): FacilitatorRequest => {
  const { amount, resource, service_id } = bound
  const required = {
    scheme: "exact",
    network: "payport:sandbox",
    amount: String(amount.value),
    asset: amount.currency,
    payTo: service_id,
    maxTimeoutSeconds: 3_600,
    extra: { resource },
  }
  const extensions = { "payment-identifier": { info: { required: true, id: name } } }
  const payload = { payment_intent: id, token }
  return {
    x402Version: 2,
    paymentPayload: { x402Version: 2, accepted: required, payload, extensions },
    paymentRequirements: required,
  }
}

/** Orders the facilitator to settle it; under one key a settlement lets one request through. */
const settle = (scene: Scene, begun: Begun, key: string | null) => {
  const { auditor, client, doors } = scene
  const { id, name, seller } = begun
  const body = payloadOf(begun)
  const verb = Effect.onExit(settlePayment(seller, body), (exit) =>
    Effect.sync(() => {
      if (Exit.isFailure(exit)) return
      const { success } = exit.value
      const passed = { payment_intent: id, door: "facilitator" }
      if (success) auditor.see("purchased", name, { ...passed, purchase: name })
      if (key !== null && doors.facilitator(success)) auditor.see("passed", id, passed)
    }),
  )
  return client.send({ caller: seller, route: "POST /v1/x402/settle", body, key, verb })
}

/** Calls the seller's tool with it, as the buyer whose payment it is. */
const callWith = (scene: Scene, begun: Begun, buyer: Caller) => {
  const { auditor, client, doors } = scene
  const { bound, id, name, token } = begun
  const { amount, service_id } = bound
  const said = { manifest_id: service_id, amount: amount.value, currency: amount.currency }
  const proof = { ...bound, id, token, within: 3_600, payment_identifier: name }
  const called = callToolProven(buyer, toolOf(service_id), said, proof)
  const verb = Effect.tap(called, ({ answer, settlement }) =>
    Effect.sync(() => {
      const passed = { payment_intent: id, door: "tool" }
      const isTaken = settlement.outcome === "taken"
      if (isTaken) auditor.see("purchased", name, { ...passed, purchase: name })
      if (doors.tool(isTaken && !answer.replayed)) auditor.see("passed", id, passed)
    }),
  )
  return client.call(buyer, "tools/call pay_one_time", undefined, verb)
}

const verify = (scene: Scene, begun: Begun) => {
  const { seller } = begun
  const body = payloadOf(begun)
  const verb = verifyPayment(seller, body)
  return scene.client.send({ caller: seller, route: "POST /v1/x402/verify", body, key: null, verb })
}

/** Shows one payment at the doors in turn, and at several at once. */
const showAll = Effect.fnUntraced(function* (scene: Scene, begun: Begun, last = false) {
  const { chance, id } = begun
  for (let turn = 0; turn < (last ? 1 : TURNS); turn += 1) {
    yield* Effect.sleep(chance.wait(10 * SECOND))
    const key = (door: string) => `${door} ${id} ${last ? "last" : turn}`
    const acts = [
      showAtDoor(scene, begun, chance.hits(0.5) ? key("shows") : null),
      settle(scene, begun, chance.hits(0.6) ? key("settles") : null),
    ]
    if (chance.hits(0.3)) acts.push(verify(scene, begun))
    if (begun.buyer !== undefined && chance.hits(0.6)) {
      acts.push(callWith(scene, begun, begun.buyer))
    }
    yield* atOnce(last ? acts : acts.slice(chance.int(0, 1)))
  }
})

const buy = Effect.fnUntraced(function* (scene: Scene, n: number) {
  const chance = scene.stage.chance(`named purchase ${n}`)
  const seller = scene.people.sellers[SOLD.seller]
  const service_id = scene.people.services.get(SOLD.name)
  if (seller === undefined || service_id === undefined) return
  const amount = { currency: SOLD.currencies[0], value: chance.int(100, 900) }
  const resource = `mcp://tool/${toolOf(service_id)}`
  const name = `purchase_${String(n).padStart(8, "0")}`
  const purchase: Purchase = { name, seller, bound: { service_id, amount, resource }, chance }
  const payments = Array.from({ length: chance.int(2, 3) }, (_, nth) =>
    Effect.gen(function* () {
      const begun = yield* begin(scene, purchase, nth)
      if (begun === undefined) return
      yield* payShown(scene, begun, chance, 0.9)
      yield* showAll(scene, begun)
      // It is shown again when the faults have ended, whatever its outcome.
      scene.later.push(showAll(scene, begun, true))
    }),
  )
  yield* Effect.sleep(chance.wait(MINUTE))
  yield* atOnce(payments)
})

const inspect = ({ auditor, people }: Scene) =>
  Effect.sync(() => {
    const begun = everyBegun.get(people) ?? []
    for (const purchase of new Set(begun.map(({ name }) => name))) {
      const payments = begun.filter(({ name }) => name === purchase).map(({ id }) => id)
      auditor.see("charged", purchase, { purchase, payments })
    }
  })

/** Purchases with an identifier, each paid by several payments at several doors at once. */
export const namedPurchases: Part = {
  name: "named purchases",
  heavy: 0.12,
  large: 0.5,
  rules: namedPurchaseRules,
  knowledge: [known],
  errands: (scene) => Array.from({ length: PURCHASES }, (_, n) => buy(scene, n + 1)),
  inspect,
}
