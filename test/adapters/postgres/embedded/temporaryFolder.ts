import { Effect, type Scope } from "effect"
import { chmod, mkdtemp, readdir, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { processesServing } from "../../../../adapters/postgres/embedded/processes.ts"
import { prepareFolder } from "../../../support/preparedFolder.ts"

const processesBelow = async (folder: string): Promise<ReadonlyArray<number>> => {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const clusters = entries.filter((entry) => basename(entry) === "postmaster.pid")
  const found = await Promise.all(
    clusters.map((entry) => processesServing(dirname(join(folder, entry)))),
  )
  return found.flat()
}

/** A folder for the test that the server's user, who is not root, can enter. */
export const temporaryFolder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = await mkdtemp(join(await realpath(tmpdir()), "payport-test-"))
    await chmod(folder, 0o711)
    return folder
  }),
  (folder) =>
    Effect.promise(async () => {
      // Ends processes that a failing test has left. PostgreSQL does not end the children of a
      // killed server.
      for (const pid of await processesBelow(folder)) process.kill(pid, "SIGKILL")
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    }),
)

/** The same with a cluster in it, which no server runs on. */
export const preparedFolder = Effect.tap(temporaryFolder, (folder) =>
  Effect.sync(() => prepareFolder(folder)),
)
