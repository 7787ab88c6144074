import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { drawScript } from "../../simulator/drawScript.ts"
import type { Play } from "../../simulator/scenarios/Play.ts"
import { PAYEES, PAYERS } from "../../simulator/scenarios/Persona.ts"
import { LIBRARY, mixed } from "../../simulator/scenarios/library.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { readScenario, scenarioNamed } from "../../simulator/scenarios/readScenario.ts"
import { simulate } from "../../simulator/perform.ts"

/** A payment of that many cents that is captured in part and refunded. */
const play = (value: number, channel: string): Play => ({
  after_ms: 1_000,
  flow: "request_payment",
  by: "buyer",
  buyer: 0,
  amount: { currency: "USD", value },
  channel,
  keyed: true,
  payer: { act: "pays", scans_after_ms: 500, decides_after_ms: 500 },
  payee: { act: "captures", after_ms: 500, captures: 7 },
  refunds: [{ after_ms: 500, value: 3, keyed: false, revokes: "by_policy" }],
})

const YEAR = 31_536_000_000

const CIRCLE: { next?: object } = {}
CIRCLE.next = CIRCLE

const nested = (levels: number): unknown => {
  let value: unknown = "One wallet"
  for (let n = 0; n < levels; n += 1) value = [value]
  return value
}

