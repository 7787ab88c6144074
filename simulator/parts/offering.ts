import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { ManifestInput } from "../../core/registry/ManifestInput.ts"
import type { ServiceAction } from "../../core/registry/ManifestMachine.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { registerService } from "../../core/registry/registerService.ts"
import { DAY, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Chance } from "../random/Chance.ts"
import type { Scene } from "../world/Stage.ts"
import { atOnce } from "../world/atOnce.ts"

/** The goods of several sellers, with the same names in different spellings. */
const GOODS = ["Rain maps", "Tide tables", "Star charts"] as const

const SPELLINGS: ReadonlyArray<(name: string) => string> = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.replace(" ", "  ").toLowerCase(),
]

/** A seller with the ids of its posted manifests. */
interface Offerer {
  readonly caller: Caller
  readonly number: number
  readonly chance: Chance
  readonly posted: Map<string, string>
}

const manifestOf = (name: string, edition: number): ManifestInput => ({
  name,
  description: `Edition ${edition} of what agents need`,
  payment_methods: { one_time: true, ...(edition % 3 === 0 && { subscription: true }) },
  pricing: {
    one_time: [{ amount: 100 + edition, currency: "USD", label: "One of them" }],
    ...(edition % 3 === 0 && {
      subscription: [
        {
          plan_id: "monthly",
          name: "Monthly",
          amount: 900,
          currency: "USD",
          interval: "monthly",
          features: [],
        },
      ],
    }),
  },
  accepted_channels: edition % 2 === 0 ? ["wallet_a"] : ["wallet_a", "wallet_b"],
  default_channel: null,
  fallback_channel: null,
  settlement_currency: "USD",
  qr_mode: "dynamic",
  endpoint: "https://market.example/hooks",
  tags: ["outdoors"],
})

/** Posts a manifest for the first time, or again with a change. */
const post = Effect.fnUntraced(function* ({ client }: Scene, offerer: Offerer, good: string) {
  const { caller, chance, number, posted } = offerer
  const name = SPELLINGS[number]?.(good) ?? good
  const body = manifestOf(name, chance.int(1, 6))
  const made = yield* client.send({
    caller,
    route: "POST /v1/services",
    body,
    key: chance.hits(0.5) ? `post-${chance.int(0, 1_000_000)}` : null,
    status: 201,
    verb: registerService(caller, body),
  })
  if (made !== undefined) posted.set(good, (made as { readonly id: string }).id)
})

const move = ({ client }: Scene, { caller }: Offerer, id: string, action: ServiceAction) =>
  client.send({
    caller,
    route: `PATCH /v1/services/{id}/${action}`,
    body: { id },
    key: null,
    verb: moveService(caller, id, action),
  })

/** Lets all sellers claim the name at the same moment, in any state of their manifests. */
const race = (scene: Scene, offerers: ReadonlyArray<Offerer>, good: string) =>
  atOnce(
    offerers.flatMap((offerer) => {
      const id = offerer.posted.get(good)
      if (id === undefined) return []
      return (["activate", "resume"] as const).map((action) => move(scene, offerer, id, action))
    }),
  )

/** Changes one of a seller's goods. */
const act = Effect.fnUntraced(function* (scene: Scene, offerer: Offerer, good: string) {
  const { chance, posted } = offerer
  const id = posted.get(good)
  if (id === undefined || chance.hits(0.2)) return yield* post(scene, offerer, good)
  const action = chance.weighted<ServiceAction>([
    [30, "activate"],
    [25, "pause"],
    [25, "resume"],
    [8, "deprecate"],
    [4, "delete"],
  ])
  yield* move(scene, offerer, id, action)
})

const trade = Effect.fnUntraced(function* (scene: Scene, offerer: Offerer) {
  const { chance } = offerer
  for (let n = chance.int(4, 7); n > 0; n -= 1) {
    yield* Effect.sleep(chance.wait(12 * SECOND))
    yield* act(scene, offerer, chance.pick(GOODS))
  }
})

/** Deletes deprecated manifests, slightly too early and in time, and posts them again. */
const clearUp = Effect.fnUntraced(function* (scene: Scene, offerer: Offerer) {
  const { posted } = offerer
  const [id] = [...posted.values()].slice(0, 1)
  const [good] = [...posted.keys()].slice(0, 1)
  if (id === undefined || good === undefined) return
  yield* move(scene, offerer, id, "activate")
  yield* move(scene, offerer, id, "deprecate")
  const stored = yield* Effect.orDie(scene.store.find("service", id))
  const { now } = scene.stage
  yield* Effect.sleep(Math.max(0, (stored?.deprecated_at ?? now()) + 30 * DAY - 1 - now()))
  yield* move(scene, offerer, id, "delete")
  yield* Effect.sleep(1)
  yield* move(scene, offerer, id, "delete")
  yield* post(scene, offerer, good)
  yield* Effect.sleep(30 * DAY + MINUTE)
})

/** Plays sellers who post, activate, pause, resume, deprecate, delete and repost, often at once. */
export const offer = Effect.fnUntraced(function* (scene: Scene) {
  const offerers = scene.people.sellers.map((caller, number): Offerer => ({
    caller,
    number,
    chance: scene.stage.chance(`offers of ${number}`),
    posted: new Map(),
  }))
  yield* atOnce(offerers.map((offerer) => post(scene, offerer, GOODS[0])))
  yield* race(scene, offerers, GOODS[0])
  yield* atOnce(offerers.map((offerer) => trade(scene, offerer)))
  for (const good of GOODS) yield* race(scene, offerers, good)
  for (const offerer of offerers) scene.later.push(clearUp(scene, offerer))
})
