import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { chargeOf, invoiceOf, isLate } from "../../../core/invoices/PeriodNumbers.ts"
import { drawnAt, isId } from "../../../core/shared/Id.ts"
import { id, T0 } from "../../support/records.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const period = { of: id("sub", 1), number: 3, due: T0 }
const invoice = { id: invoiceOf(period, sha256) }

describe("the numbers of a period", () => {
  it("are the same whenever they are made, with the time when it was due", () => {
    expect(invoiceOf({ ...period }, sha256)).toBe(invoice.id)
    expect(chargeOf({ ...invoice }, sha256)).toBe(chargeOf(invoice, sha256))
    expect(isId("inv", invoice.id)).toBe(true)
    expect(isId("pi", chargeOf(invoice, sha256))).toBe(true)
    expect(drawnAt(invoice.id)).toBe(T0)
    expect(drawnAt(chargeOf(invoice, sha256))).toBe(T0)
  })

  it.each([
    ["another subscription", { of: id("sub", 2) }],
    ["a tab with the same number", { of: id("tab", 1) }],
    ["another period", { number: 4 }],
    ["a period that ends at another time", { due: T0 + 1 }],
  ])("differ from those of %s", (_what, other) => {
    const another = { id: invoiceOf({ ...period, ...other }, sha256) }
    expect(another.id).not.toBe(invoice.id)
    expect(chargeOf(another, sha256).slice(-20)).not.toBe(chargeOf(invoice, sha256).slice(-20))
  })

  it.each([
    [-30_000, false],
    [0, false],
    [60_000, false],
    [60_001, true],
  ])("are late %d milliseconds after that: %s", (after, late) => {
    expect(isLate(invoice, T0 + after)).toBe(late)
  })
})
