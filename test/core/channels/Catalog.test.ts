import { assert, describe, it } from "@effect/vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { KYC_LEVELS } from "../../../core/channels/Channel.ts"

/** id, type, partials, days, deep links, settles, fee in basis points, currencies, level */
const TABLE = `
wallet_a     1   50 365 yes real_time 60  CNY,HKD,USD,EUR,GBP,SGD,JPY anonymous
wallet_b     2 null 365 yes real_time 60  CNY,HKD,USD,EUR             anonymous
wallet_c     2 null 180 yes real_time 100 SGD,MYR,THB,IDR,PHP,VND     basic
wallet_d     2 null 180 yes real_time 120 PHP,USD                     basic
wallet_e     2 null  90 yes t_plus_1  80  THB,JPY,KRW,TWD             basic
wallet_f     2 null 365 yes t_plus_1  190 USD,EUR,GBP,AUD,CAD         basic
bank_qr_a    3   10 180 no  real_time 30  SGD                         basic
bank_qr_b    3    0  90 no  real_time 25  BRL                         basic
bank_qr_c    3   20 180 no  real_time 30  INR                         basic
business_a   1   50 365 yes t_plus_1  45  CNY,USD,EUR                 enhanced
business_b   3   20 365 no  t_plus_1  20  USD,EUR,GBP                 business
stablecoin_a 2 null 365 yes real_time 10  every                       business
stablecoin_b 2 null 365 yes real_time 10  every                       business
`
  .trim()
  .split("\n")
  .map((row) => row.split(/ +/))

describe("the default catalog", () => {
  it("holds the thirteen channels", () => {
    assert.deepStrictEqual(
      defaultCatalog.map((channel) => [
        channel.id,
        String(channel.refunds.type),
        String(channel.refunds.max_partial_refunds),
        String(channel.refunds.window_days),
        channel.deep_links ? "yes" : "no",
        channel.settles,
        String(channel.network_fee_basis_points),
        channel.currencies === "every" ? "every" : channel.currencies.join(","),
        channel.kyc_level,
      ]),
      TABLE,
    )
  })

  it("limits the rate of type 1 only", () => {
    for (const { refunds } of defaultCatalog) {
      assert.strictEqual(refunds.rate_per_second, refunds.type === 1 ? 150 : null)
    }
  })

  it("names currencies of the standard, each once", () => {
    for (const channel of defaultCatalog) {
      if (channel.currencies === "every") continue
      assert.deepStrictEqual(
        channel.currencies.filter((code) => !currencies.has(code)),
        [],
      )
      assert.strictEqual(new Set(channel.currencies).size, channel.currencies.length)
    }
  })

  it("pegs stablecoins, and nothing else, to the dollar", () => {
    for (const { kind, pegged_to } of defaultCatalog) {
      assert.strictEqual(pegged_to, kind === "stablecoin" ? "USD" : undefined)
    }
  })

  it("opens more channels to each higher level", () => {
    const open = KYC_LEVELS.map(
      (level) =>
        defaultCatalog.filter(
          ({ kyc_level }) => KYC_LEVELS.indexOf(kyc_level) <= KYC_LEVELS.indexOf(level),
        ).length,
    )
    assert.deepStrictEqual(open, [2, 9, 10, 13])
  })
})
