import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, extname, isAbsolute, join, normalize } from "node:path"
import { Result } from "effect"
import { parse } from "yaml"
import type { Complaints } from "../../simulator/scenarios/decodeStrictly.ts"
import { isObject } from "../../simulator/scenarios/Issue.ts"
import { LIBRARY, mixed } from "../../simulator/scenarios/library.ts"
import type { ScenarioSource } from "../../simulator/scenarios/mergeScenarios.ts"
import {
  findByName,
  type FindScenario,
  plainName,
  readScenario,
} from "../../simulator/scenarios/readScenario.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { BadOptions } from "../commandLine.ts"
import { fileText } from "../fileText.ts"
import { linesOf } from "./linesOf.ts"

/** The choice of a scenario. */
export interface ScenarioChoice {
  /** The name of a scenario, or its file. */
  readonly scenario: string | undefined
  /** A folder of scenarios that can be named, too. */
  readonly library: string | undefined
  /** The values of the scenario's variables, each as `name=value`. */
  readonly set: ReadonlyArray<string>
}

/** A scenario as it is played, and the files that it was read from. */
export interface Chosen {
  readonly scenario: Scenario
  readonly files: ReadonlyArray<string>
}

const FORMATS = new Set([".json", ".yaml", ".yml"])

const mistakesIn = (what: string, complaints: Complaints): string =>
  `${what}:\n${complaints.map((line) => `  ${line}`).join("\n")}`

/** Fails with all mistakes of a file. */
export const refuseFile = (what: string, complaints: Complaints): never => {
  throw new BadOptions(mistakesIn(what, complaints))
}

/** A scenario has mistakes; these are the files that it was to be read from. */
export class BadScenario extends BadOptions {
  readonly files: ReadonlyArray<string>
  constructor(place: string, complaints: Complaints, files: ReadonlyArray<string>) {
    super(mistakesIn(place, complaints))
    this.files = files
  }
}

/** Returns why a file cannot be read. The parser of YAML has no words of its own for one case. */
const whyUnreadable = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return message.startsWith("Maximum call stack")
    ? "its values are nested too deep. Write them flatter."
    : message
}

/** Reads a file as JSON or YAML, by its name, with the lines of its values. Throws `BadOptions`. */
const readFile = (file: string): Omit<ScenarioSource, "place"> => {
  try {
    const text = fileText(readFileSync(file))
    const data: unknown = extname(file) === ".json" ? JSON.parse(text) : parse(text)
    return { data, lineOf: linesOf(text) }
  } catch (error) {
    throw new BadOptions(`${file} cannot be read: ${whyUnreadable(error)}`, { cause: error })
  }
}

/** Reads a file as JSON or YAML, by its name. Throws `BadOptions`. */
export const readData = (file: string): unknown => readFile(file).data

/** Whether a scenario is chosen by a file, and not by its name. */
export const isScenarioFile = (wanted: string): boolean => FORMATS.has(extname(wanted))

/** Whether it is a folder, also by a link. */
const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Returns the paths of the scenarios in the folder of a `--library`. Throws `BadOptions`. */
export const filesOfLibrary = (folder: string): ReadonlyArray<string> => {
  try {
    const paths = readdirSync(folder).filter(isScenarioFile).toSorted()
    return paths.map((name) => join(folder, name)).filter((path) => !isFolder(path))
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`--library cannot be read: ${message}.`, { cause: error })
  }
}

type Named = ScenarioSource & { readonly name: string }

/** Returns the named scenarios: those of a folder, then the built-in ones. */
const namedOnes = (folder: string | undefined): ReadonlyArray<Named> => {
  const all: Array<Named> = LIBRARY.map((data) => ({ name: data.name, place: data.name, data }))
  const own = folder === undefined ? [] : filesOfLibrary(folder)
  const added = own.map((place): Named => {
    const { data, lineOf } = readFile(place)
    const name = isObject(data) ? data["name"] : undefined
    if (typeof name !== "string") {
      const here = "name: it is missing, and every file of a --library is a scenario with a name."
      return refuseFile(place, [`${here} Name it, or move the file elsewhere.`])
    }
    const same = all.find((other) => plainName(other.name) === plainName(name))
    if (same !== undefined) {
      const whose = same.place === same.name ? "a built-in scenario" : same.place
      const said = `${JSON.stringify(name)} is the name of ${whose}, too. Give it another.`
      return refuseFile(place, [`name: ${said}`])
    }
    const one = { name, place, data, lineOf }
    all.push(one)
    return one
  })
  return [...added, ...all.filter((one) => !added.includes(one))]
}

const fileAt = (place: string): ScenarioSource => ({
  place: normalize(place),
  ...readFile(place),
})

/** Reads a scenario from a source, with what it extends. */
const read = (
  { data, lineOf, place }: ScenarioSource,
  all: ReadonlyArray<Named>,
  set: ReadonlyArray<string>,
): Chosen => {
  const files = new Set<string>()
  const addFile = (from: string) => {
    if (isScenarioFile(from)) files.add(from)
  }
  addFile(place)
  const find: FindScenario = (wanted, from) => {
    if (!isScenarioFile(wanted)) {
      const found = findByName(wanted, all)
      if (Result.isSuccess(found)) addFile(found.success.place)
      return found
    }
    const file = isAbsolute(wanted) ? wanted : join(dirname(from), wanted)
    addFile(file)
    try {
      return Result.succeed(fileAt(file))
    } catch (error) {
      if (!(error instanceof BadOptions)) throw error
      return Result.fail([error.message])
    }
  }
  const scenario = readScenario(data, { place, set, find, lineOf })
  if (Result.isFailure(scenario)) throw new BadScenario(place, scenario.failure, [...files])
  return { scenario: scenario.success, files: [...files] }
}

/** Returns the scenario of a name or a file. Throws `BadOptions` with all its mistakes. */
export const scenarioOf = ({ library, scenario, set }: ScenarioChoice): Chosen => {
  const all = namedOnes(library)
  const wanted = scenario ?? mixed.name
  if (isScenarioFile(wanted)) return read(fileAt(wanted), all, set)
  const found = findByName(wanted, all)
  return Result.isSuccess(found) ? read(found.success, all, set) : refuseFile(wanted, found.failure)
}

/** Returns every named scenario. Throws `BadOptions` if one cannot be read. */
export const listScenarios = (library: string | undefined): ReadonlyArray<Scenario> => {
  const all = namedOnes(library)
  return all.map((source) => read(source, all, []).scenario)
}
