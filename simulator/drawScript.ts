import { Result } from "effect"
import { fromIso, type Timestamp } from "../core/shared/Timestamp.ts"
import { drawFaults, type Faults, NO_FAULTS, WORST } from "./faults/Faults.ts"
import { parts } from "./parts.ts"
import { subscribers } from "./parts/subscribers.ts"
import { listeningHosts } from "./parts/listeningHosts.ts"
import { makeChance } from "./random/Chance.ts"
import { planOf } from "./scenarios/planOf.ts"
import { decodeStrictly, otherName } from "./scenarios/decodeStrictly.ts"
import { checkScenario } from "./scenarios/checkScenario.ts"
import { drawPayment, withPart } from "./scenarios/drawPayment.ts"
import { mixed } from "./scenarios/library.ts"
import type { Scenario } from "./scenarios/Scenario.ts"
import { type CrashPoint, Script } from "./world/plans/Plan.ts"

/** The options of a script. Equal options give equal scripts. */
export interface DrawOptions {
  readonly seed: number
  /** How many payments are tried; by default as many as the scenario says. */
  readonly intents?: number
  /** The scenario; `mixed` by default. */
  readonly scenario?: Scenario
  /** Faults that replace those of the seed or the scenario. */
  readonly faults?: Partial<Faults>
  readonly crashes?: ReadonlyArray<CrashPoint>
  /** The names of the parts to play, instead of those of the seed. */
  readonly parts?: ReadonlyArray<string>
}

/** Twenty minutes to midnight, UTC, at the end of a month: worlds continue into the next month. */
const START: Timestamp = 1_769_902_800_000

const BASES = {
  drawn: drawFaults,
  none: () => NO_FAULTS,
  worst: () => WORST,
} as const

/** Worlds with fewer payments than this play heavy parts only sometimes. */
const SMALL = 30

/** Returns the parts that are played with a scenario that lists its payments one by one. */
const partsAsked = ({ hosts_listen, subscribed_months }: Scenario): ReadonlyArray<string> => [
  ...(subscribed_months === undefined ? [] : [subscribers.name]),
  ...(hosts_listen === true ? [listeningHosts.name] : []),
]

const drawParts = (
  seed: number,
  total: number,
  { hosts_listen, subscribed_months }: Scenario,
): ReadonlyArray<string> =>
  parts.flatMap((part) => {
    const { heavy, isAsked, large = 1, name } = part
    if (isAsked === true) return hosts_listen === true ? [name] : []
    return heavy === undefined ||
      (total >= SMALL && makeChance(`${seed} plays ${name}`).hits(large)) ||
      (part === subscribers && subscribed_months !== undefined) ||
      (total < SMALL && makeChance(`${seed} plays ${name}`).hits(heavy))
      ? [name]
      : []
  })

const partsOf = (seed: number, total: number, scenario: Scenario): ReadonlyArray<string> =>
  scenario.plays === undefined ? drawParts(seed, total, scenario) : partsAsked(scenario)

const paymentsOf = (
  seed: number,
  total: number,
  scenario: Scenario,
  faults: Faults,
): Script["payments"] =>
  Array.from({ length: total }, (_, n) => {
    const { plays } = scenario
    const play = plays?.[n % plays.length]
    if (play !== undefined) return planOf(play, n)
    return withPart(
      makeChance(`${seed} part of payment ${n}`),
      drawPayment(makeChance(`${seed} payment ${n}`), scenario, faults, n, total),
    )
  })

const PARTS: ReadonlyArray<string> = parts.map(({ name }) => name)

const { crashes: CRASHES } = Script.fields

const shown = (value: unknown): string =>
  typeof value === "number" ? String(value) : (JSON.stringify(value) ?? String(value))

/** A world of a mistyped seed or fault would be another one than was meant. */
const mistakesIn = ({
  crashes = [],
  faults = {},
  parts: played = [],
  seed,
}: DrawOptions): ReadonlyArray<string> => [
  ...(Number.isSafeInteger(seed) ? [] : [`seed: must be a whole number, not ${shown(seed)}`]),
  ...Object.entries(faults).flatMap(([name, size]) => {
    if (!Object.hasOwn(WORST, name)) return [`faults: there is no fault ${shown(name)}`]
    if (size === undefined || (Number.isFinite(size) && size >= 0)) return []
    return [`faults.${name}: must be a number from 0, not ${shown(size)}`]
  }),
  ...played
    .filter((name) => !PARTS.includes(name))
    .map((name) => `parts: there is no part ${shown(name)}. ${otherName(name, PARTS)}`),
  ...Result.getOrElse(
    Result.map(decodeStrictly(CRASHES, crashes), () => []),
    (mistakes) => mistakes.map((mistake) => `crashes: ${mistake}`),
  ),
]

/**
 * Draws everything that decides a run, so that it can be kept, changed and run again. Throws
 * `RangeError` for a seed, a fault, a scenario, or a number of payments, that no file may have.
 */
export const drawScript = (options: DrawOptions): Script => {
  const { seed, scenario = mixed, crashes = [] } = options
  const mistakes = mistakesIn(options)
  if (mistakes.length > 0) {
    throw new RangeError(`The world cannot be played:\n${mistakes.join("\n")}`)
  }
  const total = options.intents ?? scenario.payments
  checkScenario(scenario, total)
  const { base, set } = scenario.faults
  const faults: Faults = { ...BASES[base](seed), ...set, ...options.faults }
  return {
    seed,
    scenario: scenario.name,
    start: fromIso(scenario.start ?? "") ?? START,
    faults,
    incidents: scenario.incidents ?? [],
    crashes,
    payments: paymentsOf(seed, total, scenario, faults),
    parts: options.parts ?? partsOf(seed, total, scenario),
    ...(scenario.subscribed_months !== undefined && {
      subscribed_months: scenario.subscribed_months,
    }),
  }
}
