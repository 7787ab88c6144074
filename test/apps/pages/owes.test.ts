import { expect, test } from "vitest"
import { owes } from "../../../apps/pages/console/data/owes.ts"
import type { Session } from "../../../apps/pages/console/data/session.ts"

const ends = { mode: "sandbox", ends_at: "2026-01-31T08:00:00.000Z", exponents: {} } as const
const account = { agent_id: "own-agent", id: "acct_1", name: "Own", plan: "starter" } as const
const as = (role: "buyer" | "seller"): Session => ({
  ...ends,
  role,
  account,
  api_key_id: "key_1",
  restrictions: null,
})

test.each([
  ["a buyer", as("buyer"), "own-agent", true],
  ["a buyer for another agent of its account", as("buyer"), "other-agent", true],
  ["a seller that has subscribed itself", as("seller"), "own-agent", true],
  ["a seller whose buyer has subscribed", as("seller"), "other-agent", false],
  ["an operator", { ...ends, role: "operator", name: null, roles: [] } as const, "a", false],
])("%s owes an invoice, or is owed it", (_, session, agent_id, isOwing) => {
  expect(owes(session, { agent_id })).toBe(isOwing)
})
