import { assert, describe, it } from "@effect/vitest"
import { PLANS } from "../../../core/accounts/Account.ts"
import { PLAN_TERMS, tooManyChannels } from "../../../core/billing/Plan.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"

const channels = (count: number) => defaultCatalog.slice(0, count).map(({ id }) => id)

describe("plans", () => {
  it("refuse a service that accepts more channels than they have", () => {
    const refused = tooManyChannels(PLAN_TERMS, "starter", channels(6))
    assert.strictEqual(refused?.code, "PLAN_LIMIT_EXCEEDED")
    assert.deepStrictEqual(refused?.details, { plan: "starter", limit: 5, requested: 6 })
    assert.strictEqual(
      tooManyChannels(PLAN_TERMS, "pro", channels(11))?.code,
      "PLAN_LIMIT_EXCEEDED",
    )
  })

  it("take as many as they have, and the largest takes all that there are", () => {
    assert.isUndefined(tooManyChannels(PLAN_TERMS, "starter", channels(5)))
    assert.isUndefined(tooManyChannels(PLAN_TERMS, "pro", channels(10)))
    assert.strictEqual(defaultCatalog.length, 13)
    assert.isUndefined(tooManyChannels(PLAN_TERMS, "enterprise", channels(13)))
  })

  it("cost more and give more from one to the next", () => {
    const terms = PLANS.map((plan) => PLAN_TERMS[plan])
    assert.deepStrictEqual(
      terms.map(({ price }) => price),
      [2_900, 9_900, 29_900],
    )
    assert.deepStrictEqual(
      terms.map(({ rate_limit }) => rate_limit),
      [100, 1_000, 10_000],
    )
    assert.deepStrictEqual(
      terms.map(({ volume_cap, overage }) => [volume_cap, overage]),
      [
        [1_000_000, 100],
        [10_000_000, 50],
        [null, 0],
      ],
    )
  })
})
