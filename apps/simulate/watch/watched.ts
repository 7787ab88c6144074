import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { BadOptions } from "../../commandLine.ts"
import { isScenarioFile, type ScenarioChoice, scenarioOf } from "../scenarioOf.ts"

/** What a run depends on: all programs in a folder and below, or a file, which editors replace. */
export interface Watched {
  readonly folder: string
  /** The name of the only file that counts; undefined where every program does. */
  readonly file: string | undefined
}

const PROGRAM = /\.[cm]?[jt]sx?$/

/** Whether a change of that name below the folder is one that counts. */
export const concerns = ({ file }: Watched, changed: string | null): boolean => {
  if (changed === null) return true
  return file === undefined ? PROGRAM.test(changed) : changed === file
}

/** The files of a scenario; of one with something wrong, the one that was asked for. */
const filesOf = (choice: ScenarioChoice): ReadonlyArray<string> => {
  try {
    return scenarioOf(choice).files
  } catch (error) {
    if (!(error instanceof BadOptions)) throw error
    return [choice.scenario ?? ""].filter(isScenarioFile)
  }
}

/** The core and the simulator below `root`, and the files that the scenario is made of. */
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
