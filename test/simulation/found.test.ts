import { describe, expect, test } from "vitest"
import { simulate } from "../../simulator/simulate.ts"

/** Seeds that broke an invariant once, with what the core did wrong. */
const FOUND = [
  [24, 30, "a capture that a crashed process had begun was answered as if it were not"],
  [8, 30, "the same, with a pause in between"],
  [1, 13, "a refusal that overtook the authorization left its hold standing"],
  [25, 13, "the same, in another order"],
  [35, 13, "the same, after the payment had failed"],
  [31, 14, "a code that was sent late took the place of the one after it"],
  [3, 13, "an exchange rate of zero was divided by"],
] as const

describe("what was found once", () => {
  test.each(FOUND)("seed %i of %i payments is sound: %s", (seed, intents) => {
    expect(simulate({ seed, intents }).violations).toEqual([])
  })
})
