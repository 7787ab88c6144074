import { assert, describe, it } from "@effect/vitest"
import {
  MOST_PAUSES,
  type Pause,
  pausesAfter,
  type Standing,
  standingAt,
} from "../../../core/registry/Pauses.ts"

const ONE: ReadonlyArray<Pause> = [{ from: 10, to: 20 }]
const TWO: ReadonlyArray<Pause> = [...ONE, { from: 30, to: 40 }]
const RUNNING: ReadonlyArray<Pause> = [...ONE, { from: 30, to: null }]

/** The pauses of a service, when it was deprecated, a time, and what it was then. */
const STANDINGS: ReadonlyArray<
  readonly [ReadonlyArray<Pause>, deprecated: number | null, at: number, Standing]
> = [
  [[], null, 15, "offered"],
  [ONE, null, 9, "offered"],
  [ONE, null, 10, "paused"],
  [ONE, null, 19, "paused"],
  [ONE, null, 20, "offered"],
  [TWO, null, 25, "offered"],
  [TWO, null, 35, "paused"],
  [TWO, null, 50, "offered"],
  [RUNNING, null, 15, "paused"],
  [RUNNING, null, 29, "offered"],
  [RUNNING, null, 30, "paused"],
  [RUNNING, null, 1_000, "paused"],
  [[], 30, 29, "offered"],
  [[], 30, 30, "ended"],
  [[], 30, 1_000, "ended"],
  [TWO, 40, 39, "paused"],
  [TWO, 40, 40, "ended"],
]

describe("what a service was at a time", () => {
  it.each(STANDINGS)("%j, deprecated at %j: at %d %s", (pauses, deprecated_at, at, standing) => {
    assert.strictEqual(standingAt({ pauses, deprecated_at }, at), standing)
  })

  it("has ended if it does not exist any more", () => {
    assert.strictEqual(standingAt(undefined, 0), "ended")
  })
})

describe("the pauses after a move", () => {
  it("begin and end with it, also by a deprecation", () => {
    const paused = pausesAfter({ pauses: ONE, status: "active" }, "paused", 30)
    assert.deepStrictEqual(paused, RUNNING)
    for (const next of ["active", "deprecated"] as const) {
      assert.deepStrictEqual(pausesAfter({ pauses: paused, status: "paused" }, next, 40), TWO)
    }
    assert.deepStrictEqual(pausesAfter({ pauses: TWO, status: "active" }, "deprecated", 50), TWO)
  })

  it("are not more than a service keeps, and cover every earlier one", () => {
    let pauses: ReadonlyArray<Pause> = []
    for (let n = 0; n < 3 * MOST_PAUSES; n++) {
      pauses = pausesAfter({ pauses, status: "active" }, "paused", 10 * n)
      pauses = pausesAfter({ pauses, status: "paused" }, "active", 10 * n + 5)
    }
    assert.lengthOf(pauses, MOST_PAUSES)
    for (let n = 0; n < 3 * MOST_PAUSES; n++) {
      assert.strictEqual(standingAt({ pauses, deprecated_at: null }, 10 * n), "paused")
    }
    assert.strictEqual(standingAt({ pauses, deprecated_at: null }, 30 * MOST_PAUSES - 1), "offered")
  })
})
