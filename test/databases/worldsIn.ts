import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { simulate } from "../../simulator/perform.ts"
import { emptied, sharedDatabase, type TestDatabase } from "../support/postgres.ts"
import { openBlockingStore } from "./blockingStore.ts"

/** So many worlds, each a seed. */
const WORLDS = Number(process.env["PAYPORT_TEST_WORLDS"] ?? 3)

/** Simulated worlds on a payport in a schema of a database that others use at the same time. */
export const worldsIn = (schema: string): unknown =>
  describe(`simulated worlds in the schema ${schema}`, () => {
    let database: TestDatabase
    let stores: ReturnType<typeof openBlockingStore>
    beforeAll(async () => {
      database = await Effect.runPromise(sharedDatabase(schema))
      stores = openBlockingStore(database)
    })
    afterAll(() => stores.close())

    test.each(Array.from({ length: WORLDS }, (_, n) => n + 1))(
      "keep every promise: %i",
      async (seed) => {
        await Effect.runPromise(emptied(database, schema))
        const { operations, violations } = simulate({ seed, intents: 6, store: stores.fresh() })
        expect(violations).toStrictEqual([])
        expect(operations).toBeGreaterThan(0)
      },
    )
  })
