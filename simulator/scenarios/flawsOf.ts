import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { FaultInfo } from "../faults/Fault.ts"
import { FAULTS } from "../faults/Faults.ts"
import { SERVICES } from "../world/people/Population.ts"
import { otherName } from "./decodeStrictly.ts"
import type { Issue, Path } from "./Issue.ts"
import { flawOfLoad, flawOfStart, LONGEST_LOAD } from "./limits.ts"
import { loadOf } from "./loadOf.ts"
import { PAYEES, PAYERS } from "./Persona.ts"
import type { Scenario } from "./Scenario.ts"

/** A name in a scenario, with its place and the names that can stand there. */
interface Mention {
  readonly path: Path
  readonly name: unknown
  readonly known: ReadonlyArray<string>
}

const CHANNELS = defaultCatalog.map(({ id }) => id)

/** Returns every name of something else that a scenario uses. */
const mentionsOf = (scenario: Scenario): ReadonlyArray<Mention> => {
  const { faults, incidents = [], payees, payers, plays = [], services = [] } = scenario
  const inAll = (
    list: string,
    names: ReadonlyArray<unknown>,
    known: ReadonlyArray<string>,
    field = "",
  ) => names.map((name, n) => ({ path: [list, String(n), field].filter(Boolean), name, known }))
  const away = incidents.map((one) => (one.what === "channel_away" ? one.channel : undefined))
  const personas = (shares: ReadonlyArray<{ readonly persona: unknown }>) =>
    shares.map(({ persona }) => persona)
  return [
    ...inAll("payers", personas(payers), Object.keys(PAYERS), "persona"),
    ...inAll("payees", personas(payees), Object.keys(PAYEES), "persona"),
    ...inAll(
      "services",
      services,
      SERVICES.map(({ name }) => name),
    ),
    ...Object.keys(faults.set ?? {}).map((name) => ({
      path: ["faults", "set", name],
      name,
      known: Object.keys(FAULTS),
    })),
    ...inAll("incidents", away, CHANNELS, "channel"),
    ...inAll(
      "plays",
      plays.map(({ channel }) => channel),
      CHANNELS,
      "channel",
    ),
  ]
}

const NO_WEIGHT = "every weight is 0, so that nothing can be drawn. Give one of them more than 0"

/** The greatest values of faults by their unit. */
const MOST = { probability: 1, milliseconds: 31_536_000_000, "per hour": 3_600 } as const

/** Returns the faults that are set to what they cannot be. */
const impossibleFaults = ({ faults: { set = {} } }: Scenario): ReadonlyArray<Issue> =>
  Object.entries<FaultInfo>(FAULTS).flatMap(([name, { unit = "probability" }]) => {
    const value = Object.hasOwn(set, name) ? (set[name] ?? 0) : 0
    if (value >= 0 && value <= MOST[unit]) return []
    const message = `must be a value between 0 and ${MOST[unit]}, not ${value}`
    return [{ path: ["faults", "set", name], message }]
  })

/** Whether something can be drawn by these weights. */
const canBeDrawn = (weights: ReadonlyArray<number | undefined>): boolean =>
  weights.some((weight) => weight !== undefined && weight > 0)

/** Returns the lists of weights from which nothing can be drawn. */
const weightless = ({ payees, payers }: Scenario): ReadonlyArray<Issue> =>
  Object.entries({ payers, payees }).flatMap(([list, shares]) => {
    const acts = shares.flatMap(({ persona }, n) =>
      typeof persona === "string" || canBeDrawn(Object.values(persona.acts))
        ? []
        : [{ path: [list, String(n), "persona", "acts"], message: NO_WEIGHT }],
    )
    const some = canBeDrawn(shares.map(({ weight }) => weight))
    return [...(some ? [] : [{ path: [list], message: NO_WEIGHT }]), ...acts]
  })

/** Returns what a scenario with so many payments has wrong that its schema does not find. */
export const flawsOf = (scenario: Scenario, payments: number): ReadonlyArray<Issue> => {
  const { plays, start } = scenario
  const unknown = mentionsOf(scenario).flatMap(({ known, name, path }) => {
    if (typeof name !== "string" || known.includes(name)) return []
    return [{ path, message: `there is no ${JSON.stringify(name)}. ${otherName(name, known)}` }]
  })
  const load = flawOfLoad(payments, loadOf(scenario, payments), LONGEST_LOAD.mean)
  const [early, long] = [start === undefined ? undefined : flawOfStart(start), load]
  return [
    ...unknown,
    ...weightless(scenario),
    ...impossibleFaults(scenario),
    ...(early === undefined ? [] : [{ path: ["start"], message: early }]),
    ...(long === undefined
      ? []
      : [{ path: [plays === undefined ? "load" : "plays"], message: long }]),
  ]
}
