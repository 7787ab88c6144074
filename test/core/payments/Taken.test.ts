import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import { amountOf } from "../../../core/payments/Callback.ts"
import { checkCapture, otherCapture } from "../../../core/payments/CaptureInput.ts"
import { heldOf, releaseRest } from "../../../core/payments/HeldLimits.ts"
import { journalsOf } from "../../../core/payments/IntentJournals.ts"
import { view } from "../../../core/payments/IntentView.ts"
import type { RequestPayment } from "../../../core/payments/PaymentIntent.ts"
import { begun, NOTHING_REFUNDED, remaining, sharesOf } from "../../../core/payments/Refunded.ts"
import { takenOf } from "../../../core/payments/Taken.ts"
import { feesFrom } from "../../../core/pricing/Price.ts"
import { intentIn } from "../../support/records.ts"
import { callback } from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })

/** 699 USD settle to 600 EUR at 0.86, of which 3 are the service's and 4 the channel's. */
const exchanged = {
  settlement: { currency: "EUR", value: 600, rate: "0.86" },
  fees: feesFrom("EUR", 3, 1, 4),
} as const

const partly = (
  status: "capturing" | "captured" | "succeeded",
  capture_value?: number,
  said: object = {},
): RequestPayment => ({
  ...intentIn(status, { payee_account_id: "payee" }),
  ...exchanged,
  ...said,
  ...(capture_value !== undefined && { capture_value }),
})

describe("what a payee takes", () => {
  // captured, settlement, service fee, spread, channel fee
  it.each([
    [undefined, 600, 3, 1, 4],
    [698, 599, 3, 1, 4],
    [350, 300, 2, 1, 2],
    [233, 200, 1, 0, 1],
    [2, 1, 0, 0, 0],
    [1, 0, 0, 0, 0],
  ])("of 699 is %s with its shares", (value, settled, service, spread, channel) => {
    const { amount, fees, settlement } = takenOf(partly("captured", value))
    expect(amount).toEqual(usd(value ?? 699))
    expect(settlement).toEqual({ ...exchanged.settlement, value: settled })
    expect(fees).toEqual(feesFrom("EUR", service, spread, channel))
  })

  it("is what a capture of the whole and a refund of the rest would leave", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 10 ** 12 }),
        fc.integer({ min: 1, max: 10 ** 12 }),
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (whole, settled, fee, part) => {
          const value = 1 + Math.floor(part * (whole - 1))
          const payment = {
            amount: usd(whole),
            settlement: { currency: "EUR", value: settled, rate: "1" },
            fees: feesFrom("EUR", fee, 0, 0),
            refunded: NOTHING_REFUNDED,
          }
          const back = sharesOf(payment, whole - value)
          const { settlement } = takenOf({ ...payment, capture_value: value })
          expect(settlement.value).toBe(settled - back.settlement.value)
        },
      ),
    )
  })

  it("is shown once it is captured, and the amount stays", () => {
    expect(view(partly("capturing", 350), 0, "payee")).toMatchObject({
      amount: usd(699),
      settlement: { value: 600 },
    })
    expect(view(partly("capturing", 350), 0, "payee")).not.toHaveProperty("captured_amount")
    expect(view(partly("captured"), 0, "payee")).not.toHaveProperty("captured_amount")
    expect(view(partly("captured", 350), 0, "payee")).toMatchObject({
      amount: usd(699),
      captured_amount: usd(350),
      settlement: { currency: "EUR", value: 300, rate: 0.86 },
      fees: { service: { value: 2 }, total: { value: 5 } },
    })
  })

  it("is what the ledger enters", () => {
    const [captured] = journalsOf(partly("capturing", 350), partly("captured", 350))
    expect(captured?.lines.map(({ amount }) => amount)).toEqual([350, -350])
    const [settled, fees] = journalsOf(partly("captured", 350), partly("succeeded", 350))
    const wallet = settled?.lines.find(({ ledger_account: on }) => on === "merchant_wallet")
    expect(wallet?.amount).toBe(-300)
    expect(fees?.lines.map(({ amount }) => amount)).toEqual([4, -2, -2])
  })
})

