import { FEES } from "../../../core/pricing/Price.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import {
  find,
  type Health,
  KYC_LEVELS,
  type KycLevel,
  serves,
} from "../../../core/channels/Channel.ts"
import { type Route, route, type RouteRequest } from "../../../core/routing/Routing.ts"

interface Case {
  readonly accepts: string
  readonly asks?: string
  readonly prefers?: string
  readonly owns?: string
  readonly byDefault?: string
  readonly fallback?: string
  readonly currency?: string
  readonly settles?: string
  readonly level?: KycLevel
  readonly down?: string
  readonly limited?: string
  readonly link?: boolean
}

const list = (text: string | undefined): ReadonlyArray<string> => text?.split(" ") ?? []

const requestOf = (given: Case): RouteRequest => ({
  fees: FEES,
  requested: given.asks,
  preference: given.prefers,
  detected: list(given.owns),
  service: {
    accepted_channels: list(given.accepts),
    default_channel: given.byDefault ?? null,
    fallback_channel: given.fallback ?? null,
    settlement_currency: given.settles ?? "USD",
  },
  catalog: defaultCatalog,
  currency: given.currency ?? "USD",
  level: given.level ?? "business",
  health: (channel): Health =>
    list(given.down).includes(channel)
      ? "down"
      : list(given.limited).includes(channel)
        ? "rate_limited"
        : "up",
  needsDeepLinks: given.link ?? false,
})

const show = (found: Route): string =>
  found.type === "several"
    ? found.channels.map(({ id }) => id).join(" ")
    : found.fallback_of === undefined
      ? found.channel.id
      : `${found.channel.id} for ${found.fallback_of}`

const answer = (given: Case): string =>
  Result.match(route(requestOf(given)), { onSuccess: show, onFailure: ({ code }) => code })

const table = (name: string, rows: ReadonlyArray<readonly [Case, string]>) =>
  describe(name, () => {
    it.each(rows)("%j: %s", (given, expected) => {
      assert.strictEqual(answer(given), expected)
    })
  })

const ALL = "wallet_a wallet_b wallet_f"

table("1. a channel that is asked for", [
  [{ accepts: ALL, asks: "wallet_z" }, "CHANNEL_UNAVAILABLE"],
  [{ accepts: ALL, asks: "" }, "CHANNEL_UNAVAILABLE"],
  [{ accepts: ALL, asks: "wallet_c", currency: "SGD" }, "CHANNEL_UNAVAILABLE"],
  [{ accepts: ALL, asks: "wallet_f", currency: "CNY" }, "CHANNEL_UNAVAILABLE"],
  [{ accepts: ALL, asks: "wallet_f", level: "anonymous" }, "CHANNEL_UNAVAILABLE"],
  [
    { accepts: "bank_qr_a wallet_a", asks: "bank_qr_a", currency: "SGD", link: true },
    "CHANNEL_NO_DEEPLINK",
  ],
  [
    {
      accepts: "bank_qr_a wallet_a",
      asks: "bank_qr_a",
      currency: "SGD",
      down: "bank_qr_a",
      fallback: "wallet_a",
      link: true,
    },
    "CHANNEL_NO_DEEPLINK",
  ],
  [{ accepts: ALL, asks: "wallet_b", down: "wallet_b" }, "CHANNEL_TEMPORARILY_UNAVAILABLE"],
  [{ accepts: ALL, asks: "wallet_b", limited: "wallet_b" }, "CHANNEL_TEMPORARILY_UNAVAILABLE"],
  [
    { accepts: ALL, asks: "wallet_b", down: "wallet_a wallet_b", fallback: "wallet_a" },
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
  ],
  [
    { accepts: ALL, asks: "wallet_b", down: "wallet_b", fallback: "wallet_b" },
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
  ],
  [
    { accepts: ALL, asks: "wallet_b", down: "wallet_b", fallback: "wallet_f", currency: "CNY" },
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
  ],
  [
    {
      accepts: "wallet_a bank_qr_a",
      asks: "wallet_a",
      currency: "SGD",
      down: "wallet_a",
      fallback: "bank_qr_a",
      link: true,
    },
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
  ],
  [
    { accepts: ALL, asks: "wallet_b", down: "wallet_b", fallback: "wallet_f" },
    "wallet_f for wallet_b",
  ],
  [
    { accepts: ALL, asks: "wallet_b", limited: "wallet_b", fallback: "wallet_a" },
    "wallet_a for wallet_b",
  ],
  [{ accepts: ALL, asks: "wallet_b", prefers: "wallet_a", byDefault: "wallet_f" }, "wallet_b"],
  [{ accepts: "bank_qr_a", asks: "bank_qr_a", currency: "SGD" }, "bank_qr_a"],
  [{ accepts: "stablecoin_a", asks: "stablecoin_a", currency: "KWD", link: true }, "stablecoin_a"],
])

