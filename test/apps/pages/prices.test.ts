import { expect, test } from "vitest"
import { setExponents } from "../../../apps/pages/console/show/money.ts"
import { pricesOf } from "../../../apps/pages/console/show/prices.ts"

const use = { unit: "request", rate: "0.25", billing_cycle: "monthly" } as const

test.each([
  ["in the settlement currency", use, "0.25 minor units of KWD per request, billed monthly"],
  [
    "in its own currency",
    { ...use, currency: "JPY" },
    "0.25 minor units of JPY per request, billed monthly",
  ],
])("a price of use is written %s, with its cycle", (...row) => {
  const [, cumulative, text] = row
  expect(pricesOf({ pricing: { cumulative }, settlement_currency: "KWD" })).toEqual([text])
})

test("prices are written with the decimals of their currencies", () => {
  setExponents({ JPY: 0, KWD: 3 })
  const pricing = {
    one_time: [{ amount: 699, currency: "JPY", label: "One" }],
    subscription: [
      {
        plan_id: "pro",
        name: "Pro",
        amount: 6_123,
        currency: "KWD",
        interval: "monthly" as const,
        features: [],
      },
    ],
  }
  expect(pricesOf({ pricing, settlement_currency: "USD" })).toEqual([
    "One: 699 JPY",
    "Pro: 6.123 KWD monthly",
  ])
  setExponents({})
})
