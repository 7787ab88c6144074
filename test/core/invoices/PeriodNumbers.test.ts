import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { chargeOf, invoiceOf, isLate } from "../../../core/invoices/PeriodNumbers.ts"
import { drawnAt, isId, uuidAt } from "../../../core/shared/Id.ts"
import { id, T0 } from "../../support/records.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const period = { of: id("sub", 1), number: 3, due: T0 }
const drawn = (after: number) => uuidAt(T0 + after, "0".repeat(64))
const LATER = drawn(5_000)
const numbered = (said: object = {}) => ({
  id: invoiceOf({ ...period, ...said }, sha256, LATER),
  created_at: T0,
})
const invoice = numbered()
const charge = (of: typeof invoice) => chargeOf(of, sha256, LATER)

describe("the numbers of a period", () => {
  it("are the same whenever they are made, with the time when it was due", () => {
    expect(invoiceOf(period, sha256, drawn(9_000))).toBe(invoice.id)
    expect(chargeOf(invoice, sha256, drawn(9_000))).toBe(charge(invoice))
    expect(isId("inv", invoice.id)).toBe(true)
    expect(isId("pi", charge(invoice))).toBe(true)
    expect(drawnAt(invoice.id)).toBe(T0)
    expect(drawnAt(charge(invoice))).toBe(T0)
  })

  it.each([
    ["another subscription", { of: id("sub", 2) }],
    ["a tab with the same number", { of: id("tab", 1) }],
    ["another period", { number: 4 }],
    ["a period that ends at another time", { due: T0 + 1 }],
  ])("differ from those of %s", (_what, other) => {
    const another = numbered(other)
    expect(another.id).not.toBe(invoice.id)
    expect(charge(another).slice(-20)).not.toBe(charge(invoice).slice(-20))
  })

  it("are drawn where ids have an earlier time, as in a sandbox whose clock is ahead", () => {
    expect(invoiceOf(period, sha256, drawn(-1))).toBe(`inv_${drawn(-1)}`)
    expect(chargeOf(invoice, sha256, drawn(-1))).toBe(`pi_${drawn(-1)}`)
    expect(invoiceOf(period, sha256, drawn(0))).toBe(invoice.id)
    expect(chargeOf(invoice, sha256, drawn(0))).toBe(charge(invoice))
  })
})

describe("a charge", () => {
  const PERIOD = { period_start: T0, period_end: T0 + 90_000 }

  it.each([
    ["a subscription", id("sub", 1), -30_000, false],
    ["a subscription", id("sub", 1), 0, false],
    ["a subscription", id("sub", 1), 60_000, false],
    ["a subscription", id("sub", 1), 60_001, true],
    ["a tab", null, 150_000, false],
    ["a tab", null, 150_001, true],
  ])("of %s (%s) that begins %d milliseconds after its period: late %s", (_, of, after, late) => {
    expect(isLate({ subscription: of, ...PERIOD }, T0 + after)).toBe(late)
  })
})
