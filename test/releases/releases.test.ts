import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Result, Scope } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, onTestFinished, test } from "vitest"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { RELEASES } from "../../adapters/postgres/schema/releases.ts"
import { STEPS } from "../../adapters/postgres/schema.ts"
import { TABLES } from "../../adapters/postgres/tables.ts"
import { Store } from "../../core/ports/Store.ts"
import { perform } from "../../simulator/perform.ts"
import { readRunFile } from "../../simulator/RunFile.ts"
import { startOn, stop, temporaryFolder } from "../apps/server/service.ts"
import { askDatabase, urlOf } from "../support/askDatabase.ts"
import { emptyDatabase, serviceOf, testDatabase, type TestDatabase } from "../support/postgres.ts"
import { formOf } from "./formOf.ts"
import type * as ClientStory from "./clientStory.ts"
import { tell as tellNow } from "./clientStory.ts"
import { readRelease, readStory, type Release, restore } from "./Release.ts"

const versions = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** A database as the release left it, as its owner reaches it, until the test has ended. */
const restored = async (release: Release): Promise<TestDatabase> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(emptyDatabase, scope))
  const opened = Effect.flatMap(PgConnection.make(database), (session) => restore(session, release))
  await Effect.runPromise(Effect.scoped(opened))
  return database
}

const migrated = async (release: Release) => {
  const owner = await restored(release)
  const service = serviceOf(owner)
  const migration = await Effect.runPromise(PostgresStore.migrateAs(owner, service))
  return { migration, owner, service }
}

/** Finds journals that do not sum to zero, and sums that differ from their rows. */
const WRONG_SUMS = `SELECT 'journal' AS what FROM postings GROUP BY journal, currency
    HAVING sum(amount) <> 0
  UNION ALL SELECT 'day' FROM (SELECT account_id, currency, ledger_account, kind, sum(amount) AS a
    FROM ledger_totals GROUP BY 1, 2, 3, 4) AS days
  FULL JOIN (SELECT account_id, currency, ledger_account, kind, sum(amount) AS a FROM postings
    GROUP BY 1, 2, 3, 4) AS rows USING (account_id, currency, ledger_account, kind)
    WHERE days.a IS DISTINCT FROM rows.a
  UNION ALL SELECT 'balance' FROM ledger_balances
  FULL JOIN (SELECT account_id, currency, ledger_account, kind, sum(amount) AS a FROM postings
    GROUP BY 1, 2, 3, 4) AS rows USING (account_id, currency, ledger_account, kind)
    WHERE amount IS DISTINCT FROM a`

test("the newest client tells the same story", async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const keys = { seller: `sk_test_${"S".repeat(43)}`, buyer: `ag_sk_test_${"B".repeat(43)}` }
  const running = await startOn(await temporaryFolder(), {
    PAYPORT_DEMO_SELLER_KEY: keys.seller,
    PAYPORT_DEMO_BUYER_KEY: keys.buyer,
    PAYPORT_DATABASE_URL: urlOf(database),
  })
  expect(await tellNow({ url: running.url, ...keys })).toHaveLength(6)
  expect(await stop(running)).toBe(0)
})

test("each release but the present one has left something", () => {
  expect(versions).toStrictEqual(RELEASES.map(({ version }) => version))
})

describe.each(versions)("what %s has left", (version) => {
  const folder = join(import.meta.dirname, version)
  const release = readRelease(folder)

  test("gets the form of a new database, by the steps since", async () => {
    const { migration, owner } = await migrated(release)
    const ended = RELEASES.find((one) => one.version === version)?.step ?? 0
    expect(migration.taken).toStrictEqual(
      STEPS.filter(({ id }) => id > ended).map(({ name }) => name),
    )
    const scope = Scope.makeUnsafe()
    onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
    const fresh = await Effect.runPromise(Scope.provide(testDatabase, scope))
    expect(await formOf(owner, "public")).toStrictEqual(await formOf(fresh, "payport"))
  })

  test("is read back, every record of every kind, and its books add up", async () => {
    const { owner, service } = await migrated(release)
    const found = await Effect.runPromise(
      Effect.gen(function* () {
        const { find } = yield* Store
        // A kind that has come since has no table in it.
        const made = release.statements.join("\n")
        const kept = TABLES.filter(({ name }) =>
          new RegExp(`CREATE TABLE \\S*\\b${name} `).test(made),
        )
        const read = kept.map(({ kind, name, prefix }) => {
          const { rows = [] } = release.tables.find(({ table }) => table === name) ?? {}
          const ids = rows.map(({ id }) => (prefix === null ? id : `${prefix}_${id}`))
          return Effect.map(
            Effect.forEach(ids, (id) => find(kind, id as never)),
            (some) => [kind, some.filter((one) => one === undefined).length, ids.length] as const,
          )
        })
        return yield* Effect.all(read)
      }).pipe(Effect.provide(PostgresStore.layer(service)), Effect.scoped),
    )
    expect(found.filter(([, missing]) => missing > 0)).toStrictEqual([])
    expect(found.filter(([, , there]) => there === 0)).toStrictEqual([])
    expect(await askDatabase(owner, WRONG_SUMS)).toStrictEqual([])
  })

  test("is served as it was: payments, books and the audit log, whole and signed", async () => {
    const { service } = await migrated(release)
    const running = await startOn(await temporaryFolder(), {
      ...release.keys,
      PAYPORT_DATABASE_URL: urlOf(service),
      PAYPORT_ROLES: "api",
    })
    for (const { body, key, path } of release.answers) {
      // The time of the question is in the answer.
      const { as_of: _, ...said } = body as { readonly as_of?: string }
      const headers = { authorization: `Bearer ${release.keys[key]}` }
      const response = await fetch(`${running.url}${path}`, { headers })
      expect([path, response.status]).toStrictEqual([path, 200])
      expect(await response.json(), path).toMatchObject(said)
    }
    expect(await stop(running)).toBe(0)
  })

  test("left a client that buys, sells and is told of it at the newest service", async () => {
    const { service } = await migrated(release)
    const place = await temporaryFolder()
    const story = join(place, "client.mjs")
    await writeFile(story, readStory(folder))
    const running = await startOn(place, {
      ...release.keys,
      PAYPORT_DATABASE_URL: urlOf(service),
    })
    const { tell } = (await import(pathToFileURL(story).href)) as typeof ClientStory
    const done = await tell({
      url: running.url,
      seller: release.keys["PAYPORT_DEMO_SELLER_KEY"] ?? "",
      buyer: release.keys["PAYPORT_DEMO_BUYER_KEY"] ?? "",
    })
    expect(done).toHaveLength(6)
    expect(await stop(running)).toBe(0)
  }, 120_000)

  const runs = readdirSync(folder).filter((name) => name.startsWith("run-"))
  test.each(runs)("is replayed, with every promise kept: %s", (name) => {
    const file: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"))
    const { script } = Result.getOrThrow(readRunFile(file))
    expect(perform(script).violations).toStrictEqual([])
  })
})
