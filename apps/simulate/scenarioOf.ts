import { readFileSync } from "node:fs"
import { extname } from "node:path"
import { Result } from "effect"
import { parse } from "yaml"
import { mixed } from "../../simulator/scenarios/library.ts"
import {
  type Complaints,
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

/** The scenario of a name or a file. Throws `BadOptions` with everything that is wrong with it. */
export const scenarioOf = (wanted: string | undefined): Scenario => {
  if (wanted === undefined) return mixed
  const found = isScenarioFile(wanted) ? readScenario(readData(wanted)) : scenarioNamed(wanted)
  return Result.isSuccess(found) ? found.success : refuse(wanted, found.failure)
}

/** Fails with all complaints about a file. */
export const refuseFile = refuse
