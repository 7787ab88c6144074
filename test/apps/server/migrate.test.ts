import { Effect, Exit, Scope } from "effect"
import { Client } from "pg"
import { expect, onTestFinished, test } from "vitest"
import { ourSchema } from "../../../adapters/postgres/OurSchema.ts"
import { MIGRATION_LOCK } from "../../../adapters/postgres/migrate.ts"
import { RUNNING } from "../../../adapters/postgres/runningProcesses.ts"
import { urlOf } from "../../support/askDatabase.ts"
import { emptyDatabase, serviceOf } from "../../support/postgres.ts"
import { start, startOn, stop, temporaryFolder } from "./service.ts"

const emptyUrls = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const owner = await Effect.runPromise(Scope.provide(emptyDatabase, scope))
  return { owner: urlOf(owner), service: urlOf(serviceOf(owner)) }
}

test("migrate makes the tables as their owner, and the service runs as another role", async () => {
  const folder = await temporaryFolder()
  const { owner, service } = await emptyUrls()
  const shared = { PAYPORT_DATABASE_URL: service, PAYPORT_DATA_DIR: folder, PAYPORT_PORT: "0" }
  const early = start(shared)
  expect(await early.ended).toBe(1)
  expect(early.stderr()).toMatch(/^payport cannot run: .*`node apps\/server\/main.ts migrate`.*\n$/)
  const without = start(shared, "migrate")
  expect([await without.ended, without.stderr()]).toEqual([
    1,
    "payport cannot run: PAYPORT_MIGRATION_URL has to be set where PAYPORT_DATABASE_URL is.\n",
  ])
  for (let n = 0; n < 2; n += 1) {
    const migrated = start({ ...shared, PAYPORT_MIGRATION_URL: owner }, "migrate")
    expect([await migrated.ended, migrated.stderr()]).toEqual([0, ""])
    expect(migrated.stdout()).toContain("up to date")
  }
  expect(await stop(await startOn(folder, shared))).toBe(0)
}, 120_000)

test("migrate that a signal stops does not end as if it were done", async () => {
  const folder = await temporaryFolder()
  const { owner, service } = await emptyUrls()
  const other = new Client({ connectionString: owner })
  await other.connect()
  onTestFinished(() => other.end())
  await other.query(`SELECT pg_advisory_lock(${ourSchema("payport").lock(MIGRATION_LOCK)})`)
  const settings = { PAYPORT_DATABASE_URL: service, PAYPORT_MIGRATION_URL: owner }
  const migrated = start({ ...settings, PAYPORT_DATA_DIR: folder }, "migrate")
  await expect.poll(migrated.stderr).toContain("waits_for")
  migrated.child.kill("SIGTERM")
  expect(await migrated.ended).toBe(143)
  expect(migrated.stderr()).toMatch(/^payport migrate was stopped by SIGTERM before .*\n$/m)
}, 120_000)

test("migrate names processes that are too old, and works once they have ended", async () => {
  const folder = await temporaryFolder()
  const { owner, service } = await emptyUrls()
  const settings = {
    PAYPORT_DATABASE_URL: service,
    PAYPORT_DATA_DIR: folder,
    PAYPORT_MIGRATION_URL: owner,
  }
  const run = async () => {
    const migrated = start(settings, "migrate")
    return [await migrated.ended, migrated.stdout(), migrated.stderr()] as const
  }
  expect(await run()).toMatchObject([0, expect.anything(), ""])
  const older = new Client({ connectionString: service, application_name: "till-7" })
  await older.connect()
  onTestFinished(() => older.end().catch(() => undefined))
  const open = new Client({ connectionString: owner })
  await open.connect()
  onTestFinished(() => open.end())
  // The last step, whose parts are there already, has yet to be recorded.
  const { rows } = await open.query<{ id: number; beside: number }>(
    "DELETE FROM payport.payport_schema WHERE id = (SELECT max(id) FROM payport.payport_schema)" +
      " RETURNING id, beside",
  )
  const [last] = rows
  const { lock } = ourSchema("payport")
  await older.query(`SELECT pg_advisory_lock_shared(${lock(RUNNING)} + ${last!.beside - 1})`)
  const [code, out, error] = await run()
  expect([code, out]).toEqual([1, ""])
  expect(error).toMatch(
    /^payport cannot run: The migration has.* till-7 \(.*, schema step \d+\)\..*\n$/,
  )
  await older.end()
  await expect.poll(async () => (await run())[0], { timeout: 60_000 }).toBe(0)
}, 180_000)

test("migrate prints what it would do, for any schema, and touches nothing", async () => {
  const settings = {
    PAYPORT_DATABASE_URL: "postgresql://till@127.0.0.1:1/nowhere",
    PAYPORT_DATABASE_SCHEMA: "My Schema",
  }
  const printed = start(settings, "migrate", "--print")
  expect(await printed.ended).toBe(0)
  expect(printed.stdout()).toMatch(/^BEGIN;[^]*CREATE TABLE "My Schema"\.accounts \([^]*COMMIT;\n/)
  expect(printed.stdout()).toContain('GRANT USAGE ON SCHEMA "My Schema" TO "till";')
  const wrong = start(settings, "migrate", "--print", "--from", "99")
  expect(await wrong.ended).toBe(1)
  expect(wrong.stderr()).toMatch(/^payport cannot run: The step to go on from has to be .*\n$/)
}, 120_000)
