import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { checkRefund } from "../../../core/refunds/RefundRules.ts"
import { DAY, SECOND } from "../../../core/shared/Timestamp.ts"
import { intentIn, oneTimeFacts, oneTimeIn, requestFacts, T0 } from "../../support/records.ts"

/** The capture time of the Request Payment intents here. */
const PAID = T0 + 3 * SECOND

const usd = (value: number) => ({ currency: "USD", value })

const refunded = (value: number, partials: number) => ({
  value,
  settlement: value,
  fx_spread: 0,
  service_fee: 0,
  partials,
})

const judge = (
  intent: PaymentIntent,
  said: { readonly value?: number; readonly currency?: string; readonly channel?: string } = {},
  now = PAID,
) => {
  const { channel = "wallet_a", currency = "USD", value } = said
  const amount = value === undefined ? undefined : { currency, value }
  const result = checkRefund(intent, amount, find(defaultCatalog, channel), now)
  return Result.isSuccess(result) ? result.success : result.failure.code
}

const captured = (said: Parameters<typeof intentIn>[1] = {}) => intentIn("captured", said)

describe("what can be refunded", () => {
  const refundable = new Set(["captured", "succeeded", "completed"])
  const statuses = [
    ...Object.keys(requestFacts).map((status) => intentIn(status as keyof typeof requestFacts)),
    ...Object.keys(oneTimeFacts).map((status) => oneTimeIn(status as keyof typeof oneTimeFacts)),
  ]
  it.each(statuses.map((intent) => [intent.flow, intent.status, intent] as const))(
    "%s, %s",
    (_flow, status, intent) => {
      expect(judge(intent)).toBe(refundable.has(status) ? 699 : "REFUND_NOT_ALLOWED")
    },
  )

  it.each([
    ["a channel that is gone", { channel: "wallet_z" }, "REFUND_NOT_ALLOWED"],
    ["another currency", { currency: "EUR", value: 1 }, "INVALID_AMOUNT"],
    ["one more than was paid", { value: 700 }, "REFUND_EXCEEDS_PAYMENT"],
    ["all of it", { value: 699 }, 699],
    ["one minor unit", { value: 1 }, 1],
    ["no amount", {}, 699],
  ] as const)("%s", (_title, said, expected) => {
    expect(judge(captured(), said)).toBe(expected)
  })

  it.each([
    ["what is left", { value: 499 }, 499],
    ["one more than is left", { value: 500 }, "REFUND_EXCEEDS_PAYMENT"],
    ["no amount, which is what is left", {}, 499],
  ] as const)("of a payment with a refund of 200: %s", (_title, said, expected) => {
    expect(judge(captured({ refunded: refunded(200, 1) }), said)).toBe(expected)
  })

  it("nothing of a payment that was refunded as a whole", () => {
    const gone = captured({ refunded: refunded(699, 0) })
    expect(judge(gone)).toBe("REFUND_EXCEEDS_PAYMENT")
    expect(judge(gone, { value: 1 })).toBe("REFUND_EXCEEDS_PAYMENT")
  })
})

describe("how long a payment can be refunded", () => {
  it.each(defaultCatalog.map(({ id, refunds }) => [id, refunds.window_days] as const))(
    "%s: %i days to the millisecond",
    (channel, days) => {
      const last = PAID + days * DAY
      expect(judge(captured(), { channel }, last)).toBe(699)
      expect(judge(captured(), { channel }, last + 1)).toBe("REFUND_WINDOW_EXPIRED")
    },
  )

  it("counts from when a link was paid", () => {
    const paid = T0 + SECOND
    expect(judge(oneTimeIn("completed"), {}, paid + 365 * DAY)).toBe(699)
    expect(judge(oneTimeIn("completed"), {}, paid + 365 * DAY + 1)).toBe("REFUND_WINDOW_EXPIRED")
  })

  it("says how old the payment is", () => {
    const channel = find(defaultCatalog, "wallet_e")
    const result = checkRefund(captured(), undefined, channel, PAID + 90 * DAY + 1)
    expect(Result.isFailure(result) ? result.failure.details : undefined).toStrictEqual({
      max_window_days: 90,
      payment_age_days: 91,
      channel: "wallet_e",
    })
  })
})

describe("how often a payment can be refunded in part", () => {
  const limits = defaultCatalog.flatMap(({ id, refunds: { max_partial_refunds: most } }) =>
    most === null ? [] : [[id, most] as const],
  )
  it.each(limits)("%s: %i times", (channel, most) => {
    const after = (partials: number) => captured({ refunded: refunded(partials, partials) })
    if (most > 0) expect(judge(after(most - 1), { channel, value: 1 })).toBe(1)
    expect(judge(after(most), { channel, value: 1 })).toBe("REFUND_LIMIT_EXCEEDED")
    // A refund of the rest after partial refunds also counts as partial.
    if (most > 0) expect(judge(after(most), { channel })).toBe("REFUND_LIMIT_EXCEEDED")
    expect(judge(after(0), { channel }), "as a whole").toBe(699)
  })

  it("wallet_b: without end", () => {
    const often = captured({ refunded: refunded(600, 600) })
    expect(judge(often, { channel: "wallet_b", value: 1 })).toBe(1)
  })

  it("says how often it was", () => {
    const intent = captured({ refunded: refunded(10, 10) })
    const result = checkRefund(intent, usd(1), find(defaultCatalog, "bank_qr_a"), PAID)
    expect(Result.isFailure(result) ? result.failure.details : undefined).toStrictEqual({
      channel: "bank_qr_a",
      max_partial_count: 10,
      current_partial_count: 10,
    })
  })
})
