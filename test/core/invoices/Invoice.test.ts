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
    ["after hours", 5 * HOUR, 5 * HOUR],
    ["after a day", DAY, 6 * HOUR],
    ["near the end of its term", 7 * DAY - HOUR, HOUR],
  ])("%s: is tried again after some time", (_, waited, wait) => {
    const later = collectedLater(invoice, T0 + waited)
    expect(later).toEqual({ ...invoice, due_at: T0 + waited + wait })
  })
})
