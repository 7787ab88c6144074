import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { ManifestInput } from "../../core/registry/ManifestInput.ts"
import { registerService } from "../../core/registry/registerService.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { keyRules, keys } from "../auditor/invariants/keys.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { atOnce } from "../world/atOnce.ts"

const manifestOf = (name: string): ManifestInput => ({
  name,
  description: "What every seller could think of.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 100, currency: "USD", label: "One of them" }] },
  accepted_channels: ["wallet_a"],
  default_channel: null,
  fallback_channel: null,
  settlement_currency: "USD",
  qr_mode: "dynamic",
  endpoint: "https://common.example/hooks",
  tags: [],
})

const post = (scene: Scene, caller: Caller, key: string, name: string, times: number) => {
  const body = manifestOf(name)
  const request = {
    caller,
    route: "POST /v1/services",
    body,
    key,
    status: 201,
    verb: registerService(caller, body),
  } as const
  return scene.client.flood(request, times)
}

/** Two sellers post their services under the same key, sometimes with the same body. */
const number = Effect.fnUntraced(function* (scene: Scene, round: number) {
  const chance = scene.stage.chance(`common key ${round}`)
  yield* Effect.sleep(chance.wait(MINUTE))
  const alike = chance.hits(0.5)
  const posts = scene.people.sellers.slice(0, 2).map((seller, n) => {
    const name = alike ? `Common goods ${round}` : `Goods ${round} of seller ${n}`
    const wait = chance.hits(0.5) ? 0 : chance.wait(5 * SECOND)
    const sent = post(scene, seller, `request-${round}`, name, chance.int(1, 2))
    return Effect.andThen(Effect.sleep(wait), sent)
  })
  yield* atOnce(posts)
})

const ROUNDS = [1, 2, 3]

/** Accounts that use the same Idempotency-Keys, which is allowed. */
export const commonKeys: Part = {
  name: "common keys",
  heavy: 0.5,
  rules: keyRules,
  knowledge: [keys],
  errands: (scene) => ROUNDS.map((round) => number(scene, round)),
}
