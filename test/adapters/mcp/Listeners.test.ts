import { expect, test } from "vitest"
import { Listeners } from "../../../adapters/mcp/Listeners.ts"

const setUp = () => new Listeners({ subscriptions: 6, subscriptionsOfHolder: 2 })

test("callers without a key have half of the streams, and an address its share of them", () => {
  const listeners = setUp()
  const taken = ["a", "a", "a", "b", "b"].map((address) => listeners.take(undefined, address))
  expect(taken.map((leave) => leave !== undefined)).toEqual([true, true, false, true, false])
  taken[0]?.()
  expect(listeners.take(undefined, "a")).toBeDefined()
})

test("a key has its share, wherever it comes from", () => {
  const listeners = setUp()
  const taken = ["a", "b", "c"].map((address) => listeners.take("key_a", address))
  expect(taken.map((leave) => leave !== undefined)).toEqual([true, true, false])
  taken[1]?.()
  expect(listeners.take("key_a", "c")).toBeDefined()
})
