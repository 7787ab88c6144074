import { Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  checkPlanPrice,
  checkTabPrice,
  type ExpectedRate,
} from "../../../core/invoices/ExpectedPrice.ts"
import type { TabPrice } from "../../../core/invoices/Tab.ts"
import type { SubscriptionPlan } from "../../../core/registry/Pricing.ts"
import type { Money } from "../../../core/shared/Money.ts"

const plan: SubscriptionPlan = {
  plan_id: "pro",
  name: "Pro",
  amount: 899,
  currency: "USD",
  interval: "monthly",
  features: [],
}

const prices: ReadonlyArray<readonly [expected: Partial<Money> | undefined, accepted: boolean]> = [
  [undefined, true],
  [{}, true],
  [{ currency: "USD", value: 899 }, true],
  [{ value: 899 }, true],
  [{ currency: "USD" }, true],
  [{ currency: "USD", value: 699 }, false],
  [{ currency: "USD", value: 999 }, false],
  [{ currency: "EUR", value: 899 }, false],
  [{ currency: "EUR" }, false],
]

describe("the price of a plan", () => {
  test.each(prices)("%j: accepted %s", (expected, accepted) => {
    expect(Result.isSuccess(checkPlanPrice(plan, expected))).toBe(accepted)
  })

  test("is named by the refusal", () => {
    const refused = checkPlanPrice(plan, { currency: "USD", value: 699 })
    expect(Result.isFailure(refused) && refused.failure).toMatchObject({
      code: "INVALID_AMOUNT",
      message:
        "The plan pro costs 899 USD monthly, in minor units, not 699 USD. Nothing was subscribed " +
        "or charged.",
      details: { field: "amount", price: { currency: "USD", value: 899 } },
    })
  })
})

const tab: TabPrice = { unit: "call", rate: "0.25", currency: "USD", billing_cycle: "monthly" }

const rates: ReadonlyArray<readonly [expected: ExpectedRate, field: string | undefined]> = [
  [{}, undefined],
  [{ rate: "0.25", currency: "USD", unit: "call" }, undefined],
  [{ rate: 0.25, currency: "USD" }, undefined],
  [{ rate: "0.250", currency: "USD" }, undefined],
  [{ rate: "0.2", currency: "USD" }, "rate"],
  [{ rate: "0.25" }, "currency"],
  [{ rate: "0.2" }, "currency"],
  [{ currency: "USD" }, undefined],
  [{ rate: "0.250001", currency: "USD" }, "rate"],
  [{ rate: "0.25", currency: "EUR" }, "currency"],
  [{ rate: "0.25", currency: "USD", unit: "token" }, "unit"],
  [{ unit: "token" }, "unit"],
]

test.each(rates)("the price of use, expected as %j, is refused for its %s", (expected, field) => {
  const checked = checkTabPrice(tab, expected)
  expect(Result.isFailure(checked) ? checked.failure.field : undefined).toBe(field)
})
