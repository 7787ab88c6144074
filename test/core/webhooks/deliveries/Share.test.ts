import { expect, test } from "vitest"
import { leastShare, nextShare } from "../../../../core/webhooks/deliveries/Share.ts"

const outcome = (status: number | null, duration_ms = 5) => ({ status, duration_ms })

test.each([
  ["nobody answers", 8, outcome(null, 5_000), 4],
  ["the receiver is in trouble", 9, outcome(503), 4],
  ["the receiver asks for less", 8, outcome(429), 4],
  ["one is left", 1, outcome(null), 1],
  ["the answer takes long", 16, outcome(200, 1_001), 8],
  ["all answers take long", 4, outcome(200, 4_000), 4],
  ["a slow one answers again", 1, outcome(200, 4_000), 4],
  ["it is taken at once", 1, outcome(200), 2],
  ["it is refused at once", 8, outcome(404), 9],
  ["there are many", 64, outcome(204), 64],
  ["nothing is sent", 1, undefined, 2],
  ["nothing of many is sent", 64, undefined, 64],
])("where %s, %i attempts at a time become as many as they should", (_, share, made, next) => {
  expect(nextShare(share, made)).toBe(next)
})

test("a receiver that comes back is soon as it was", () => {
  let share = 64
  for (let n = 0; n < 10; n++) share = nextShare(share, outcome(null))
  expect(share).toBe(1)
  for (let n = 0; n < 7; n++) share = nextShare(share, outcome(200))
  expect(share).toBe(8)
})

test.each([
  [1_024, 0, 16],
  [1_024, 1, 16],
  [1_024, 16, 16],
  [1_024, 17, 15],
  [1_024, 100, 2],
  [1_024, 5_000, 1],
])(
  "of %i hands, each of %i receivers in trouble has at least %i times one",
  (hands, many, least) => {
    expect(leastShare(hands, many)).toBe(least)
  },
)
