import { Effect } from "effect"
import { join } from "node:path"
import { servesFolder } from "../../../../adapters/postgres/embedded/processes.ts"

/**
 * Whether the process still serves the data folder. A signal is not enough to find out, since an
 * orphan that has ended stays a zombie until the system's first process collects it.
 */
export const serves = (dataDirectory: string, pid: number): Effect.Effect<boolean> =>
  Effect.promise(() => servesFolder(pid, join(dataDirectory, "postgres", "data")))
