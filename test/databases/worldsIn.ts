import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Violation } from "../../simulator/auditor/Auditor.ts"
import { simulate } from "../../simulator/perform.ts"
import { sharedDatabase, type TestDatabase, truncated } from "../support/postgres.ts"
import { openBlockingStore } from "./blockingStore.ts"
import { readWorlds } from "./Worlds.ts"

/** Each seed is a world. */
const { first, last } = readWorlds(process.env["PAYPORT_TEST_WORLDS"] ?? "1..3")

/** A world of many payments takes half a minute where others need the processor too. */
const LONGEST = 600_000

const describeOne = ({ at, finding, name, number, subject }: Violation): string =>
  `${number} (${name}) of ${subject} at ${at}: ${finding}`

/** Simulated worlds on a payport in a schema of a database that others use at the same time. */
export const worldsIn = (schema: string): unknown =>
  describe(schema, () => {
    let database: TestDatabase
    let stores: ReturnType<typeof openBlockingStore>
    beforeAll(async () => {
      database = await Effect.runPromise(sharedDatabase(schema))
      stores = openBlockingStore(database)
    })
    afterAll(() => stores.close())

    test.each(Array.from({ length: last - first + 1 }, (_, n) => first + n))(
      "seed %i",
      { timeout: LONGEST },
      async (seed) => {
        await Effect.runPromise(truncated(database, schema))
        const { operations, violations } = simulate({ seed, intents: 6, store: stores.fresh() })
        const broken = stores.broken()
        if (broken !== undefined) throw new Error(`The database failed: ${broken.message}`)
        expect(violations.map(describeOne), "invariants that did not hold").toStrictEqual([])
        expect(operations).toBeGreaterThan(0)
      },
    )
  })
