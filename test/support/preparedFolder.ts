import { chmodSync, cpSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"

/**
 * Gives a data folder the cluster that this run has made beforehand, as after a first start that
 * was interrupted there: making one costs more than all else of a start, and is tested where that
 * is what a test is about.
 */
export const prepareFolder = (folder: string): void => {
  const home = join(folder, "postgres")
  cpSync(inject("cluster"), home, { recursive: true })
  // The copied folders have the modes of new ones, with which PostgreSQL does not start.
  for (const path of [home, join(home, "data")]) chmodSync(path, 0o700)
}
