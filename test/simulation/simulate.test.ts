import { describe, expect, test } from "vitest"
import { invariants } from "../../simulator/auditor/invariants.ts"
import { PROMISES } from "../../simulator/auditor/promises.ts"
import type { FaultInfo } from "../../simulator/faults/Fault.ts"
import { FAULTS, NO_FAULTS, WORST } from "../../simulator/faults/Faults.ts"
import { isSound } from "../../simulator/Report.ts"
import { simulate } from "../../simulator/perform.ts"

describe("a simulated world", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])("keeps every invariant: seed %i", (seed) => {
    const { violations } = simulate({ seed, intents: 30 })
    expect(violations).toEqual([])
  })

  test("goes through every status and fault, and looks at every invariant", () => {
    const drawn = [11, 12].map((seed) => simulate({ seed, intents: 80 }))
    const faults = { ...WORST, outages_per_hour: 4 }
    const worst = [1, 2, 4].map((seed) => simulate({ seed, intents: 80, faults }))
    // The worst of worlds captures, refunds and proves too little for what goes wrong with that.
    const rare = {
      authority_away: WORST.authority_away,
      code_delay_ms: WORST.code_delay_ms,
      code_doubled: WORST.code_doubled,
      capture_refused: WORST.capture_refused,
      receiver_turns: WORST.receiver_turns,
      refund_failed: WORST.refund_failed,
      refund_refused: WORST.refund_refused,
      refund_slow: WORST.refund_slow,
      revocation_failed: WORST.revocation_failed,
      settlement_failed: WORST.settlement_failed,
    }
    const milder = simulate({ seed: 3, intents: 80, faults: { ...NO_FAULTS, ...rare } })
    const reports = [...drawn, ...worst, milder]
    expect(reports.filter((report) => !isSound(report)).map(({ seed }) => seed)).toEqual([])
    const statuses = new Set(reports.flatMap((report) => Object.keys(report.statuses)))
    expect([...statuses].toSorted()).toEqual([
      "cancelled",
      "completed",
      "expired",
      "failed",
      "succeeded",
      "voided",
    ])
    const struck = new Set([...worst, milder].flatMap((report) => Object.keys(report.faults)))
    for (const [fault, info] of Object.entries<FaultInfo>(FAULTS)) {
      const name = info.counted_as === undefined ? fault : info.counted_as
      if (name !== null) expect(struck).toContain(name)
    }
    const late = reports.some((report) => (report.faults["refund_after_window"] ?? 0) > 0)
    expect(late).toBe(true)
    const unchecked = invariants.filter(({ number }) =>
      reports.every((report) =>
        report.invariants.every((tally) => tally.number !== number || tally.checks === 0),
      ),
    )
    expect(unchecked.map(({ name }) => name)).toEqual([])
  }, 180_000)

  test("the same seed is the same run, step by step; another is another", () => {
    const first = simulate({ seed: 23, intents: 40 })
    expect(simulate({ seed: 23, intents: 40 })).toEqual(first)
    expect(first.trace_steps).toBeGreaterThan(1_000)
    expect(simulate({ seed: 24, intents: 40 }).trace_hash).not.toBe(first.trace_hash)
  })

  test("without faults nothing is refused that the plan does not ask for", () => {
    const report = simulate({ seed: 1, intents: 60, faults: NO_FAULTS })
    expect(report.violations).toEqual([])
    expect(Object.keys(report.faults)).not.toContain("callback_lost")
    expect(report.statuses["succeeded"] ?? 0).toBeGreaterThan(10)
  })

  test("progress reaches the number of payments", () => {
    const heard: Array<number> = []
    simulate({ seed: 1, intents: 20, onProgress: ({ done }) => heard.push(done) })
    expect(heard).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
  })
})

describe("the invariants", () => {
  test("have numbers of their own", () => {
    const numbers = invariants.map(({ number }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test("are all that is promised, but for those that only a network shows", () => {
    const promised = Object.values(PROMISES).flatMap((names) => Object.keys(names).map(Number))
    expect(new Set(promised).size).toBe(promised.length)
    expect(invariants.map(({ number }) => number)).toEqual(
      promised.filter((number) => number <= 200).toSorted((a, b) => a - b),
    )
  })
})
