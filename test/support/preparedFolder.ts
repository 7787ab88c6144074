import { chmodSync, cpSync } from "node:fs"
import { join } from "node:path"
import { inject } from "vitest"

/**
 * Copies the run's prepared cluster into a data folder, as after an interrupted first start.
 * Creating a cluster costs more than the rest of a start, and only tests about it do so.
 */
export const prepareFolder = (folder: string): void => {
  const home = join(folder, "postgres")
  cpSync(inject("cluster"), home, { recursive: true })
  // The copied folders have the modes of new ones, with which PostgreSQL does not start.
  for (const path of [home, join(home, "data")]) chmodSync(path, 0o700)
}
