import { describe, expect, test } from "vitest"
import * as Breaker from "../../../../adapters/channels/http/Breaker.ts"
import { HOUR, MINUTE, SECOND } from "../../../../core/shared/Timestamp.ts"

type Step = "fail" | "answer" | "admit"

/** Plays steps at their times; returns which calls were admitted, and the breaker's final state. */
const play = (...steps: ReadonlyArray<readonly [at: number, step: Step]>) => {
  let breaker = Breaker.closed
  const admitted: Array<boolean> = []
  for (const [at, step] of steps) {
    if (step === "fail") breaker = Breaker.failed(breaker, at)
    else if (step === "answer") breaker = Breaker.answered(breaker)
    else {
      const admission = Breaker.admit(breaker, at)
      admitted.push(admission.admitted)
      breaker = admission.breaker
    }
  }
  return { breaker, admitted }
}

const failures = (times: number, at = 0): Array<readonly [number, Step]> =>
  Array.from({ length: times }, () => [at, "fail"] as const)

test("a breaker is a number for a metric: closed, on trial or open", () => {
  const levels = [[], failures(5), [...failures(5), [5_000, "admit"] as const]].map((steps) =>
    Breaker.levelOf(play(...steps).breaker, 1_000),
  )
  expect(levels).toEqual([0, 2, 1])
})

describe("the breaker of a channel", () => {
  test.each([
    ["is closed at first", [[0, "admit"]], "closed", [true]],
    ["stays closed for four failures", [...failures(4), [0, "admit"]], "closed", [true]],
    ["opens with the fifth", [...failures(5), [0, "admit"]], "open", [false]],
    [
      "counts from the last answer",
      [...failures(4), [0, "answer"], ...failures(4), [0, "admit"]],
      "closed",
      [true],
    ],
    [
      "lets one call through after five seconds",
      [...failures(5), [4_999, "admit"], [5_000, "admit"], [5_001, "admit"]],
      "half_open",
      [false, true, false],
    ],
    [
      "closes when that call is answered",
      [...failures(5), [5_000, "admit"], [5_001, "answer"], [5_002, "admit"]],
      "closed",
      [true, true],
    ],
    [
      "opens for twice as long when it is not",
      [...failures(5), [5_000, "admit"], [6_000, "fail"], [15_999, "admit"], [16_000, "admit"]],
      "half_open",
      [true, false, true],
    ],
    [
      "tries again when nobody tells how the call ended",
      [...failures(5), [5_000, "admit"], [19_999, "admit"], [20_000, "admit"]],
      "half_open",
      [true, false, true],
    ],
    [
      "takes no answer to an older call for the end",
      [...failures(5), [1, "answer"], [2, "admit"]],
      "open",
      [false],
    ],
    [
      "waits for no time that a clock which was set back has gone away from",
      [...failures(5, HOUR), [0, "admit"], [1, "admit"]],
      "half_open",
      [true, false],
    ],
    [
      "nor for the end of a trial of that time",
      [...failures(5, HOUR), [HOUR + 5_000, "admit"], [0, "admit"]],
      "half_open",
      [true, true],
    ],
    ["is not prolonged by older calls", [...failures(9), [5_000, "admit"]], "half_open", [true]],
  ] as ReadonlyArray<
    readonly [string, ReadonlyArray<readonly [number, Step]>, string, ReadonlyArray<boolean>]
  >)("%s", (_name, steps, type, admitted) => {
    const played = play(...steps)
    expect(played.breaker.type).toBe(type)
    expect(played.admitted).toEqual(admitted)
  })

  test("is never open for more than five minutes", () => {
    let at = 0
    let { breaker } = play(...failures(5))
    for (let round = 0; round < 20; round++) {
      at += 5 * MINUTE
      const admission = Breaker.admit(breaker, at)
      expect(admission.admitted).toBe(true)
      breaker = Breaker.failed(admission.breaker, at)
    }
    expect(Breaker.isOpen(breaker, at + 5 * MINUTE - 1)).toBe(true)
    expect(Breaker.isOpen(breaker, at + 5 * MINUTE)).toBe(false)
    expect(Breaker.isOpen(Breaker.closed, at + SECOND)).toBe(false)
  })
})
