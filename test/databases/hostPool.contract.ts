import { Effect, Layer, Redacted } from "effect"
import { Pool } from "pg"
import { afterAll } from "vitest"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { documentsContract } from "../../apps/payport/testing/documentsContract.ts"
import { rateLeasesContract } from "../../apps/payport/testing/rateLeasesContract.ts"
import { storeContract } from "../../apps/payport/testing/storeContract.ts"
import { emptied, sharedDatabase } from "../support/postgres.ts"
import { runContract } from "../support/runContract.ts"

const SCHEMA = "PAYPORT"

const made = Effect.runSync(
  Effect.cached(
    Effect.map(sharedDatabase(SCHEMA), (shared) => {
      const { database, host, password = Redacted.make(""), port, username } = shared
      const login = { user: username, password: Redacted.value(password) }
      const pool = new Pool({ host, port, database, ...login, max: 20 })
      return { shared, pool: pool.on("error", () => undefined) }
    }),
  ),
)

afterAll(() =>
  Effect.runPromise(Effect.flatMap(made, ({ pool }) => Effect.promise(() => pool.end()))),
)

const makeStore = () =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { pool, shared } = yield* made
      yield* emptied(shared, SCHEMA)
      return PostgresStore.layer({ pool, schema: SCHEMA })
    }),
  )

const opened = { open: makeStore }

runContract("PostgreSQL over a host's pool: the store", storeContract(opened))
runContract("PostgreSQL over a host's pool: documents", documentsContract(opened))
runContract("PostgreSQL over a host's pool: leases of rate windows", rateLeasesContract(opened))
