import { describe, expect, test } from "vitest"
import { ALIEN, type Fact, Facts, judgeReading, type Reading } from "./readings.ts"

const LIMITS = { within: 3_000, lag: 2_000 }

/** Shown where the body has the id. */
const fact = (of: Partial<Fact> = {}): Fact => ({
  list: "payments",
  owner: "one",
  item: "pi_1",
  what: "payment pi_1",
  at: 5_000,
  holds: ({ data }) => JSON.stringify(data).includes("pi_1"),
  ...of,
})

/** A reading requested at 6,000 and answered immediately, with the given fields. */
const reading = (
  of: Partial<Omit<Reading, "answer">> = {},
  answer: Partial<Reading["answer"]> = {},
): Reading => ({
  list: "payments",
  caller: "one",
  asked: 6_000,
  answered: 6_010,
  ...of,
  answer: { status: 200, text: "", body: { data: [] }, age: null, ...answer },
})

const judged = (asked: Reading, ...facts: ReadonlyArray<Fact>) => {
  const known = new Facts()
  for (const one of facts) known.add(one)
  return judgeReading(asked, known, LIMITS)
}

const SHOWN = { body: { data: ["pi_1"] } }

describe("what somebody wrote itself", () => {
  test.each([
    ["of now", null],
    ["that is old", "1.900"],
  ])("is missed in an answer %s", (_, age) => {
    expect(judged(reading({}, { age }), fact())).toEqual([
      expect.stringMatching(/^one asked for payments.*its own payment pi_1.*1000 ms before$/),
    ])
    expect(judged(reading({}, { age, ...SHOWN }), fact())).toEqual([])
  })

  test("is missed from the moment on at which it was acknowledged", () => {
    expect(judged(reading({ asked: 5_000, answered: 5_001 }), fact())).toHaveLength(1)
    expect(judged(reading({ asked: 4_999, answered: 5_001 }), fact())).toEqual([])
  })

  test("has to be as it was said last", () => {
    const over = fact({ at: 5_500, holds: (body) => !fact().holds(body) })
    expect(judged(reading({}, { age: "1.000", ...SHOWN }), fact(), over)).toHaveLength(1)
    expect(judged(reading(), fact(), over)).toEqual([])
  })

  test("is not looked for where it is too far down to be on the page", () => {
    const newer = Array.from({ length: 40 }, (_, n) =>
      fact({ item: `newer ${n}`, holds: () => true }),
    )
    expect(judged(reading(), fact(), ...newer.slice(1))).toHaveLength(1)
    expect(judged(reading(), fact(), ...newer)).toEqual([])
  })
})

describe("what others wrote", () => {
  test.each([
    ["says that it is of now", null, 1],
    ["says less than the truth", "0.999", 1],
    ["says as much as the truth", "1.001", 0],
  ])("may be missed where an answer %s", (_, age, count) => {
    const found = judged(reading({ caller: "other" }, { age }), fact())
    expect(found).toHaveLength(count)
    for (const told of found) expect(told).toMatch(/missed one's payment pi_1/)
  })

  test("is another list's", () => {
    expect(judged(reading({ list: "refunds" }), fact())).toEqual([])
  })
})

test.each([
  ["is refused", {}, { status: 503, text: "later" }, /was answered 503: later/],
  ["is not answered", {}, { status: 0, text: "ECONNRESET" }, /was answered 0: ECONNRESET/],
  ["waits", { answered: 9_001 }, {}, /waited for 3001 ms/],
  ["is shown what is too old", {}, { age: "2.011" }, /shown what is 2011 ms old/],
  ["is told no age", {}, { age: "NaN" }, /told the age "NaN"/],
  ["is shown another server", {}, { text: `{"description":"${ALIEN}"}` }, /shown what is written/],
])("somebody who %s", (_, of, answer, told) => {
  expect(judged(reading(of, answer))).toEqual([expect.stringMatching(told)])
})
