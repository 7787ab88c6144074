import { expect, test } from "vitest"
import { Unanswered } from "../../../adapters/mcp/Unanswered.ts"

const request = (id: number, method = "tools/list") => ({ jsonrpc: "2.0" as const, id, method })
const answer = (id: number) => ({ jsonrpc: "2.0" as const, id, result: {} })
const cancelled = (requestId: number) => ({
  jsonrpc: "2.0" as const,
  method: "notifications/cancelled",
  params: { requestId },
})

const isSettled = async (promise: Promise<void>): Promise<boolean> =>
  Promise.race([promise.then(() => true), new Promise<false>((no) => setImmediate(no, false))])

test("a request is unanswered until its answer is sent, or until it is cancelled", async () => {
  const unanswered = new Unanswered()
  expect(await isSettled(unanswered.none())).toBe(true)
  for (const id of [1, 2, 3]) unanswered.received(request(id))
  const none = unanswered.none()
  unanswered.sent(answer(1))
  unanswered.received(cancelled(2))
  unanswered.sent(request(3))
  expect(await isSettled(none)).toBe(false)
  unanswered.sent(answer(3))
  expect(await isSettled(none)).toBe(true)
})

test("a request for changes is not waited for", async () => {
  const unanswered = new Unanswered()
  unanswered.received(request(1, "subscriptions/listen"))
  unanswered.received({ jsonrpc: "2.0", method: "notifications/initialized" })
  expect(await isSettled(unanswered.none())).toBe(true)
})
