// Written independently of core/shared on purpose.

import { describeOffset, offsetAt, originOf, stateOf } from "../../core/shared/ClockOffset.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"

const OFFSETS: ReadonlyArray<readonly [number, string, string]> = [
  [0, "0 s ahead of the database's", "right"],
  [-1_499, "1 s behind the database's", "right"],
  [1_500, "2 s ahead of the database's", "right"],
  [59_600, "1 min 0 s ahead of the database's", "wrong"],
  [-3_725_000, "62 min 5 s behind the database's", "wrong"],
  [30_000, "30 s ahead of the database's", "off"],
  [30_001, "30 s ahead of the database's", "wrong"],
]

/** Compares the offsets of clocks, and how they are told. */
export const clocks = (chance: Chance): ReadonlyArray<Calculated> => {
  const origin = chance.int(1_000, 9_000)
  const sample = (asked: number, round: number, shift: number) => ({
    asked,
    heard: asked + round,
    reference: origin + asked + round / 2 + shift,
  })
  const first = sample(10, 20, 0)
  const samples = [first, sample(90, 40, -70), sample(5, 10, 300)]
  const late = { asked: 0, heard: 60_000, reference: 1 }
  return [
    ...OFFSETS.flatMap(([offset, words, state]) => [
      { what: `the offset ${offset}`, expected: words, found: describeOffset(offset) },
      { what: `a clock off by ${offset}`, expected: state, found: stateOf(offset) },
    ]),
    { what: "the origin of samples", expected: origin, found: originOf([...samples, late]) },
    { what: "the origin of late samples", expected: undefined, found: originOf([late]) },
    {
      what: "the origin of backward samples",
      expected: undefined,
      found: originOf([{ ...first, heard: 0 }]),
    },
    { what: "an offset", expected: 500, found: offsetAt(origin, origin + 1_500, 1_000) },
  ]
}
