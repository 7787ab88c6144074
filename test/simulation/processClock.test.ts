import { describe, expect, test } from "vitest"
import { JUMP } from "../../simulator/faults/serviceFaults.ts"
import { NO_FAULTS } from "../../simulator/faults/Faults.ts"
import { FaultLog } from "../../simulator/faults/Fault.ts"
import { makeChance } from "../../simulator/random/Chance.ts"
import { ClockError } from "../../simulator/world/processes/ProcessClock.ts"
import type { Stage } from "../../simulator/world/Stage.ts"

const SKEW = 150_000

/** Draws a clock that is far ahead and jumps back to nearly right, for a minute. */
const jumping = () => {
  let now = 0
  const drawn = [SKEW, 60_000, -SKEW]
  const chance = (name: string) => ({
    ...makeChance(name),
    hits: () => name.startsWith("clock of"),
    wait: () => 1_000,
    int: () => drawn.shift() ?? 0,
  })
  const faults = { ...NO_FAULTS, clock_jumped: 1, clock_skew_ms: SKEW }
  const stage = { now: () => now, chance, faults: () => faults, log: new FaultLog(undefined) }
  const error = new ClockError(stage as unknown as Stage, "a process")
  return (at: number) => {
    now = at
    return { ahead: error.ahead(), noticed: error.noticed() }
  }
}

describe("a clock that jumps", () => {
  test("and was wrong before is seen to be wrong as soon as its jump ends", () => {
    const at = jumping()
    expect(JUMP).toBeGreaterThan(SKEW)
    expect(at(999)).toEqual({ ahead: SKEW, noticed: SKEW })
    expect(at(1_000)).toEqual({ ahead: 0, noticed: 0 })
    expect(at(60_999)).toEqual({ ahead: 0, noticed: 0 })
    expect(at(61_000)).toEqual({ ahead: SKEW, noticed: SKEW })
  })
})
