import { Schema } from "effect"
import { beforeAll, describe, expect, test } from "vitest"
import { EVENT_DATA } from "../../adapters/http/contract/webhooks.ts"
import { EVENT_TYPES, type EventType } from "../../core/webhooks/events/Event.ts"
import { invariants } from "../../simulator/auditor/invariants.ts"
import { PROMISES } from "../../simulator/auditor/promises.ts"
import type { FaultInfo } from "../../simulator/faults/Fault.ts"
import { FAULTS, type Faults, NO_FAULTS, WORST } from "../../simulator/faults/Faults.ts"
import { keyHolders } from "../../simulator/parts/keyHolders.ts"
import { isSound, type Report } from "../../simulator/Report.ts"
import { simulate, type SimulateOptions } from "../../simulator/perform.ts"
import { untraced } from "../../simulator/untraced.ts"
import { storing } from "./flaw.ts"

/** The stored events that do not match their Schemas, and the types of all stored events. */
const wrong: Array<string> = []
const told = new Set<EventType>()
const alterations = storing((commit) => {
  for (const { data, type } of commit.events ?? []) {
    told.add(type)
    const decode = Schema.decodeUnknownResult(EVENT_DATA[type], { onExcessProperty: "error" })
    const decoded = decode(data)
    if (decoded._tag === "Failure") wrong.push(`${type}: ${String(decoded.failure)}`)
  }
  return commit
})

const played = (options: SimulateOptions): Report =>
  untraced(() => simulate({ alterations, ...options }))

/** The worst world has too few captures, refunds and proofs to show these faults. */
const RARE: Partial<Faults> = {
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

describe("large worlds, drawn and at their worst", () => {
  const large = (seed: number) => played({ seed, intents: 80 })
  let drawn: ReadonlyArray<Report> = []
  let hard: ReadonlyArray<Report> = []
  beforeAll(() => {
    const keys = played({ seed: 1, intents: 11, parts: [keyHolders.name] })
    drawn = [keys, played({ seed: 5, intents: 30 }), ...[11, 12].map(large)]
    const faults = { ...WORST, outages_per_hour: 4 }
    const worst = [1, 2, 4].map((seed) => played({ seed, intents: 80, faults }))
    hard = [...worst, played({ seed: 3, intents: 80, faults: { ...NO_FAULTS, ...RARE } })]
  }, 180_000)
  const all = () => [...drawn, ...hard]

  test("keep every invariant, and look at each", () => {
    expect(all().filter((report) => !isSound(report))).toEqual([])
    const unchecked = invariants.filter(({ number }) =>
      all().every((report) =>
        report.invariants.every((tally) => tally.number !== number || tally.checks === 0),
      ),
    )
    expect(unchecked.map(({ name }) => name)).toEqual([])
  })

  test("go through every status and fault", () => {
    const statuses = new Set(all().flatMap((report) => Object.keys(report.statuses)))
    expect([...statuses].toSorted()).toEqual([
      "cancelled",
      "completed",
      "expired",
      "failed",
      "succeeded",
      "voided",
    ])
    const struck = new Set(hard.flatMap((report) => Object.keys(report.faults)))
    for (const [fault, info] of Object.entries<FaultInfo>(FAULTS)) {
      const name = info.counted_as === undefined ? fault : info.counted_as
      if (name !== null) expect(struck).toContain(name)
    }
    const late = all().some((report) => (report.faults["refund_after_window"] ?? 0) > 0)
    expect(late).toBe(true)
  })

  test("store events of every type, each with exactly the data of its Schema", () => {
    expect(wrong.slice(0, 5)).toEqual([])
    // Nobody in the worlds requests a ping.
    expect(EVENT_TYPES.filter((type) => !told.has(type))).toEqual(["ping"])
  })
})

describe("a simulated world", () => {
  test.each([1, 2, 3, 4, 6, 7, 8])("keeps every invariant: seed %i", (seed) => {
    expect(played({ seed, intents: 30 }).violations).toEqual([])
  })

  test("the same seed is the same run, step by step; another is another", () => {
    const world = (seed: number) => untraced(() => simulate({ seed, intents: 40 }))
    const first = world(23)
    expect(world(23)).toEqual(first)
    expect(first.trace_steps).toBeGreaterThan(1_000)
    expect(world(24).trace_hash).not.toBe(first.trace_hash)
  })

  test("without faults nothing is refused that the plan does not ask for", () => {
    const report = played({ seed: 1, intents: 60, faults: NO_FAULTS })
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
