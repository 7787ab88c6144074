import { describe, expect, test } from "vitest"
import { collectedLater, draft } from "../../../core/invoices/Invoice.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { id, T0 } from "../../support/records.ts"

const invoice = draft(
  id("inv", 1),
  {
    account_id: id("acct", 1),
    payee_account_id: id("acct", 2),
    service_id: "service",
    subscription: null,
    tab: null,
    payer: { agent_id: "agent", human_id: null },
    lines: [],
    amount: { currency: "USD", value: 100 },
    period: 0,
    period_start: T0 - DAY,
    period_end: T0,
  },
  T0,
)

describe("a new invoice whose payer can neither be charged nor asked", () => {
  test.each([
    ["at once", 0, MINUTE],
    ["within the first minute", 10 * SECOND, MINUTE],
    ["later", 4 * MINUTE, 4 * MINUTE],
    ["after hours", 5 * HOUR, 3 * HOUR],
    ["after a day", DAY, 3 * HOUR],
    ["near the end of its term", 7 * DAY - HOUR, HOUR],
  ])("%s: is tried again after some time", (_, waited, wait) => {
    const later = collectedLater(invoice, T0 + waited)
    expect(later).toEqual({ ...invoice, due_at: T0 + waited + wait })
  })

  test.each([
    ["00000000", 0, MINUTE],
    ["80000000", 0, MINUTE + 30 * SECOND],
    ["40000000", 4 * MINUTE, 5 * MINUTE],
    ["ffffffff", 4 * MINUTE, 8 * MINUTE - 1],
    ["80000000", 4 * HOUR, 4.5 * HOUR],
    ["ffffffff", DAY, 6 * HOUR - 1],
    ["80000000", 7 * DAY - HOUR, HOUR],
  ])("is tried again by its id %s after %d ms, at a time of its own", (last, waited, wait) => {
    const own = { ...invoice, id: `${invoice.id.slice(0, -8)}${last}` }
    expect(collectedLater(own, T0 + waited).due_at).toBe(T0 + waited + wait)
  })
})
