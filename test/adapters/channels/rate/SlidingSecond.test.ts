import { array, assert, constantFrom, integer, property, record } from "fast-check"
import { describe, expect, test } from "vitest"
import { SlidingSecond } from "../../../../adapters/channels/rate/SlidingSecond.ts"

const RATE = 150

/** Returns how many of the attempts at these times are sent. */
const sent = (...times: ReadonlyArray<number>): number => {
  const second = new SlidingSecond(RATE)
  return times.filter((at) => second.promise(at, 0) !== undefined).length
}

const attempts = (count: number, at: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => at(n))

describe("a rate of 150 a second", () => {
  test.each([
    ["nothing beyond a burst of a second's worth", attempts(200, () => 0), 150],
    ["nothing more a moment after it", [...attempts(150, () => 0), 1, 500, 999], 150],
    ["one more a second after the first", [...attempts(150, (n) => n), 999, 1_000, 1_000], 151],
    ["a full second's worth after a second", attempts(400, (n) => (n < 200 ? 0 : 1_000)), 300],
    ["no more than that after an hour", attempts(400, (n) => (n < 200 ? 0 : 3_600_000)), 300],
    ["an even stream of 150 a second", attempts(900, (n) => Math.ceil((n * 1_000) / 150)), 900],
    ["half of twice that stream", attempts(600, (n) => (n * 1_000) / 300), 300],
    ["nothing to a clock that is set back", [...attempts(150, () => 5_000), 0, 999], 150],
    ["a second later to that clock", [...attempts(150, () => 5_000), 0, 1_000], 151],
    ["no double burst around a second's end", attempts(300, (n) => (n < 150 ? 999 : 1_001)), 150],
  ] as const)("sends %s", (_name, times, count) => {
    expect(sent(...times)).toBe(count)
  })

  test("tells those who wait when their turn comes", () => {
    const second = new SlidingSecond(RATE)
    const waits = attempts(452, () => second.promise(0, 2_000) ?? -1)
    expect([0, 149, 150, 299, 300, 449, 450].map((n) => waits[n])).toEqual([
      0, 0, 1_000, 1_000, 2_000, 2_000, -1,
    ])
    expect(second.isFree(2_999)).toBe(false)
    expect(second.isFree(3_000)).toBe(true)
  })
})

test("no second has more than the rate, whoever waits and whoever does not", () => {
  const step = record({
    after: integer({ min: 0, max: 400 }),
    longest: constantFrom(0, 0, 3_000),
  })
  assert(
    property(integer({ min: 1, max: 5 }), array(step, { maxLength: 60 }), (rate, steps) => {
      const second = new SlidingSecond(rate)
      let now = 0
      const times: Array<number> = []
      for (const { after, longest } of steps) {
        now += after
        const free = second.isFree(now)
        const wait = second.promise(now, longest)
        expect(wait === 0).toBe(free)
        if (wait !== undefined) times.push(now + wait)
      }
      for (const [n, at] of times.entries()) {
        expect(at - (times[n - rate] ?? -Infinity)).toBeGreaterThanOrEqual(1_000)
      }
    }),
  )
})
