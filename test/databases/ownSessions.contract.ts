import { Effect, Layer } from "effect"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { documentsContract } from "../../apps/payport/testing/documentsContract.ts"
import { rateLeasesContract } from "../../apps/payport/testing/rateLeasesContract.ts"
import { storeContract } from "../../apps/payport/testing/storeContract.ts"
import { emptied, sharedDatabase } from "../support/postgres.ts"
import { runContract } from "../support/runContract.ts"

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

const opened = { open: makeStore }

runContract("PostgreSQL in one schema of several: the store", storeContract(opened))
runContract("PostgreSQL in one schema of several: documents", documentsContract(opened))
runContract(
  "PostgreSQL in one schema of several: leases of rate windows",
  rateLeasesContract(opened),
)
