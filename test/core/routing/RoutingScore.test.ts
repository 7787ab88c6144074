import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { Channel } from "../../../core/channels/Channel.ts"
import { rank } from "../../../core/routing/RoutingScore.ts"
import { feeKind, FEES, spreadBasisPoints } from "../../../core/pricing/Price.ts"

const channels = (ids: string) => {
  const named = ids.split(" ").filter((id) => id !== "")
  return defaultCatalog.filter(({ id }) => named.includes(id))
}

/** For example `wallet_a 0.975 = 0.95/1/1`: the score and its parts. */
const show = (ids: string, from: string, to: string) =>
  rank(channels(ids), FEES, from, to).map(
    ({ channel, score, criteria: { fee, rate, speed } }) =>
      `${channel.id} ${+score.toFixed(4)} = ${+fee.toFixed(4)}/${+rate.toFixed(4)}/${speed}`,
  )

describe("the routing score", () => {
  it.each<[channels: string, from: string, to: string, expected: ReadonlyArray<string>]>([
    ["", "USD", "USD", []],
    ["wallet_f", "USD", "USD", ["wallet_f 1 = 1/1/1"]],
    ["wallet_b wallet_a", "USD", "USD", ["wallet_a 1 = 1/1/1", "wallet_b 1 = 1/1/1"]],
    ["wallet_e wallet_f", "USD", "USD", ["wallet_e 1 = 1/1/1", "wallet_f 0.5 = 0/1/1"]],
    // 190 − 60 of 190 − 45 is 0.8966; cheaper by a little, but a day later
    [
      "wallet_a wallet_f business_a",
      "USD",
      "USD",
      ["wallet_a 0.9483 = 0.8966/1/1", "business_a 0.8 = 1/1/0", "wallet_f 0.3 = 0/1/0"],
    ],
    // expensive, but immediate: 0.3 + 0.2 and 0.5 + 0.3
    ["wallet_b business_a", "USD", "USD", ["business_a 0.8 = 1/1/0", "wallet_b 0.5 = 0/1/1"]],
    // spreads of 30 and 10: the stablecoin is the best by every criterion
    ["wallet_a stablecoin_a", "USD", "EUR", ["stablecoin_a 1 = 1/1/1", "wallet_a 0.2 = 0/0/1"]],
    // no exchange, so all have the same spread: 120 − 10, 120 − 60 of 110
    [
      "wallet_a wallet_d stablecoin_b",
      "USD",
      "USD",
      ["stablecoin_b 1 = 1/1/1", "wallet_a 0.7727 = 0.5455/1/1", "wallet_d 0.5 = 0/1/1"],
    ],
    // a currency at a fixed rate to the dollar needs no exchange by a dollar's stablecoin
    ["wallet_a stablecoin_a", "USD", "AED", ["stablecoin_a 1 = 1/1/1", "wallet_a 0.2 = 0/0/1"]],
  ])("of %s from %s to %s", (ids, from, to, expected) => {
    assert.deepStrictEqual(show(ids, from, to), expected)
  })

  const currency = fc.constantFrom("USD", "EUR", "JPY", "SGD", "HKD", "AED", "BRL", "KWD")
  const channel: fc.Arbitrary<Channel> = fc
    .record({
      base: fc.constantFrom(...defaultCatalog),
      network_fee_basis_points: fc.integer({ min: 0, max: 500 }),
      settles: fc.constantFrom("real_time" as const, "t_plus_1" as const),
    })
    .map(({ base, ...said }) => ({ ...base, ...said }))
  const candidates = fc
    .array(channel, { minLength: 1, maxLength: 8 })
    .map((list) => list.map((one, n) => ({ ...one, id: `channel_${n}` })))

  const spreadOf = (one: Channel, from: string, to: string) =>
    spreadBasisPoints(FEES, from, to, feeKind("one_time", from, to, one), one)

  it("lies between 0 and 1 like its parts, is their weighted sum, and falls along the list", () => {
    fc.assert(
      fc.property(candidates, currency, currency, (list, from, to) => {
        const ranked = rank(list, FEES, from, to)
        assert.sameMembers(
          ranked.map((one) => one.channel.id),
          list.map(({ id }) => id),
        )
        for (const { score, criteria } of ranked) {
          for (const part of [score, ...Object.values(criteria)]) {
            assert.isTrue(part >= 0 && part <= 1)
          }
          const { fee, rate, speed } = criteria
          assert.approximately(score, 0.5 * fee + 0.3 * rate + 0.2 * speed, 1e-12)
          if (from === to) assert.strictEqual(rate, 1)
        }
        for (const [n, { score }] of ranked.entries()) {
          assert.isAtMost(score, ranked[n - 1]?.score ?? 1)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it("is best, in each criterion, for the best of the candidates", () => {
    fc.assert(
      fc.property(candidates, currency, currency, (list, from, to) => {
        const ranked = rank(list, FEES, from, to)
        for (const part of ["fee", "rate", "speed"] as const) {
          assert.strictEqual(Math.max(...ranked.map(({ criteria }) => criteria[part])), 1)
        }
        const least = Math.min(...list.map((one) => spreadOf(one, from, to)))
        for (const { channel: one, criteria } of ranked) {
          assert.strictEqual(criteria.rate === 1, spreadOf(one, from, to) === least)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it("never prefers a channel that is no better by any criterion, and leaves ties in order", () => {
    fc.assert(
      fc.property(candidates, currency, currency, (list, from, to) => {
        const places = new Map(rank(list, FEES, from, to).map((one, n) => [one.channel.id, n]))
        for (const [m, a] of list.entries()) {
          for (const b of list.slice(m + 1)) {
            const noDearer = a.network_fee_basis_points <= b.network_fee_basis_points
            const noLater = a.settles === "real_time" || b.settles === "t_plus_1"
            if (!noDearer || !noLater || spreadOf(a, from, to) > spreadOf(b, from, to)) continue
            assert.isBelow(places.get(a.id) ?? NaN, places.get(b.id) ?? NaN)
          }
        }
      }),
      { numRuns: 2_000 },
    )
  })
})