describe("refunds of a part", () => {
  it("end at what was captured, and the last takes the rest of each part", () => {
    const payment = partly("succeeded", 350)
    expect(remaining(payment)).toBe(350)
    const whole = sharesOf(payment, 350)
    expect(whole).toMatchObject({ partial: false, settlement: { value: 300 } })
    const first = sharesOf(payment, 100)
    const left = { ...payment, refunded: begun(payment.refunded, first) }
    const last = sharesOf(left, 250)
    expect(first.settlement.value + last.settlement.value).toBe(300)
    expect(first.service_fee.value + last.service_fee.value).toBe(2)
    expect([first.partial, last.partial]).toEqual([true, true])
  })
})

describe("what a payment counts against limits", () => {
  const sums = { value: 699, counters: ["cap"] }
  const spending = { cents: 699, counters: ["day"], capped: sums, keyed: [sums] }

  it("is less by what was not captured, rounded up", () => {
    const before = partly("capturing", 350, { spending })
    const after = partly("captured", 350, { spending })
    expect(heldOf(before)).toBe(spending)
    expect(heldOf(after)).toMatchObject({ cents: 350, capped: { value: 350 } })
    expect(heldOf(partly("captured", 1, { spending: { ...spending, cents: 10 } }))?.cents).toBe(1)
    expect(releaseRest(before, after)).toEqual([
      { counter: "day", add: -349, limit: 0 },
      { counter: "cap", add: -349, limit: 0 },
      { counter: "cap", add: -349, limit: 0 },
    ])
    expect(releaseRest(after, partly("succeeded", 350, { spending }))).toEqual([])
    expect(releaseRest(partly("capturing"), partly("captured"))).toEqual([])
  })
})

describe("the amount of a callback", () => {
  it.each([
    ["SUCCESS", "trade-1", 350],
    ["SETTLEMENT_FAILED", "trade-1", 350],
    ["AUTHORIZED", "trade-1", 699],
    ["SCANNED", "trade-1", 699],
    // Another trade is money that came twice.
    ["SUCCESS", "trade-2", 699],
  ] as const)("that says %s of %s is %d", (trade_status, trade_no, value) => {
    const intent = partly("captured", 350, { trade_no: "trade-1" })
    const said = callback({ out_trade_no: intent.id, trade_no, trade_status })
    expect(amountOf(intent, said)).toEqual(usd(value))
  })
})

describe("a capture that is asked for", () => {
  const authorized = { ...intentIn("authorized"), ...exchanged }
  const wallet = find(defaultCatalog, "wallet_a")
  const bank = find(defaultCatalog, "bank_qr_a")
  const whole = find(defaultCatalog, "bank_qr_b")

  it.each([
    ["nothing", {}, undefined],
    ["the whole", { amount: usd(699) }, undefined],
    ["a part", { amount: usd(350) }, 350],
    ["the least", { amount: usd(2) }, 2],
  ])("of %s is taken", (_, input, value) => {
    expect(checkCapture(authorized, input, wallet)).toMatchObject({ success: value })
  })

  it.each([
    ["too much", usd(700), wallet, "amount.value", "must be at most 699"],
    ["another currency", { currency: "EUR", value: 9 }, wallet, "amount.currency", "must be USD"],
    ["what settles to nothing", usd(1), wallet, "amount.value", "one minor unit of EUR"],
    ["a part at a bank", usd(350), bank, "amount.value", "then refund the rest"],
    ["a part at a bank without part refunds", usd(350), whole, "amount.value", "refunds no parts"],
    ["a part at no channel", usd(350), undefined, "amount.value", "must be 699"],
  ])("of %s is refused", (_, amount, channel, field, constraint) => {
    expect(checkCapture(authorized, { amount }, channel)).toMatchObject({
      failure: { code: "INVALID_AMOUNT", field },
    })
    const failed = checkCapture(authorized, { amount }, channel)
    expect(JSON.stringify(failed)).toContain(constraint)
  })

  it("again is the same, or says what was captured", () => {
    expect(otherCapture(partly("captured", 350), { amount: usd(350) })).toBeUndefined()
    expect(otherCapture(partly("captured"), {})).toBeUndefined()
    expect(otherCapture(partly("captured"), { amount: usd(699) })).toBeUndefined()
    for (const input of [{}, { amount: usd(349) }, { amount: { currency: "EUR", value: 350 } }]) {
      expect(otherCapture(partly("captured", 350), input)).toMatchObject({
        code: "INVALID_TRANSITION",
        details: { captured_amount: usd(350) },
      })
    }
    expect(otherCapture(partly("captured"), { amount: usd(350) })?.message).toContain("699")
  })
})
