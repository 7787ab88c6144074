import { describe, expect, test } from "vitest"
import * as TokenBucket from "../../../../adapters/channels/rate/TokenBucket.ts"

const RATE = 150

/** How many of the attempts at these times get a token. */
const granted = (...times: ReadonlyArray<number>): number => {
  let bucket = TokenBucket.full(RATE, 0)
  let count = 0
  for (const at of times) {
    const taken = TokenBucket.take(bucket, RATE, at)
    if (taken === undefined) continue
    bucket = taken
    count += 1
  }
  return count
}

const attempts = (count: number, at: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => at(n))

describe("a rate of 150 a second", () => {
  test.each([
    ["a burst of a second's worth and no more", attempts(200, () => 0), 150],
    ["nothing more at once after it", [...attempts(150, () => 0), 1], 150],
    ["one more after 7 ms", [...attempts(150, () => 0), 7], 151],
    ["a full second's worth after a second", attempts(400, (n) => (n < 200 ? 0 : 1_000)), 300],
    ["no more than that after an hour", attempts(400, (n) => (n < 200 ? 0 : 3_600_000)), 300],
    ["an even stream of 150 a second", attempts(900, (n) => Math.ceil((n * 1_000) / 150)), 900],
    ["of twice the stream half, and the burst", attempts(600, (n) => (n * 1_000) / 300), 449],
    ["nothing for a clock that is set back", [...attempts(150, () => 5_000), 0, 1], 150],
  ] as const)("gives %s", (_name, times, count) => {
    expect(granted(...times)).toBe(count)
  })

  test("tells those who wait when their turn comes", () => {
    let bucket = TokenBucket.full(RATE, 0)
    const waits: Array<number> = []
    for (let n = 0; n < 153; n++) {
      const promised = TokenBucket.promise(bucket, RATE, 0)
      bucket = promised.bucket
      waits.push(promised.wait)
    }
    expect(waits.slice(148)).toEqual([0, 0, 7, 14, 20])
    expect(TokenBucket.hasToken(bucket, RATE, 20)).toBe(false)
    expect(TokenBucket.hasToken(bucket, RATE, 27)).toBe(true)
  })
})
