import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { createAccount } from "../../core/accounts/createAccount.ts"
import { putInstall } from "../../core/installs/putInstall.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { voidIntent } from "../../core/payments/endIntent.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { registerService } from "../../core/registry/registerService.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { consent, consentRules } from "../auditor/invariants/consent.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { manifestOf, SERVICES } from "../world/people/Population.ts"
import { payShown } from "./payShown.ts"

/** The agent of an unverified seller, whose limits are soon reached. */
const SELLER = "seller-that-names"

/** A name that no account's agent has. */
const NOBODY = "nobody-in-particular"

const ROUNDS = 20

interface Shop {
  readonly seller: Caller
  readonly service_id: string
}

/** By scene: the seller with its service, opened before the first payment. */
const shops = new WeakMap<Scene["people"], Shop>()

const open = Effect.fnUntraced(function* ({ people }: Scene) {
  const [plan] = SERVICES
  const account = { name: SELLER, kind: "seller", agent_id: SELLER, plan: "enterprise" } as const
  const { api_key } = yield* createAccount(account)
  const seller = yield* authenticate(`Bearer ${api_key.key}`)
  const endpoint = `https://${SELLER}.example/hooks`
  const service = yield* registerService(seller, {
    ...manifestOf(plan, "What whoever comes by buys", endpoint),
    tags: [],
  })
  yield* moveService(seller, service.id, "activate")
  // One buyer agrees to be named, and the others do not.
  const [buyer] = people.buyers
  if (buyer !== undefined) yield* putInstall(buyer, service.id, {})
  shops.set(people, { seller, service_id: service.id })
})

/** Requests payments as the seller: of people who have agreed, of others, and of nobody. */
const name = Effect.fnUntraced(function* (scene: Scene, round: number) {
  const shop = shops.get(scene.people)
  if (shop === undefined) return
  const { seller, service_id } = shop
  const chance = scene.stage.chance(`naming ${round}`)
  yield* Effect.sleep(chance.wait(5 * MINUTE))
  const names = scene.people.buyers.map(({ account }) => account.agent_id)
  const named = chance.pick([NOBODY, undefined, ...names])
  const body = {
    service_id,
    type: "one_time" as const,
    amount: { currency: "USD", value: chance.pick([1_000, 1_000, 1_000, 999, 1_001]) },
    description: "For whoever was named",
    payer_channel: "wallet_b",
    ...(named !== undefined && { payer: { agent_id: named } }),
  }
  const made = yield* scene.client.send({
    caller: seller,
    status: 201,
    route: "POST /v1/payment-intents",
    body,
    key: `naming-${round}`,
    verb: createIntent(seller, body),
  })
  if (made === undefined) return
  const shown = made as Shown
  if (chance.hits(0.9)) return yield* payShown(scene, shown, chance, 0.8)
  const { id } = shown
  yield* Effect.sleep(chance.wait(10 * SECOND))
  yield* scene.client.send({
    caller: seller,
    route: `POST /v1/payment-intents/${id}/void`,
    body: {},
    key: `naming-void-${round}`,
    moves: { id, event: "void" },
    verb: voidIntent(seller, id),
  })
})

/** A seller who names payers, with or without their consent. */
export const namingSellers: Part = {
  name: "naming sellers",
  heavy: 0.2,
  rules: consentRules,
  knowledge: [consent],
  prepare: (scene) => Effect.orDie(open(scene)),
  errands: (scene) => Array.from({ length: ROUNDS }, (_, round) => name(scene, round)),
}
