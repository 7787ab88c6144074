import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { authenticate } from "../../core/accounts/authenticate.ts"
import type { RestrictionsInput } from "../../core/accounts/KeyRestrictions.ts"
import { issueKey } from "../../core/keys/issueKey.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { createOneTime } from "../../core/payments/createOneTime.ts"
import { MINUTE } from "../../core/shared/Timestamp.ts"
import { budgetRules, budgets, describedAs } from "../auditor/invariants/budgets.ts"
import { atOnce } from "../world/atOnce.ts"
import { SERVICES } from "../world/people/Population.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payShown } from "./payShown.ts"

/** By scene: a key with a budget, and those that it has issued. */
const families = new WeakMap<Scene["people"], ReadonlyArray<Caller>>()

/** Returns the keys of the world that share a budget; none if this part is not played. */
export const boundedIn = ({ people }: Scene): ReadonlyArray<Caller> => families.get(people) ?? []

const usd = (value: number) => ({ currency: "USD", value })

const issue = Effect.fnUntraced(function* (by: Caller, restrictions: RestrictionsInput) {
  const { key } = yield* issueKey(by, { restrictions })
  return yield* authenticate(`Bearer ${key}`)
})

const prepare = Effect.fnUntraced(function* ({ people }: Scene) {
  const buyer = people.buyers.at(-1)
  if (buyer === undefined) return
  const parent = yield* issue(buyer, {
    routes: ["read", "pay", "manage"],
    budget: { amount: usd(4_000), period: "total" },
  })
  const child = yield* issue(parent, { budget: { amount: usd(2_500), period: "daily" } })
  const heir = yield* issue(parent, { routes: ["pay"] })
  families.set(people, [parent, child, heir])
})

/** Requests a payment with one of the keys, whose budget may be used up. */
const ask = (scene: Scene, caller: Caller, n: number) => {
  const chance = scene.stage.chance(`purchase ${n} under ${caller.api_key_id}`)
  const body = {
    service_id: scene.people.services.get(SERVICES[0].name) ?? "",
    type: "one_time" as const,
    amount: usd(chance.int(300, 1_000)),
    description: describedAs(caller.api_key_id),
    payer: { agent_id: caller.account.agent_id },
  }
  const key = `${n} under ${caller.api_key_id}`
  const common = { caller, body, key, status: 201 } as const
  const sent = chance.hits(0.5)
    ? scene.client.send({
        ...common,
        route: "POST /v1/payments/one-time",
        verb: createOneTime(caller, body),
      })
    : scene.client.send({
        ...common,
        route: "POST /v1/payment-intents",
        verb: createIntent(caller, body),
      })
  const paid = Effect.flatMap(sent, (made) =>
    made === undefined ? Effect.void : payShown(scene, made as Shown, chance, 0.6),
  )
  return Effect.andThen(Effect.sleep(chance.hits(0.7) ? 0 : chance.wait(MINUTE)), paid)
}

/** Spends with all of them at once, and again once unopened links have released their amounts. */
const spend = Effect.fnUntraced(function* (scene: Scene) {
  const family = boundedIn(scene)
  yield* Effect.sleep(scene.stage.chance("bounded keys").wait(MINUTE))
  yield* atOnce(family.flatMap((key) => [1, 2, 3].map((n) => ask(scene, key, n))))
  yield* Effect.sleep(6 * MINUTE)
  yield* atOnce(family.map((key) => ask(scene, key, 4)))
})

/** A key with a budget and its sub-keys, which spend the budget together. */
export const boundedKeys: Part = {
  name: "bounded keys",
  heavy: 0.13,
  rules: budgetRules,
  knowledge: [budgets],
  prepare: (scene) => Effect.orDie(prepare(scene)),
  errands: (scene) => [spend(scene)],
}
