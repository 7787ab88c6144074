import { describe, expect, it } from "vitest"
import {
  type ClockSample,
  describeOffset,
  offsetAt,
  originOf,
  stateOf,
} from "../../../core/shared/ClockOffset.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { T0 } from "../../support/records.ts"

/** A sample asked for at `asked`, with the travel times of question and answer. */
const sample = (asked: number, there: number, back: number): ClockSample => ({
  asked,
  heard: asked + there + back,
  reference: T0 + asked + there,
})

describe("the other clock's time at the beginning", () => {
  it.each<[string, ReadonlyArray<ClockSample>, number | undefined]>([
    ["of nothing is not known", [], undefined],
    ["is told by one sample", [sample(1_000, 5, 5)], T0],
    ["is half of a round trip before the answer", [sample(0, 0, 10)], T0 - 5],
    ["is the median", [sample(0, 1, 1), sample(10, 0, 400), sample(20, 1, 1)], T0],
    ["ignores what took too long", [sample(0, 1, 1), sample(10, 0, 2_001)], T0],
    ["is not known where all took too long", [sample(0, 1_001, 1_000)], undefined],
    ["ignores an answer from before its question", [sample(10, 0, -20)], undefined],
  ])("%s", (_name, samples, origin) => {
    expect(originOf(samples)).toBe(origin)
  })
})

describe("how far a clock is off", () => {
  it.each([
    ["a right one", 0, "right", "0 s ahead of the database's"],
    ["one that may be so far ahead", 2 * SECOND, "right", "2 s ahead of the database's"],
    ["one that is further ahead", 2 * SECOND + 1, "off", "2 s ahead of the database's"],
    ["one that is behind", -2 * SECOND - 1, "off", "2 s behind the database's"],
    ["one that is just used still", 30 * SECOND, "off", "30 s ahead of the database's"],
    ["one that is used no more", 30 * SECOND + 1, "wrong", "30 s ahead of the database's"],
    ["one too far behind", -30 * SECOND - 1, "wrong", "30 s behind the database's"],
    ["one far ahead", 16 * MINUTE, "wrong", "16 min 0 s ahead of the database's"],
  ] as const)("%s", (_name, ahead, state, said) => {
    const offset = offsetAt(T0, T0 + 7_000 + ahead, 7_000)
    expect(offset).toBe(ahead)
    expect(stateOf(offset)).toBe(state)
    expect(describeOffset(offset)).toBe(said)
  })
})
