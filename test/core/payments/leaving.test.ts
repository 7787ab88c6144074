import { describe, expect, it } from "vitest"
import { leavesAt, type PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { id, intentIn, oneTimeFacts, oneTimeIn, requestFacts } from "../../support/records.ts"

const known = { trade_no: null, channel_asks: null }
const every: ReadonlyArray<PaymentIntent> = [
  ...Object.keys(requestFacts).map((status) =>
    intentIn(status as keyof typeof requestFacts, known),
  ),
  ...Object.keys(oneTimeFacts).map((status) =>
    oneTimeIn(status as keyof typeof oneTimeFacts, known),
  ),
]

describe("a payment that has ended", () => {
  it.each(every)("leaves if nobody has begun to make it: $flow $status", (intent) => {
    const leaves = leavesAt(intent)
    const isScanned = "scanned_at" in intent && intent.scanned_at !== undefined
    const isLeaving = ["expired", "cancelled", "voided"].includes(intent.status) && !isScanned
    expect(leaves).toBe(isLeaving && "ended_at" in intent ? intent.ended_at + 30 * DAY : null)
    expect(leavesAt({ ...intent, trade_no: "trade-1" })).toBeNull()
    expect(leavesAt({ ...intent, channel_asks: 1 })).toBeNull()
    expect(leavesAt({ ...intent, invoice: id("inv", 1) })).toBeNull()
  })

  it("is some of each flow that leave", () => {
    const left = every.filter((intent) => leavesAt(intent) !== null)
    expect(left.map(({ flow, status }) => `${flow} ${status}`)).toContain("one_time_pay expired")
  })
})
