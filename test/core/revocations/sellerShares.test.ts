import { expect, test } from "vitest"
import { sellerShares } from "../../../core/revocations/sellerShares.ts"

const { first, next } = sellerShares(64)

test.each([
  ["nothing is known", undefined, undefined, 64],
  ["an answer takes its time", 64, 3_000, 64],
  ["an answer takes too long", 64, 3_001, 32],
  ["none comes in time", 3, 5_000, 1],
  ["one hand is left", 1, 5_000, 1],
  ["it comes back", 1, 2_500, 2],
])("where %s, the hands for a seller are as many as they should be", (_, share, took, hands) => {
  expect(share === undefined ? first : next(share, took)).toBe(hands)
})
