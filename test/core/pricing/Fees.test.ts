import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultRates } from "../../../adapters/fx/DatedRates.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import {
  type FeeKind,
  feeKind,
  FEES,
  feesOf,
  type PaymentMethod,
  settle,
} from "../../../core/pricing/Price.ts"
import { MAX_VALUE } from "../../../core/shared/Money.ts"

const METHODS = ["one_time", "cumulative", "subscription"] as const
const rates = defaultRates.per_dollar

type Said = readonly [
  channelId: string,
  value: number,
  from: string,
  to: string,
  method?: PaymentMethod,
]

const channelOf = (channelId: string) => {
  const channel = find(defaultCatalog, channelId)
  if (channel === undefined) throw new TypeError(`There is no channel ${channelId}.`)
  return channel
}

const settledOn = (...[channelId, value, from, to, method = "one_time"]: Said) =>
  settle({
    amount: { currency: from, value },
    settlement_currency: to,
    method,
    channel: channelOf(channelId),
    usdToPayer: rates[from] ?? "1",
    usdToSettlement: rates[to] ?? "1",
    currencies,
    fees: FEES,
  })

const priced = (...said: Said) => {
  const [channelId, , currency, , method = "one_time"] = said
  const settled = Result.getOrThrow(settledOn(...said))
  return {
    settled,
    fees: feesOf({ fees: FEES, method, currency, settled, channel: channelOf(channelId) }),
  }
}

const lines = (...said: Said) => {
  const { service, fx_spread, channel, total } = priced(...said).fees
  return [service.value, fx_spread.value, channel.value, total.value]
}

describe("the kind of a payment", () => {
  it.each<[PaymentMethod, string, string, "consumer_wallet" | "stablecoin" | undefined, FeeKind]>([
    ["one_time", "USD", "USD", "consumer_wallet", "one_time"],
    ["cumulative", "USD", "USD", undefined, "cumulative"],
    ["subscription", "EUR", "EUR", "consumer_wallet", "subscription"],
    ["subscription", "EUR", "USD", "consumer_wallet", "cross_border"],
    ["cumulative", "EUR", "USD", undefined, "cross_border"],
    ["cumulative", "EUR", "USD", "stablecoin", "stablecoin"],
    ["one_time", "USD", "USD", "stablecoin", "stablecoin"],
  ])("for %s from %s to %s by %s is %5$s", (method, from, to, kind, expected) => {
    const channel = kind === undefined ? undefined : { kind }
    assert.strictEqual(feeKind(method, from, to, channel), expected)
  })
})

describe("the fees", () => {
  it.each<[Parameters<typeof priced>, ReadonlyArray<number>]>([
    // 2.5 to even, 3, together 5
    [
      ["wallet_a", 500, "USD", "USD"],
      [2, 0, 3, 5],
    ],
    [
      ["wallet_a", 1, "USD", "USD"],
      [0, 0, 0, 0],
    ],
    [
      ["wallet_a", 100_000, "USD", "USD", "cumulative"],
      [300, 0, 600, 900],
    ],
    [
      ["wallet_f", 100_000, "USD", "USD", "subscription"],
      [500, 0, 1_900, 2_400],
    ],
    [
      ["stablecoin_a", 100_000, "USD", "USD", "subscription"],
      [300, 0, 100, 400],
    ],
    // mid 87,000; 86,739 after 0.3%; 433.695 and 520.434 of it
    [
      ["wallet_a", 100_000, "USD", "EUR", "cumulative"],
      [434, 261, 520, 1_215],
    ],
    // mid 87,000; 86,913 after 0.1%; 260.739 and 86.913 of it
    [
      ["stablecoin_b", 100_000, "USD", "EUR"],
      [261, 87, 87, 435],
    ],
    // no decimals: 1,000 yen
    [
      ["wallet_e", 1_000, "JPY", "JPY"],
      [5, 0, 8, 13],
    ],
    // three decimals: 306,000 fils at mid; 303,705 after 0.75%
    [
      ["wallet_a", 100_000, "USD", "KWD"],
      [1_519, 2_295, 1_822, 5_636],
    ],
    [
      ["wallet_a", MAX_VALUE, "USD", "USD"],
      [5_000_000_000, 0, 6_000_000_000, 11_000_000_000],
    ],
  ])("of %j are %j", (said, expected) => {
    assert.deepStrictEqual(lines(...said), expected)
  })

  it("are in the settlement currency", () => {
    const { fees } = priced("wallet_a", 100_000, "USD", "EUR")
    assert.deepStrictEqual(
      new Set(Object.values(fees).map((line: { currency: string }) => line.currency)),
      new Set(["EUR"]),
    )
  })

  it("of any pair on any channel add up, are never negative and take less than is settled", () => {
    const code = fc.constantFrom(...Object.keys(rates))
    const channel = fc.constantFrom(...defaultCatalog.map(({ id }) => id))
    const value = fc.oneof(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 1e7 }))
    fc.assert(
      fc.property(channel, value, code, code, fc.constantFrom(...METHODS), (...said) => {
        const found = settledOn(...said)
        if (Result.isFailure(found)) {
          assert.property(found.failure.details, "minimum")
          return
        }
        const { fees, settled } = priced(...said)
        const { service, fx_spread, channel: network, total } = fees
        for (const line of [service, fx_spread, network]) assert.isAtLeast(line.value, 0)
        assert.strictEqual(total.value, service.value + fx_spread.value + network.value)
        assert.isAtMost(service.value + network.value, settled.settlement.value)
        if (said[2] === said[3]) assert.strictEqual(fx_spread.value, 0)
      }),
      { numRuns: 5_000 },
    )
  })
})
