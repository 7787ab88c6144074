import { describe, expect, test } from "vitest"
import type { PaymentIntent, Statement } from "../../../adapters/http/client/Resources.ts"
import { capped, operationsCost, paidOf, volume } from "../../../apps/pages/console/data/count.ts"

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

describe("what a page sums up", () => {
  const payer = { agent_id: "agent", human_id: null }
  const byLink = { invoice: "inv_1", auto_paid: false }

  test.each([
    ["a payment", [payment({ payer })], 699],
    [
      "an invoice that an install paid",
      [payment({ payer, invoice: "inv_1", auto_paid: true })],
      699,
    ],
    ["no invoice that a person paid by a link", [payment({ payer, ...byLink })], 0],
    ["nobody else's payment", [payment({ payer: { ...payer, agent_id: "other" } })], 0],
    ["no unpaid one", [payment({ payer, status: "expired" })], 0],
    ["none in another currency", [payment({ payer, amount: { currency: "JPY", value: 5 } })], 0],
    [
      "the captured part",
      [payment({ payer, captured_amount: { currency: "USD", value: 250 } })],
      250,
    ],
  ] as const)("under a cap counts %s", (...row) => {
    const [, payments, value] = row
    expect(capped(payments, "agent", "USD")).toEqual({ currency: "USD", value })
  })

  test("of a month's operations is what its total lacks of price and overage", () => {
    const usd = (value: number) => ({ currency: "USD", value })
    const used = { count: 1, free_allowance: 0, billable: 1, unit_price: "0.00" }
    const operations: Statement["operations"] = [
      { ...used, operation: "scan-qr", cost: usd(150) },
      { ...used, operation: "nlp-batch", cost: usd(2) },
    ]
    expect(operationsCost({ operations, total: usd(3_052) })).toEqual(usd(152))
  })
})
