import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll } from "vitest"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { documentsContract } from "../contract/documents.ts"
import { rateLeasesContract } from "../contract/rateLeases.ts"
import { storeContract } from "../contract/store.ts"
import { emptied, sharedDatabase } from "../support/postgres.ts"
import { TransactionPooler } from "../support/TransactionPooler.ts"

const SCHEMA = "payport"

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const made = Effect.runSync(
  Effect.cached(
    Effect.gen(function* () {
      const direct = yield* sharedDatabase(SCHEMA)
      const place = yield* Scope.provide(TransactionPooler.make(direct), scope)
      return { direct, pooled: { ...direct, ...place, direct } }
    }),
  ),
)

const makeStore = () =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { direct, pooled } = yield* made
      yield* emptied(direct, SCHEMA)
      return PostgresStore.layer(pooled)
    }),
  )

storeContract("PostgreSQL behind a pooler of transactions", makeStore)
documentsContract("PostgreSQL behind a pooler of transactions", makeStore)
rateLeasesContract("PostgreSQL behind a pooler of transactions", makeStore)
