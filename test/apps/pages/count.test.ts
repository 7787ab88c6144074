import { describe, expect, test } from "vitest"
import type { PaymentIntent } from "../../../adapters/http/client/Resources.ts"
import { paidOf, volume } from "../../../apps/pages/console/data/count.ts"

const NOW = Date.UTC(2026, 4, 20)

const payment = (said: Partial<PaymentIntent>) =>
  ({
    status: "succeeded",
    amount: { currency: "USD", value: 699 },
    created_at: "2026-05-19T12:00:00.000Z",
    ...said,
  }) as PaymentIntent

const part = payment({ captured_amount: { currency: "USD", value: 250 } })

describe("what was paid", () => {
  test("is the captured part of what was asked for", () => {
    expect(paidOf(payment({}))).toEqual({ currency: "USD", value: 699 })
    expect(paidOf(part)).toEqual({ currency: "USD", value: 250 })
  })

  test("is added up for each day, in one currency", () => {
    const others = [
      payment({ status: "voided" }),
      payment({ amount: { currency: "EUR", value: 1 } }),
    ]
    const { bars, total } = volume([payment({}), part, ...others], "USD", NOW)
    expect(total).toBe(949n)
    expect(bars.find(({ name }) => name === "05-19")).toMatchObject({
      value: 949,
      text: "9.49 USD",
    })
    expect(bars.filter(({ value }) => value > 0)).toHaveLength(1)
  })
})
