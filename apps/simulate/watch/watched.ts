import { existsSync } from "node:fs"
import { basename, dirname, resolve } from "node:path"
import { isScenarioFile } from "../scenarioOf.ts"

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

/** The core and the simulator below `root`, and the scenario where it is a file. */
export const watchedOf = (root: string, scenario: string | undefined): ReadonlyArray<Watched> => {
  const code = ["core", "simulator"]
    .map((name) => ({ folder: resolve(root, name), file: undefined }))
    .filter(({ folder }) => existsSync(folder))
  if (scenario === undefined || !isScenarioFile(scenario)) return code
  return [...code, { folder: dirname(resolve(scenario)), file: basename(scenario) }]
}
