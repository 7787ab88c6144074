import { Effect, Layer, Redacted } from "effect"
import { Pool } from "pg"
import { afterAll } from "vitest"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { documentsContract } from "../contract/documents.ts"
import { rateLeasesContract } from "../contract/rateLeases.ts"
import { storeContract } from "../contract/store.ts"
import { emptied, sharedDatabase } from "../support/postgres.ts"

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

storeContract("PostgreSQL over a host's pool", makeStore)
documentsContract("PostgreSQL over a host's pool", makeStore)
rateLeasesContract("PostgreSQL over a host's pool", makeStore)
