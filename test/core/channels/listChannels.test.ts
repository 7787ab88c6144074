import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { listChannels } from "../../../core/channels/listChannels.ts"
import { installation } from "../../support/installation.ts"
import { makeScript, scriptedChannels } from "../../support/scriptedChannels.ts"

const script = makeScript()
script.health = (channel) =>
  channel === "wallet_b" ? "down" : channel === "wallet_c" ? "rate_limited" : "up"

describe("the list of channels", () => {
  it.effect("has the catalog's order and says how each is doing", () =>
    Effect.gen(function* () {
      const { data } = yield* listChannels()
      assert.deepStrictEqual(
        data.map(({ channel, health }) => [channel, health]),
        defaultCatalog.map(({ id }) => [id, script.health(id)]),
      )
      assert.deepStrictEqual(data[11], {
        channel: "stablecoin_a",
        label: "Stablecoin A",
        kind: "stablecoin",
        refunds: { type: 2, max_partial_refunds: null, window_days: 365, rate_per_second: null },
        deep_links: true,
        partial_capture: true,
        settles: "real_time",
        network_fee_basis_points: 10,
        currencies: "every",
        kyc_level: "business",
        pegged_to: "USD",
        health: "up",
      })
    }).pipe(Effect.provide(Layer.merge(installation(), scriptedChannels(script)))),
  )
})
