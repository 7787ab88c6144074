import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { createRefundRequest } from "../../core/refundRequests/createRefundRequest.ts"
import {
  approveRefundRequest,
  declineRefundRequest,
  withdrawRefundRequest,
} from "../../core/refundRequests/moveRefundRequest.ts"
import { remaining } from "../../core/payments/Refunded.ts"
import { HOUR, MINUTE } from "../../core/shared/Timestamp.ts"
import { refundRequestRules, refundRequests } from "../auditor/invariants/refundRequests.ts"
import type { Chance } from "../random/Chance.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"

const PAID = new Set(["captured", "succeeded", "completed"])

/** A payment that was made, the buyer who can request a refund, and the seller who decides. */
interface Sale {
  readonly intent: PaymentIntent
  readonly buyer: Caller
  readonly seller: Caller
}

/** Returns the payments between accounts of this world that can still be refunded. */
const salesOf = ({ auditor, people }: Scene): ReadonlyArray<Sale> => {
  const callers = new Map([...people.buyers, ...people.sellers].map((one) => [one.account.id, one]))
  return [...auditor.model.intents.values()].flatMap(({ record: intent }) => {
    const buyer = callers.get(intent.account_id)
    const seller = callers.get(intent.payee_account_id)
    const isOpen = PAID.has(intent.status) && remaining(intent) > 0
    return isOpen && buyer !== undefined && seller !== undefined && buyer !== seller
      ? [{ intent, buyer, seller }]
      : []
  })
}

/** Requests a refund of the rest or a part of it, as the buyer, sometimes several times at once. */
const ask = ({ client }: Scene, { buyer, intent }: Sale, chance: Chance, key: string) => {
  const { currency } = intent.amount
  const value = chance.int(1, remaining(intent))
  const body = {
    payment_intent: intent.id,
    reason: "It was not what was offered.",
    ...(chance.hits(0.6) && { amount: { currency, value } }),
  }
  const request = {
    caller: buyer,
    route: "POST /v1/refund-requests",
    body,
    key: chance.hits(0.5) ? key : null,
    status: 201,
    verb: createRefundRequest(buyer, body),
  } as const
  return client.flood(request, chance.hits(0.3) ? chance.int(2, 4) : 1)
}

/** Decides or withdraws, sometimes both at once and several times. */
const decide = ({ client }: Scene, { buyer, seller }: Sale, chance: Chance, id: string) => {
  const route = `POST /v1/refund-requests/${id}`
  const key = chance.hits(0.5) ? `about ${id}` : null
  const acts = {
    approve: { caller: seller, body: {}, status: 201, verb: approveRefundRequest(seller, id, {}) },
    decline: {
      caller: seller,
      body: { reason: "It was." },
      verb: declineRefundRequest(seller, id, { reason: "It was." }),
    },
    withdraw: { caller: buyer, body: {}, verb: withdrawRefundRequest(buyer, id) },
  } as const
  const draw = () => chance.pick(["approve", "approve", "decline", "withdraw"] as const)
  const names = chance.hits(0.2) ? [draw(), draw()] : [draw()]
  return atOnce(
    names.map((name) =>
      client.flood(
        { ...acts[name], route: `${route}/${name}`, key: key && `${key} ${name}` },
        chance.hits(0.3) ? 2 : 1,
      ),
    ),
  )
}

/** Plays one round: a request, and a decision in time or none. */
const round = Effect.fnUntraced(function* (scene: Scene, chance: Chance, n: number) {
  const [first, ...others] = salesOf(scene)
  if (first === undefined) return
  const sale = chance.pick([first, ...others])
  const asked = yield* ask(scene, sale, chance, `asks ${n}`)
  if (asked === undefined || chance.hits(0.2)) return
  yield* Effect.sleep(chance.wait(10 * MINUTE))
  yield* decide(scene, sale, chance, (asked as { readonly id: string }).id)
})

const asking = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("asking buyers")
  for (let n = 1; ; n += 1) {
    yield* Effect.sleep(chance.wait(20 * MINUTE))
    yield* round(scene, chance, n)
  }
})

const ROUNDS = [1, 2, 3]

/** Plays requests when all is paid and the faults have ended; some are never answered. */
const askingLater = (scene: Scene) =>
  ROUNDS.map((n) => {
    const chance = scene.stage.chance(`asking buyers later ${n}`)
    return Effect.andThen(Effect.sleep(chance.wait(HOUR)), round(scene, chance, 1_000 + n))
  })

/** Buyers who request refunds, and payees who decide about them. */
export const askingBuyers: Part = {
  name: "asking buyers",
  heavy: 0.5,
  rules: refundRequestRules,
  knowledge: [refundRequests],
  actors: (scene) => [asking(scene)],
  later: askingLater,
}
