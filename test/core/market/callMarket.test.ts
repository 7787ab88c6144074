import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callMarket } from "../../../core/market/callMarket.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, seed, world } from "../../support/world.ts"

const narrow = (...agents: ReadonlyArray<string>) => ({ ...as(buyer), restrictions: { agents } })

it.effect.each<readonly [keys: string, agents: ReadonlyArray<string>, acting: string]>([
  ["has one agent, acts as that one", ["other"], "other"],
  ["has several, acts as its account's own", ["other", buyer.agent_id], buyer.agent_id],
])("a key that %s", ([, agents, acting]) =>
  Effect.gen(function* () {
    yield* seed()
    const budget = yield* callMarket(narrow(...agents), "budget", {})
    expect(budget).toMatchObject({ agent: { agent_id: acting } })
  }).pipe(Effect.provide(world(makeScript()))),
)
