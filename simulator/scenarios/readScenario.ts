import { Exit, Result, Schema, SchemaIssue } from "effect"
import { fromIso } from "../../core/shared/Timestamp.ts"
import { find } from "../../core/channels/Channel.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { FAULTS } from "../faults/Faults.ts"
import { SERVICES } from "../world/people/Population.ts"
import { LIBRARY } from "./library.ts"
import { PAYEES, PAYERS } from "./Persona.ts"
import { Scenario } from "./Scenario.ts"

/** What is wrong with a scenario or a file of the simulator, a line for each. */
export type Complaints = ReadonlyArray<string>

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const pathOf = (
  path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined,
): string => (path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".")

/** Decodes a file's content strictly: names that the schema does not know are refused, too. */
export const decodeStrictly = <S extends Schema.Decoder<unknown>>(
  schema: S,
  input: unknown,
): Result.Result<S["Type"], Complaints> => {
  const exit = Schema.decodeUnknownExit(schema)(input, {
    errors: "all",
    onExcessProperty: "error",
  })
  if (Exit.isSuccess(exit)) return Result.succeed(exit.value)
  const lines = exit.cause.reasons.flatMap((reason) => {
    if (reason._tag !== "Fail") return ["It cannot be read."]
    return format(reason.error.issue).issues.map(({ message, path }) => {
      const where = pathOf(path)
      return where === "" ? message : `${where}: ${message}`
    })
  })
  return Result.fail(lines)
}

const unknownNames = (
  what: string,
  names: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
): Complaints =>
  names
    .filter((name) => !known.includes(name))
    .map((name) => `${what}: there is no ${JSON.stringify(name)}. Known are ${known.join(", ")}.`)

const named = (shares: ReadonlyArray<{ readonly persona: unknown }>): ReadonlyArray<string> =>
  shares.flatMap(({ persona }) => (typeof persona === "string" ? [persona] : []))

const unknownChannels = (what: string, channels: ReadonlyArray<string>): Complaints =>
  [...new Set(channels)]
    .filter((channel) => find(defaultCatalog, channel) === undefined)
    .map((channel) => `${what}: there is no channel ${JSON.stringify(channel)}.`)

/** What a scenario names that nobody knows. */
const strangers = (scenario: Scenario): Complaints => {
  const away = (scenario.incidents ?? []).flatMap((incident) =>
    incident.what === "channel_away" ? [incident.channel] : [],
  )
  const asked = (scenario.plays ?? []).flatMap(({ channel }) => channel ?? [])
  const isTime = scenario.start === undefined || fromIso(scenario.start) !== undefined
  return [
    ...unknownNames("payers", named(scenario.payers), Object.keys(PAYERS)),
    ...unknownNames("payees", named(scenario.payees), Object.keys(PAYEES)),
    ...unknownNames(
      "services",
      scenario.services ?? [],
      SERVICES.map(({ name }) => name),
    ),
    ...unknownNames("faults.set", Object.keys(scenario.faults.set ?? {}), Object.keys(FAULTS)),
    ...unknownChannels("incidents", away),
    ...unknownChannels("plays", asked),
    ...(isTime ? [] : [`start: ${JSON.stringify(scenario.start)} is no instant with an offset.`]),
  ]
}

/** Reads a scenario from what a file holds; fails with everything that is wrong with it. */
export const readScenario = (input: unknown): Result.Result<Scenario, Complaints> =>
  Result.flatMap(decodeStrictly(Scenario, input), (scenario) => {
    const wrong = strangers(scenario)
    return wrong.length === 0 ? Result.succeed(scenario) : Result.fail(wrong)
  })

/** The scenario of that name, with `-`, `_` and spaces taken for the same. */
export const scenarioNamed = (name: string): Result.Result<Scenario, Complaints> => {
  const wanted = name.toLowerCase().replaceAll(/[\s-]+/g, "_")
  const found = LIBRARY.find((scenario) => scenario.name === wanted)
  if (found !== undefined) return Result.succeed(found)
  const names = LIBRARY.map((scenario) => scenario.name).join(", ")
  return Result.fail([`There is no scenario ${JSON.stringify(name)}. Known are ${names}.`])
}
