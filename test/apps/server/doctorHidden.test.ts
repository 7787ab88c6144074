import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { start, temporaryFolder } from "./service.ts"

/** A process number that no system gives. */
const NOBODY = 2 ** 31 - 1

test("doctor says that an embedded database may run where it cannot see it", async () => {
  const folder = await temporaryFolder()
  const cluster = join(folder, "postgres/data")
  await mkdir(cluster, { recursive: true })
  const database = async () => {
    const command = start({ PAYPORT_DATA_DIR: folder }, "doctor", "--json")
    expect(await command.ended).toBe(0)
    const { findings } = JSON.parse(command.stdout()) as {
      readonly findings: ReadonlyArray<{ readonly check: string }>
    }
    return findings.filter(({ check }) => check === "database")
  }
  expect(await database()).toMatchObject([{ state: "skipped", todo: null }])
  const lines = [NOBODY, cluster, 1_700_000_000, 5_432, cluster, "", "1 2", "ready"]
  await writeFile(join(cluster, "postmaster.pid"), `${lines.join("\n")}\n`)
  expect(await database()).toMatchObject([
    {
      state: "warning",
      message: expect.stringContaining(`names the process ${NOBODY}`),
      todo: expect.stringContaining("run doctor in that container"),
    },
  ])
})
