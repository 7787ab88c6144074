import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { oneTimeOf } from "../../../core/agents/OneTimeTool.ts"
import { aService, anAccount } from "../../support/records.ts"

const price = (amount: number, currency: string) => ({ amount, currency, label: "One" })
const dollars = price(699, "USD")
const yen = price(900, "JPY")

/** The amount of a call, or the field that is refused. */
const asked = (
  one_time: ReadonlyArray<typeof dollars>,
  said: { readonly amount?: number; readonly currency?: string },
) => {
  const service = aService({ n: 1, settlement_currency: "USD", pricing: { one_time } })
  const payer = { ...said, manifest_id: service.id, agent_id: "an-agent" }
  const terms = oneTimeOf(payer, service, anAccount())
  return Result.isSuccess(terms) ? terms.success.amount : terms.failure.field
}

describe("the amount of a call", () => {
  it.each([
    ["the first price", [dollars, yen], {}, { value: 699, currency: "USD" }],
    [
      "the price in a currency",
      [dollars, yen],
      { currency: "JPY" },
      { value: 900, currency: "JPY" },
    ],
    ["what is said", [dollars], { amount: 5, currency: "JPY" }, { value: 5, currency: "JPY" }],
    [
      "an amount in the only currency",
      [dollars, dollars],
      { amount: 5 },
      { value: 5, currency: "USD" },
    ],
    [
      "refused where the amount may be meant in several",
      [yen, dollars],
      { amount: 900 },
      "currency",
    ],
    ["refused in a currency without a price", [dollars], { currency: "JPY" }, "currency"],
  ] as const)("is %s", (_, prices, said, is) => expect(asked(prices, said)).toEqual(is))
})
