import { Effect, Layer } from "effect"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { documentsContract } from "../contract/documents.ts"
import { rateLeasesContract } from "../contract/rateLeases.ts"
import { storeContract } from "../contract/store.ts"
import { emptied, sharedDatabase } from "../support/postgres.ts"

const SCHEMA = "My Schema"

const made = Effect.runSync(Effect.cached(Effect.suspend(() => sharedDatabase(SCHEMA))))

const makeStore = () =>
  Layer.unwrap(
    Effect.gen(function* () {
      const database = yield* made
      yield* emptied(database, SCHEMA)
      return PostgresStore.layer(database)
    }),
  )

storeContract("PostgreSQL in one schema of several", makeStore)
documentsContract("PostgreSQL in one schema of several", makeStore)
rateLeasesContract("PostgreSQL in one schema of several", makeStore)
