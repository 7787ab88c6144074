import { Effect } from "effect"
import { createIntent } from "../../core/payments/createIntent.ts"
import { voidIntent } from "../../core/payments/endIntent.ts"
import { RANKS } from "../auditor/Identities.ts"
import type { Scene } from "../world/Scene.ts"
import type { Climber } from "./climb.ts"

/** What each level may pay at a time, in cents. */
const AT_ONCE = [1_000, 10_000, 100_000, 1_000_000] as const

/** The service that everybody may pay. */
const SERVICE = "Two wallets to choose from"

/** Several payments at once, of as much as some level may pay; some of them are given up. */
export const payAtLimit = Effect.fnUntraced(function* (scene: Scene, climber: Climber) {
  const { caller, chance, name } = climber
  const service_id = scene.people.services.get(SERVICE) ?? ""
  const rank = chance.hits(0.5) ? 0 : chance.int(0, RANKS.length - 1)
  const create = () => {
    const value = Math.round((AT_ONCE[rank] ?? 1) * chance.between(0.7, 1.01))
    const body = {
      service_id,
      type: "one_time",
      amount: { currency: "USD", value },
      description: "Up to the limit",
      payer: { agent_id: name },
    } as const
    return scene.client.send({
      caller,
      route: "POST /v1/payment-intents",
      body,
      key: null,
      status: 201,
      optimistic: true,
      verb: createIntent(caller, body),
    })
  }
  const made = yield* Effect.all(
    Array.from({ length: chance.hits(0.2) ? chance.int(11, 15) : chance.int(2, 5) }, () =>
      Effect.suspend(create),
    ),
    { concurrency: "unbounded" },
  )
  for (const intent of made) {
    if (intent === undefined || !chance.hits(0.3)) continue
    const { id } = intent as { readonly id: string }
    yield* scene.client.send({
      caller,
      route: "POST /v1/payment-intents/{id}/void",
      body: {},
      key: null,
      status: 200,
      optimistic: false,
      verb: voidIntent(caller, id),
    })
  }
})
