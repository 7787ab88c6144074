import { describe, expect, test } from "vitest"
import { drawScript } from "../../simulator/drawScript.ts"
import { WORST } from "../../simulator/faults/Faults.ts"
import { shrink } from "../../simulator/shrinking/shrink.ts"
import { tellShrunk } from "../../simulator/shrinking/tellShrunk.ts"
import type { Script } from "../../simulator/world/plans/Plan.ts"

const LIMITS = {
  out_of_tries: "Its tries are used up.",
  out_of_time: "Its time is over.",
}

const HALF = Object.fromEntries(Object.entries(WORST).map(([name, size]) => [name, size / 2]))

const whole: Script = {
  ...drawScript({ seed: 4, intents: 40 }),
  faults: HALF,
  incidents: [
    { what: "store_away", after_ms: 1_000, lasts_ms: 2_000 },
    { what: "channel_away", channel: "wallet_a", after_ms: 60_000, lasts_ms: 5_000 },
  ],
  crashes: [{ label: "commit: before", nth: 3 }],
  parts: ["statements", "gates", "registry"],
}

const pays = ({ payments }: Script, ...numbers: ReadonlyArray<number>): boolean =>
  numbers.every((number) => payments.some((plan) => plan.number === number))
const hasFaults = ({ faults }: Script, ...names: ReadonlyArray<string>): boolean =>
  names.every((name) => (faults[name] ?? 0) > 0)
/** Returns the time of each payment by its number. */
const moments = ({ payments }: Script): ReadonlyMap<number, number> => {
  let at = 0
  return new Map(payments.map(({ after, number }) => [number, (at += after)]))
}

const needs = (fails: (script: Script) => boolean, options = {}) => {
  const shrunk = shrink(whole, [], fails, options)
  const needed = shrunk.needed.map(({ kind, name }) => `${kind} ${name}`)
  return { ...shrunk, needed }
}

describe("what a failure needs is left, and named", () => {
  test.each<readonly [string, (script: Script) => boolean, ReadonlyArray<string>]>([
    ["nothing", () => true, []],
    ["one payment", (script) => pays(script, 17), ["payment 17"]],
    [
      "four payments together",
      (script) => pays(script, 2, 11, 23, 39),
      ["payment 2", "payment 11", "payment 23", "payment 39"],
    ],
    [
      "three faults and a payment",
      (script) =>
        pays(script, 5) && hasFaults(script, "callback_lost", "store_latency_ms", "clock_jumped"),
      ["payment 5", "fault callback_lost", "fault store_latency_ms", "fault clock_jumped"],
    ],
    [
      "an incident, a crash and a part",
      ({ crashes, incidents, parts }) =>
        incidents.some(({ what }) => what === "channel_away") &&
        crashes.length === 1 &&
        parts?.includes("gates") === true,
      ["incident channel_away wallet_a", "crash commit: before", "part gates"],
    ],
    [
      "one of two causes",
      (script) => pays(script, 9) && (hasFaults(script, "callback_lost") || pays(script, 30)),
      ["payment 9", "fault callback_lost"],
    ],
  ])("%s", (_, fails, expected) => {
    const { needed, script, why } = needs(fails)
    expect(fails(script)).toBe(true)
    expect(why).toBe("each_is_needed")
    expect(needed.toSorted()).toEqual(expected.toSorted())
  })

  test("two that only go together are left out together", () => {
    const evenly = ({ payments }: Script) => payments.length % 2 === 0
    const three = (script: Script) => pays(script, 1, 2) && evenly(script)
    expect(needs(three).needed).toEqual(["payment 1", "payment 2"])
  })

  test("faults that hold each other up are tried alone, as bad as they may get", () => {
    const names = ["callback_lost", "query_stale", "store_latency_ms"] as const
    const { needed, script } = needs((smaller) => {
      const isWorst = smaller.faults["query_stale"] === WORST.query_stale
      return hasFaults(smaller, ...names) || (isWorst && Object.keys(smaller.faults).length === 1)
    })
    expect(needed).toEqual(["fault query_stale"])
    expect(script.faults).toEqual({ query_stale: WORST.query_stale })
  })

  test("payments are left out, and the others come when they came, where that matters", () => {
    const moment = moments(whole).get(30)
    const { script } = needs((smaller) => moments(smaller).get(30) === moment)
    expect(script.payments.length).toBeLessThan(3)
  })

  test("stories get shorter", () => {
    const { script } = needs((smaller) => pays(smaller, 3))
    expect(script.payments).toMatchObject([
      { number: 3, parallel: 1, confusions: [], payer: { act: "pays" }, payee: { again: 0 } },
    ])
  })
})

describe("an end before that is said", () => {
  const five = (script: Script) => pays(script, 1, 7, 13, 20, 33)

  test("out of tries, with what is known until then", () => {
    const { needed, tries, why } = needs(five, { tries: 53 })
    expect({ tries, why }).toEqual({ tries: 53, why: "out_of_tries" })
    expect(needed).toEqual(["payment 1", "payment 7", "payment 33"])
  })

  test("out of time", () => {
    let left = 30
    const { tries, why } = needs(five, { isTimeUp: () => (left -= 1) < 0 })
    expect({ tries, why }).toEqual({ tries: 30, why: "out_of_time" })
  })

  test("few enough, before each was left out", () => {
    const two = (script: Script) => pays(script, 1, 33)
    expect(needs(two, { tries: 28 })).toMatchObject({ tries: 28, why: "few_enough" })
  })
})

test("nothing is tried twice", () => {
  const seen = new Set<string>()
  const { tries } = needs((script) => {
    const text = JSON.stringify(script)
    expect(seen.has(text)).toBe(false)
    seen.add(text)
    return pays(script, 4, 8, 15) && hasFaults(script, "callback_lost", "query_stale")
  })
  expect(seen.size).toBe(tries)
})

test("a thousand payments and every fault need fewer tries than there are", () => {
  const many = drawScript({ seed: 1, intents: 1_000, faults: WORST })
  const fails = (script: Script) => pays(script, 100, 700) && hasFaults(script, "callback_lost")
  const { payments, tries, why } = { ...shrink(many, [], fails), payments: 0 }
  expect({ payments, why }).toEqual({ payments: 0, why: "each_is_needed" })
  expect(tries).toBeLessThan(250)
})

describe("it is told", () => {
  const told = (fails: (script: Script) => boolean, options = {}) =>
    tellShrunk(shrink(whole, [], fails, options), LIMITS).join("\n")

  test("with what is needed", () => {
    const text = told((script) => pays(script, 17) && hasFaults(script, "callback_lost"))
    expect(text).toMatch(/^Reduced to one payment and one fault in \d+ tries\.\nIt gets no smaller/)
    expect(text).toMatch(/ {2}payment 17 \((request_payment|one_time_pay), [\d.]+ [A-Z]{3}/)
    expect(text).toMatch(/ {2}fault callback_lost \([\d.]+, .+\)$/)
  })

  test("as nothing, where a world without anything fails", () => {
    expect(told(() => true)).toMatch(/^Reduced to no payment and no fault.*\nNothing is left/)
  })

  test.each([
    [{ tries: 5 }, "Its tries are used up."],
    [{ isTimeUp: () => true }, "Its time is over."],
  ])("with %j", (options, said) => {
    expect(told((script) => pays(script, 1, 7, 13, 20), options)).toContain(said)
  })
})
