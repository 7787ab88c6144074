import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { BadOptions } from "../../commandLine.ts"
import {
  BadScenario,
  filesOfLibrary,
  isScenarioFile,
  type ScenarioChoice,
  scenarioOf,
} from "../scenarioOf.ts"

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

const libraryOf = ({ library }: ScenarioChoice): ReadonlyArray<string> =>
  library === undefined || !existsSync(library) ? [] : filesOfLibrary(library)

/** Returns the files of a scenario, also if one of them has a mistake or is missing. */
const filesOf = (choice: ScenarioChoice): ReadonlyArray<string> => {
  try {
    return scenarioOf(choice).files
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    if (error instanceof BadScenario) return error.files
    // A mistake in any file of the library leaves no scenario with a name.
    return [choice.scenario ?? "", ...libraryOf(choice)].filter(isScenarioFile)
  }
}

/** Returns the path; of one whose folder is missing, what has to be made first. */
const existing = (folder: string, file: string): Watched =>
  existsSync(folder) ? { folder, file } : existing(dirname(folder), basename(folder))

/**
 * Returns the core and the simulator in `root`, and the files of the scenario, also those that are
 * missing.
 */
export const watchedOf = (root: string, choice: ScenarioChoice): ReadonlyArray<Watched> => {
  const code = ["core", "simulator"]
    .map((name) => ({ folder: resolve(root, name), file: undefined }))
    .filter(({ folder }) => existsSync(folder))
  const files = filesOf(choice).map((file) => existing(dirname(resolve(file)), basename(file)))
  return [...code, ...files]
}