table("2. a channel that the payer's install prefers", [
  [{ accepts: ALL, prefers: "wallet_b", down: "wallet_b" }, "CHANNEL_TEMPORARILY_UNAVAILABLE"],
  [
    { accepts: "bank_qr_a wallet_a", prefers: "bank_qr_a", currency: "SGD", link: true },
    "CHANNEL_NO_DEEPLINK",
  ],
  [
    { accepts: ALL, prefers: "wallet_b", down: "wallet_b", fallback: "wallet_f" },
    "wallet_f for wallet_b",
  ],
  [{ accepts: ALL, prefers: "wallet_b", byDefault: "wallet_a", owns: "wallet_f" }, "wallet_b"],
  [{ accepts: ALL, asks: "auto", prefers: "wallet_b", byDefault: "wallet_a" }, "wallet_b"],
  [{ accepts: ALL, prefers: "wallet_d", byDefault: "wallet_a" }, "wallet_a"],
  [{ accepts: ALL, prefers: "wallet_f", byDefault: "wallet_a", currency: "CNY" }, "wallet_a"],
])

table("3. a wallet that the payer is known to have", [
  [{ accepts: ALL, owns: "wallet_f", byDefault: "wallet_a" }, "wallet_f"],
  [{ accepts: ALL, owns: "wallet_f wallet_b" }, "wallet_b"],
  [{ accepts: ALL, owns: "wallet_b wallet_f", down: "wallet_b" }, "wallet_f"],
  [{ accepts: ALL, owns: "wallet_b", down: "wallet_b", byDefault: "wallet_a" }, "wallet_a"],
  [{ accepts: ALL, owns: "wallet_d", byDefault: "wallet_a" }, "wallet_a"],
  [
    { accepts: "bank_qr_a wallet_a", owns: "bank_qr_a wallet_a", currency: "SGD", link: true },
    "wallet_a",
  ],
])

table("3. several wallets of the payer's, by their score", [
  [{ accepts: "wallet_f wallet_d wallet_a", owns: "wallet_d wallet_f" }, "wallet_d"],
  [{ accepts: ALL, owns: "wallet_f wallet_b" }, "wallet_b"],
])

table("4. the service's default channel", [
  [{ accepts: ALL, byDefault: "wallet_b", down: "wallet_b" }, "CHANNEL_TEMPORARILY_UNAVAILABLE"],
  [
    { accepts: "bank_qr_a wallet_a", byDefault: "bank_qr_a", currency: "SGD", link: true },
    "CHANNEL_NO_DEEPLINK",
  ],
  [
    { accepts: ALL, byDefault: "wallet_b", limited: "wallet_b", fallback: "wallet_a" },
    "wallet_a for wallet_b",
  ],
  [{ accepts: ALL, byDefault: "wallet_b" }, "wallet_b"],
  [{ accepts: ALL, asks: "auto", byDefault: "wallet_b" }, "wallet_b"],
  [{ accepts: ALL, byDefault: "wallet_f", currency: "CNY" }, "wallet_a wallet_b"],
])

table("5. what is left of the service's channels", [
  [{ accepts: ALL, currency: "BRL" }, "CHANNEL_UNAVAILABLE"],
  [{ accepts: "wallet_f", level: "anonymous" }, "CHANNEL_UNAVAILABLE"],
  [{ accepts: "bank_qr_a", currency: "SGD", link: true }, "CHANNEL_NO_DEEPLINK"],
  [{ accepts: ALL, down: ALL }, "CHANNEL_TEMPORARILY_UNAVAILABLE"],
  [
    { accepts: "bank_qr_a wallet_a", currency: "SGD", down: "wallet_a", link: true },
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
  ],
  [{ accepts: "wallet_b" }, "wallet_b"],
  [{ accepts: "wallet_b business_a" }, "business_a wallet_b"],
  [{ accepts: "wallet_b business_a", link: true }, "business_a"],
  [{ accepts: "wallet_b business_a", level: "basic", link: true }, "wallet_b"],
  [{ accepts: "wallet_a stablecoin_a", settles: "EUR" }, "stablecoin_a wallet_a"],
  [{ accepts: ALL, currency: "GBP", down: "wallet_a" }, "wallet_f"],
  [{ accepts: "wallet_f wallet_b wallet_a" }, "wallet_a wallet_b wallet_f"],
  [{ accepts: ALL, level: "anonymous" }, "wallet_a wallet_b"],
  [{ accepts: ALL, limited: "wallet_b" }, "wallet_a wallet_f"],
  [{ accepts: "bank_qr_a wallet_c wallet_a", currency: "SGD", link: true }, "wallet_a"],
])

