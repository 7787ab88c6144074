import { expect, test } from "vitest"
import { makeClock } from "../../../apps/server/fixture/FixtureClock.ts"

const DAY = 86_400

test("a fixture's clock moves by a year in requests of a week", async () => {
  const began = Date.now()
  const asked: Array<number> = []
  const clock = makeClock({
    advanceClock: async ({ seconds }) => {
      asked.push(seconds)
      const moved = asked.reduce((sum, one) => sum + one, 0)
      return { now: new Date(began + moved * 1_000).toISOString(), ran: 0 }
    },
  })
  const now = await clock.advance("366 days")
  expect(Math.max(...asked)).toBe(7 * DAY)
  expect(asked.reduce((sum, one) => sum + one, 0)).toBe(366 * DAY)
  expect(Math.abs(now.getTime() - began - 366 * DAY * 1_000)).toBeLessThan(60_000)
})

test("a fixture's clock shows how far it came where a request fails", async () => {
  const began = Date.now()
  let asked = 0
  const clock = makeClock({
    advanceClock: async () => {
      asked += 1
      if (asked === 3) throw new Error("Nobody answers.")
      return { now: new Date(began + asked * 7 * DAY * 1_000).toISOString(), ran: 0 }
    },
  })
  await expect(clock.advance("30 days")).rejects.toThrow("Nobody answers.")
  expect(Math.abs(clock.now().getTime() - began - 14 * DAY * 1_000)).toBeLessThan(60_000)
})
