import { readFileSync } from "node:fs"
import { dirname, extname, resolve } from "node:path"
import { Result } from "effect"
import { parse } from "yaml"
import { mixed } from "../../simulator/scenarios/library.ts"
import type { Complaints } from "../../simulator/scenarios/decodeStrictly.ts"
import {
  type FindScenario,
  readScenario,
  scenarioNamed,
} from "../../simulator/scenarios/readScenario.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { BadOptions } from "../commandLine.ts"

const FORMATS = new Set([".json", ".yaml", ".yml"])

const refuse = (what: string, complaints: Complaints): never => {
  throw new BadOptions(`${what}:\n${complaints.map((line) => `  ${line}`).join("\n")}`)
}

/** Reads a file as JSON or YAML, by its name. Throws `BadOptions`. */
export const readData = (file: string): unknown => {
  try {
    const text = readFileSync(file, "utf8")
    return extname(file) === ".json" ? (JSON.parse(text) as unknown) : (parse(text) as unknown)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new BadOptions(`${file} cannot be read: ${message}`, { cause: error })
  }
}

/** Whether a scenario is asked for by a file, and not by its name. */
export const isScenarioFile = (wanted: string): boolean => FORMATS.has(extname(wanted))

/** What a scenario extends: a file as its own file sees it, or a name of the library. */
const find: FindScenario = (wanted, from) => {
  if (!isScenarioFile(wanted)) {
    return Result.map(scenarioNamed(wanted), (data) => ({ place: data.name, data }))
  }
  const place = resolve(dirname(from), wanted)
  try {
    return Result.succeed({ place, data: readData(place) })
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    return Result.fail([error.message])
  }
}

/**
 * The scenario of a name or a file, with its variables set as `set` says (`name=value`, several
 * with commas between). Throws `BadOptions` with everything that is wrong with it.
 */
export const scenarioOf = (wanted: string | undefined, set?: string): Scenario => {
  const isFile = wanted !== undefined && isScenarioFile(wanted)
  const named = wanted === undefined ? Result.succeed(mixed) : scenarioNamed(wanted)
  if (!isFile && (Result.isFailure(named) || set === undefined)) {
    return Result.isSuccess(named) ? named.success : refuse(wanted ?? "", named.failure)
  }
  const given = { find, set: set?.split(",") ?? [] }
  const found = isFile
    ? readScenario(readData(wanted), { ...given, place: resolve(wanted) })
    : Result.flatMap(named, (scenario) => readScenario(scenario, given))
  return Result.isSuccess(found) ? found.success : refuse(wanted ?? mixed.name, found.failure)
}

/** Fails with all complaints about a file. */
export const refuseFile = refuse