describe("a refusal", () => {
  const refusal = (given: Case) => Result.getOrThrow(Result.flip(route(requestOf(given))))

  it("says which channels the service accepts", () => {
    assert.deepStrictEqual(refusal({ accepts: ALL, asks: "wallet_z" }).details, {
      channel: "wallet_z",
      accepted_channels: ["wallet_a", "wallet_b", "wallet_f"],
    })
    assert.deepStrictEqual(refusal({ accepts: "wallet_a", currency: "BRL" }).details, {
      channel: null,
      accepted_channels: ["wallet_a"],
    })
  })

  it("says when to try again", () => {
    const asked = refusal({ accepts: ALL, asks: "wallet_a", down: "wallet_a" })
    assert.strictEqual(asked.retry_after, 30)
    assert.strictEqual(refusal({ accepts: ALL, down: ALL }).retry_after, 30)
    const limited = { accepts: ALL, asks: "wallet_a", limited: "wallet_a" }
    assert.strictEqual(refusal(limited).retry_after, 1)
    const some = { accepts: ALL, down: "wallet_a wallet_b", limited: "wallet_f" }
    assert.strictEqual(refusal(some).retry_after, 1)
  })
})

describe("whatever is asked", () => {
  const ids = defaultCatalog.map(({ id }) => id)
  const channel = fc.constantFrom(...ids)
  const some = fc.subarray(ids, { minLength: 1 })
  const maybe = fc.option(channel, { nil: undefined })
  const given = fc.record({
    accepts: some.map((accepted) => accepted.join(" ")),
    asks: fc.option(fc.constantFrom(...ids, "auto", "wallet_z"), { nil: undefined }),
    prefers: maybe,
    owns: fc.option(
      some.map((owned) => owned.join(" ")),
      { nil: undefined },
    ),
    byDefault: maybe,
    fallback: maybe,
    currency: fc.constantFrom("USD", "CNY", "SGD", "BRL", "THB", "KWD"),
    level: fc.constantFrom(...KYC_LEVELS),
    down: fc.option(
      some.map((down) => down.join(" ")),
      { nil: undefined },
    ),
    limited: fc.option(
      some.map((limited) => limited.join(" ")),
      { nil: undefined },
    ),
    link: fc.boolean(),
  })

  const chosen = (found: Route) => (found.type === "one" ? [found.channel] : found.channels)

  it("only channels that can take the payment are chosen", () => {
    fc.assert(
      fc.property(given, (payment) => {
        const found = route(requestOf(payment as Case))
        if (Result.isFailure(found)) return
        for (const { id, deep_links, kyc_level } of chosen(found.success)) {
          assert.include(payment.accepts.split(" "), id)
          assert.isTrue(serves(find(defaultCatalog, id)!, payment.currency))
          assert.isAtLeast(KYC_LEVELS.indexOf(payment.level), KYC_LEVELS.indexOf(kyc_level))
          assert.notInclude(list(payment.down), id)
          assert.notInclude(list(payment.limited), id)
          if (payment.link) assert.isTrue(deep_links)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it("several are two or more, and never for a link", () => {
    fc.assert(
      fc.property(given, (payment) => {
        const found = route(requestOf(payment as Case))
        if (Result.isFailure(found) || found.success.type === "one") return
        assert.isAtLeast(found.success.channels.length, 2)
        assert.isFalse(payment.link)
      }),
      { numRuns: 2_000 },
    )
  })

  it("an explicit channel is taken, replaced by the fallback, or refused", () => {
    fc.assert(
      fc.property(given, channel, (payment, asks) => {
        const found = route(requestOf({ ...payment, asks } as Case))
        if (Result.isFailure(found)) return
        assert.oneOf(show(found.success), [asks, `${payment.fallback} for ${asks}`])
      }),
      { numRuns: 2_000 },
    )
  })
})