describe("scenarios", () => {
  test.each(LIBRARY.map((scenario) => [scenario.name, scenario] as const))(
    "%s is data, and keeps every invariant",
    (_, scenario) => {
      expect(readScenario(JSON.parse(JSON.stringify(scenario)))).toEqual(Result.succeed(scenario))
      const report = simulate({ seed: 1, scenario, intents: 15 })
      expect(report.violations).toEqual([])
      expect(report.scenario).toBe(scenario.name)
    },
  )

  test("what is named is found whatever its dashes, what is unknown says what there is", () => {
    expect(Result.isSuccess(scenarioNamed("Flash-Sale"))).toBe(true)
    const unknown = scenarioNamed("rush_hour")
    expect(Result.isFailure(unknown) && unknown.failure[0]).toContain("Known are mixed, flash_sale")
  })

  test.each([
    ["a wrong number", { payments: 0 }, "payments: "],
    [
      "a name that nobody knows",
      { paymets: 3 },
      "paymets: there is no such field. Did you mean payments?",
    ],
    ["a load without its shape", { load: { mean_gap_ms: 5 } }, "load"],
    ["a probability above one", { one_time: 1.5 }, "one_time: "],
    ["an unknown persona", { payers: [{ weight: 1, persona: "ghost" }] }, 'there is no "ghost"'],
    ["an unknown service", { services: ["A shop"] }, 'services.0: there is no "A shop"'],
    ["an unknown fault", { faults: { base: "none", set: { rain: 1 } } }, "faults.set.rain: there"],
    [
      "an unknown channel",
      { incidents: [{ what: "channel_away", channel: "x", after_ms: 0, lasts_ms: 1 }] },
      'incidents.0.channel: there is no "x"',
    ],
    ["an unknown channel of a play", { plays: [play(9, "x")] }, 'plays.0.channel: there is no "x"'],
    ["a play without its payee", { plays: [{ ...play(9, "wallet_a"), payee: 1 }] }, "payee"],
    [
      "an amount whose least is above its most",
      { amount: { least: 9, most: 3 } },
      "amount: least is 9 and most only 3: exchange them",
    ],
    [
      "a beginning after the calendar's end",
      { start: "9999-12-31T23:59:00Z" },
      "start: must be in the years 2000 to 2999",
    ],
    [
      "a beginning before there were services",
      { start: "0001-01-01T00:00:00Z" },
      "start: must be in the years 2000 to 2999",
    ],
    [
      "a load of a thousand years",
      { load: { shape: "steady", mean_gap_ms: YEAR } },
      "load: 1000 payments would begin within 1000 years, and 10 are the most",
    ],
    [
      "a ramp of as many",
      { load: { shape: "ramp", from_gap_ms: 1, to_gap_ms: YEAR } },
      "load: 1000 payments would begin within 501 years",
    ],
    [
      "bursts of as many",
      { load: { shape: "bursts", size: 10, pause_ms: YEAR } },
      "load: 1000 payments would begin within 99 years",
    ],
    [
      "plays of as many",
      { plays: [{ ...play(9, "wallet_a"), after_ms: YEAR }] },
      "plays: 1000 payments would begin within 1000 years",
    ],
    [
      "a fault more often than always",
      { faults: { base: "none", set: { callback_lost: 7 } } },
      "faults.set.callback_lost: must be a value between 0 and 1, not 7",
    ],
    [
      "a fault less often than never",
      { faults: { base: "none", set: { outages_per_hour: -1 } } },
      "faults.set.outages_per_hour: must be a value between 0 and 3600, not -1",
    ],
    [
      "a delay without end",
      { faults: { base: "none", set: { store_latency_ms: 1e300 } } },
      "faults.set.store_latency_ms: must be a value between 0 and 31536000000",
    ],
    [
      "payers of whom there are none",
      { payers: [{ weight: 0, persona: "typical" }] },
      "payers: every weight is 0",
    ],
    [
      "a payee who does nothing at all",
      { payees: [{ weight: 1, persona: { ...PAYEES.brisk, acts: { captures: 0, voids: 0 } } }] },
      "payees.0.persona.acts: every weight is 0",
    ],
    [
      "a payer without an act",
      { payers: [{ weight: 1, persona: { ...PAYERS.hasty, acts: {} } }] },
      "payers.0.persona.acts: every weight is 0",
    ],
    ["a name that moves the cursor", { name: "a\u001b[2Jb" }, "name: must hold no control"],
    ["a name of two lines", { name: "a\nb" }, "name: must be a single line"],
    ["a text that moves the cursor", { about: "a\u009b2Jb" }, "about: must hold no control"],
    ["a value that contains itself", { load: CIRCLE }, "load.next: it contains itself"],
    ["a value without end", { services: nested(1_000) }, "services.0.0.0: it is nested more than"],
    ["a time without an offset", { start: "2026-02-28T23:50:00" }, "start: "],
  ])("%s is refused with its place", (_, change, said) => {
    const read = readScenario({ ...mixed, ...change })
    expect(Result.isFailure(read) ? read.failure.join("\n") : "accepted").toContain(said)
  })

  test("plays are played one by one, to the cent, from the first again after the last", () => {
    const elsewhere = play(300, "bank_qr_a")
    const plays = [play(699, "wallet_a"), play(1_001, "stablecoin_a"), elsewhere] as const
    const scenario = { ...mixed, faults: { base: "none" }, plays } as const
    const options = { seed: 3, scenario, intents: 4 }
    const values = drawScript(options).payments.map(({ amount }) => amount.value)
    expect(values).toEqual([699, 1_001, 300, 699])
    const { latencies, statuses, violations } = simulate(options)
    const count = (route: string) => latencies[route]?.reduce((sum, n) => sum + n, 0)
    expect(violations).toEqual([])
    expect(statuses).toEqual({ succeeded: 4 })
    expect(count("POST /v1/payment-intents/{id}/capture")).toBe(4)
    expect(count("POST /v1/refunds")).toBe(4)
  })

  test.each<[string, Partial<Scenario>, number | undefined, string]>([
    ["no weight", { payers: [{ weight: 0, persona: "typical" }] }, 1, "payers: every weight is 0"],
    ["too many payments", { payments: 1_000_001 }, undefined, "payments: must be a value between"],
    ["too many intents", {}, 1_000_001, "intents: must be a value between 1 and 1000000"],
    ["a half of an intent", {}, 0.5, "intents: must be"],
    ["no such person", { payees: [{ weight: 1, persona: "nobody" }] }, 1, `is no "nobody"`],
    ["ages", { load: { shape: "steady", mean_gap_ms: YEAR } }, 11, "load: 11 payments would begin"],
    ["itself", { incidents: CIRCLE as never }, 1, "incidents.next: it contains itself"],
  ])("of a program with %s is refused as that of a file is", (_, change, intents, said) => {
    const options = { seed: 1, scenario: { ...mixed, ...change } }
    const draw = () => drawScript({ ...options, ...(intents !== undefined && { intents }) })
    expect(draw).toThrow(RangeError)
    expect(draw).toThrow(said)
  })

  test.each([
    [{ seed: Number.NaN }, "seed: must be a whole number, not NaN"],
    [{ seed: 1.5 }, "seed: must be a whole number, not 1.5"],
    [{ seed: "7" as never }, 'seed: must be a whole number, not "7"'],
    [{ faults: { callback_lots: 1 } as never }, 'faults: there is no fault "callback_lots"'],
    [{ faults: { callback_lost: Number.NaN } }, "faults.callback_lost: must be a number from 0"],
    [{ parts: ["operator"] }, 'parts: there is no part "operator". Did you mean operators?'],
    [{ crashes: [{ label: "POST /v1/refunds 2", nth: 0 }] }, "crashes: 0.nth: must be"],
  ])("a program that draws with %j is told so", (options, said) => {
    const draw = () => drawScript({ seed: 1, intents: 1, ...options })
    expect(draw).toThrow(RangeError)
    expect(draw).toThrow(said)
  })

  test.each([
    [{ alteration: {} }, "alteration: there is no such option. Did you mean alterations?"],
    [{ alterations: { stores: () => undefined } }, "alterations.stores: there is no such option."],
    [{ alterations: { store: {} } }, "alterations.store: must be a function"],
    [{ alterations: { terms: null } }, "alterations.terms: must be an object"],
    [{ alterations: null }, "alterations: must be an object"],
  ])("a program that plays with %j, which would alter nothing, is told so", (options, said) => {
    const play = () => simulate({ seed: 1, intents: 1, ...(options as object) })
    expect(play).toThrow(RangeError)
    expect(play).toThrow(said)
  })

  test("of a program may leave fields undefined", () => {
    const draw = (change: object) =>
      drawScript({ seed: 1, intents: 2, scenario: { ...mixed, ...change } })
    expect(draw({ start: undefined, incidents: undefined })).toEqual(draw({}))
  })

  test("personas, load, services and incidents decide what is played", () => {
    const script = drawScript({
      seed: 1,
      scenario: {
        ...mixed,
        payments: 20,
        start: "2026-03-29T00:45:00Z",
        load: { shape: "bursts", size: 5, pause_ms: 60_000 },
        payers: [{ weight: 1, persona: "broke" }],
        services: ["One wallet"],
        one_time: 1,
        faults: { base: "none" },
      },
    })
    expect(script.start).toBe(1_774_745_100_000)
    expect(new Set(script.payments.map(({ service }) => service))).toEqual(new Set(["One wallet"]))
    expect(script.payments.map(({ after }) => after).filter((after) => after > 5)).toEqual([
      60_000, 60_000, 60_000,
    ])
    expect(script.payments.every(({ flow }) => flow === "one_time_pay")).toBe(true)
    const acts = script.payments.map(({ payer }) => payer.act)
    expect(acts.filter((act) => act === "lacks_funds").length).toBeGreaterThan(10)
  })
})
