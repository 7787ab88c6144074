import { describe, expect, it } from "vitest"
import { TRADE_STATUSES, type TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { forOneTimePay, forRequestPayment, lateAmount } from "../../../core/payments/Callback.ts"
import { NOTHING_REFUNDED } from "../../../core/payments/Refunded.ts"
import { id, intentIn, oneTimeIn, T0 } from "../../support/records.ts"
import { callback } from "../../support/world.ts"

const NOW = T0 + 30_000

/** Returns the events that a callback causes, or the reason why it causes none. */
const told = (meaning: ReturnType<typeof forRequestPayment> | ReturnType<typeof forOneTimePay>) =>
  meaning.type === "moves"
    ? meaning.events.map(({ type }) => type).join(" ")
    : meaning.type === "late"
      ? meaning.action
      : meaning.type

const message = (trade_status: TradeStatus, channel = "wallet_a") =>
  callback({ out_trade_no: id("pi", 1), trade_status, channel })

const columns = TRADE_STATUSES

// SCANNED, AUTHORIZED, SUCCESS, REJECTED, INSUFFICIENT_BALANCE, CLOSED, SETTLEMENT_FAILED
const request = {
  succeeded: ["nothing", "nothing", "nothing", "nothing", "nothing", "nothing", "contradiction"],
  failed: ["nothing", "release", "refund", "nothing", "nothing", "nothing", "nothing"],
  expired: ["nothing", "release", "refund", "nothing", "nothing", "nothing", "nothing"],
  cancelled: ["nothing", "release", "refund", "nothing", "nothing", "nothing", "nothing"],
  voided: ["nothing", "release", "refund", "nothing", "nothing", "nothing", "nothing"],
  pending: [
    "qr_created scanned",
    "qr_created scanned authorized",
    "contradiction",
    "failed",
    "failed",
    "failed",
    "contradiction",
  ],
  qr_generated: [
    "scanned",
    "scanned authorized",
    "contradiction",
    "failed",
    "failed",
    "failed",
    "contradiction",
  ],
  scanning: [
    "nothing",
    "authorized",
    "contradiction",
    "failed",
    "failed",
    "failed",
    "contradiction",
  ],
  authorized: [
    "nothing",
    "nothing",
    "contradiction",
    "failed",
    "failed",
    "failed",
    "contradiction",
  ],
  capturing: [
    "nothing",
    "nothing",
    "captured settled",
    "nothing",
    "nothing",
    "nothing",
    "captured settlement_failed",
  ],
  captured: ["nothing", "nothing", "settled", "nothing", "nothing", "nothing", "settlement_failed"],
} as const

const oneTime = {
  completed: request.succeeded,
  failed: request.failed,
  expired: request.failed,
  cancelled: request.failed,
  voided: request.failed,
  pending: ["nothing", "held", "paid", "failed", "failed", "failed", "contradiction"],
} as const

describe("a callback of the chosen channel", () => {
  it.each(Object.entries(request))("on a Request Payment that is %s", (status, expected) => {
    const intent = intentIn(status as keyof typeof request)
    expect(columns.map((column) => told(forRequestPayment(intent, message(column), NOW)))).toEqual(
      expected,
    )
  })

  it.each(Object.entries(oneTime))("on a One-Time payment that is %s", (status, expected) => {
    const intent = oneTimeIn(status as keyof typeof oneTime)
    expect(columns.map((column) => told(forOneTimePay(intent, message(column), NOW)))).toEqual(
      expected,
    )
  })
})

describe("the money of a payment that could not be settled", () => {
  const failed = (value: number) =>
    intentIn("failed", { refunded: { ...NOTHING_REFUNDED, value, partials: 1 } })
  const late = { ...message("SUCCESS"), trade_no: "trade-1" }

  it("goes back, but for what refunds have given back", () => {
    const intent = failed(300)
    const own = { ...late, trade_no: intent.trade_no ?? late.trade_no }
    expect(told(forRequestPayment(intent, own, NOW))).toBe("refund")
    expect(lateAmount(intent, own)).toEqual({ currency: "USD", value: 399 })
    const other = { ...late, channel: "wallet_b" }
    expect(told(forRequestPayment(intent, other, NOW))).toBe("refund")
    expect(lateAmount(intent, other)).toEqual(intent.amount)
  })

  it("is not there any more where refunds have given back all of it", () => {
    expect(told(forRequestPayment(failed(699), message("SUCCESS"), NOW))).toBe("covered")
  })
})

describe("a callback of a channel that the payer did not choose", () => {
  it.each(Object.keys(request))("moves nothing on a payment that is %s", (status) => {
    const intent = intentIn(status as keyof typeof request)
    expect(
      columns.map((column) => told(forRequestPayment(intent, message(column, "wallet_b"), NOW))),
    ).toEqual(["nothing", "release", "refund", "nothing", "nothing", "nothing", "nothing"])
  })
})

describe("a callback while the payer can still choose", () => {
  const offer = { qr_data: "", scan_url: "", label: "" }
  const several = intentIn("qr_generated", {
    channel: null,
    offers: [
      { ...offer, channel: "wallet_a", charge_id: id("qr", 1) },
      { ...offer, channel: "wallet_b", charge_id: id("qr", 2) },
    ],
  })

  it("a channel that closes its own charge leaves the others to be paid", () => {
    expect(told(forRequestPayment(several, message("CLOSED"), NOW))).toBe("nothing")
  })

  it("a wallet's word moves the payment", () => {
    expect(told(forRequestPayment(several, message("REJECTED", "wallet_b"), NOW))).toBe("failed")
    expect(told(forRequestPayment(several, message("AUTHORIZED", "wallet_b"), NOW))).toBe(
      "scanned authorized",
    )
  })
})
