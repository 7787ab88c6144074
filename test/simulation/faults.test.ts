import { describe, expect, test } from "vitest"
import { clockFaults, linkFaults, marketFaults } from "../../simulator/faults/serviceFaults.ts"
import type { FaultInfo } from "../../simulator/faults/Fault.ts"
import { type FaultName, FAULTS, NO_FAULTS, WORST } from "../../simulator/faults/Faults.ts"
import { receiverFaults } from "../../simulator/faults/partyFaults.ts"
import { simulate } from "../../simulator/perform.ts"
import { sourceText } from "../support/sourceFiles.ts"

const ALONE = Object.keys({
  ...receiverFaults,
  ...marketFaults,
  ...clockFaults,
  ...linkFaults,
  client_stampede: null,
}) as ReadonlyArray<FaultName>

describe("a fault by itself, at its worst and beyond", () => {
  test.each(ALONE)("strikes, and nothing breaks: %s", (fault) => {
    const info: FaultInfo = FAULTS[fault]
    // One that is rare strikes a world as small as this when it is less so.
    const size = info.unit === undefined ? Math.min(8 * info.worst, 1) : info.worst
    const faults = { ...NO_FAULTS, store_latency_ms: WORST.store_latency_ms, [fault]: size }
    const perHour = info.unit === "per hour" ? { [fault]: 60 } : {}
    const report = simulate({ seed: 1, intents: 12, faults: { ...faults, ...perHour } })
    expect(report.violations).toEqual([])
    expect(report.faults[info.counted_as ?? fault]).toBeGreaterThan(0)
  })
})

test("the README of the faults lists every one", async () => {
  const readme = await sourceText("simulator/faults/README.md")
  const listed = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(new Set(listed)).toEqual(new Set(Object.keys(FAULTS)))
})
