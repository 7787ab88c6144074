import { expect, test } from "vitest"
import type { WebhookOutcome } from "../../../core/webhooks/deliveries/WebhookOutcome.ts"
import { DELIVERY_SHARES } from "../../../core/webhooks/deliveries/Share.ts"
import { sellerShares } from "../../../core/revocations/sellerShares.ts"
import { Receivers } from "../../../core/work/Receivers.ts"

const QUICK = { status: 200, duration_ms: 5 }
const DEAD = { status: null, duration_ms: 5_000 }

/** Returns the rest of a receiver's share, as a claim sees it. */
const leftOf = (receivers: Receivers<WebhookOutcome | undefined>, id: string): number => {
  const { each, left } = receivers.shares()
  return left.get(id) ?? each
}

/** One attempt after another. */
const attempts = (
  receivers: Receivers<WebhookOutcome | undefined>,
  id: string,
  count: number,
  outcome: typeof DEAD | typeof QUICK,
) => {
  for (let n = 0; n < count; n++) {
    receivers.begin(id)
    receivers.learn(id, outcome)
    receivers.end(id)
  }
}

test("what is under way counts against the share until it ends", () => {
  const receivers = new Receivers(1_024, DELIVERY_SHARES)
  for (let n = 0; n < 9; n++) receivers.begin("a")
  expect(leftOf(receivers, "a")).toBe(0)
  expect(leftOf(receivers, "b")).toBe(8)
  receivers.end("a")
  receivers.end("a")
  expect(leftOf(receivers, "a")).toBe(1)
})

test.each([
  ["a quick receiver keeps the share that it has earned", QUICK, 20, 28],
  ["its share has an end", QUICK, 200, 64],
  ["a dead receiver has the least share", DEAD, 5, 16],
])("between its attempts %s", (_, outcome, count, left) => {
  const receivers = new Receivers(1_024, DELIVERY_SHARES)
  attempts(receivers, "a", count, outcome)
  expect(leftOf(receivers, "a")).toBe(left)
})

test("of many quick receivers those used last are remembered, and dead ones beside them", () => {
  const receivers = new Receivers(1_024, DELIVERY_SHARES)
  attempts(receivers, "dead", 5, DEAD)
  for (let n = 0; n < 501; n++) attempts(receivers, `quick ${n}`, 2, QUICK)
  expect(leftOf(receivers, "quick 0")).toBe(8)
  expect(leftOf(receivers, "quick 1")).toBe(10)
  expect(leftOf(receivers, "dead")).toBe(16)
  expect(receivers.shares().left.size).toBe(501)
})

test("many dead receivers share a quarter of the hands", () => {
  const receivers = new Receivers(1_024, DELIVERY_SHARES)
  for (let n = 0; n < 128; n++) attempts(receivers, `dead ${n}`, 5, DEAD)
  expect(leftOf(receivers, "dead 7")).toBe(2)
  receivers.begin("dead 7")
  expect(leftOf(receivers, "dead 7")).toBe(1)
})

test("who was slow once takes nothing from the share of a seller that hangs", () => {
  const sellers = new Receivers(64, sellerShares(64))
  const asked = (id: string, count: number) => {
    for (let n = 0; n < count; n++) {
      sellers.begin(id)
      sellers.learn(id, 4_000)
      sellers.end(id)
    }
  }
  for (let n = 0; n < 40; n++) asked(`slow once ${n}`, 1)
  asked("hangs", 6)
  const { left } = sellers.shares()
  expect(left.get("slow once 7")).toBe(32)
  expect(left.get("hangs")).toBe(16)
})
