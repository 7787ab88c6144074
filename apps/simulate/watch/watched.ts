import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { BadOptions } from "../../commandLine.ts"
import { isScenarioFile, type ScenarioChoice, scenarioOf } from "../scenarioOf.ts"

/** A watched folder: all programs in it and below, or one file, which editors replace. */
export interface Watched {
  readonly folder: string
  /** The name of the only file that counts; undefined if every program does. */
  readonly file: string | undefined
}

const PROGRAM = /\.[cm]?[jt]sx?$/

/** Whether a change with that name in the folder counts. */
export const concerns = ({ file }: Watched, changed: string | null): boolean => {
  if (changed === null) return true
  return file === undefined ? PROGRAM.test(changed) : changed === file
}

/** Returns the files of a scenario; if it has a mistake, only the chosen file. */
const filesOf = (choice: ScenarioChoice): ReadonlyArray<string> => {
  try {
    return scenarioOf(choice).files
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    return [choice.scenario ?? ""].filter(isScenarioFile)
  }
}

/** Returns the core and the simulator in `root`, and the files of the scenario. */
export const watchedOf = (root: string, choice: ScenarioChoice): ReadonlyArray<Watched> => {
  const code = ["core", "simulator"]
    .map((name) => ({ folder: resolve(root, name), file: undefined }))
    .filter(({ folder }) => existsSync(folder))
  const files = filesOf(choice).map((file) => ({
    folder: dirname(resolve(file)),
    file: basename(file),
  }))
  return [...code, ...files]
}
