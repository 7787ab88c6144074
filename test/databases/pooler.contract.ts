import { Effect, Exit, Layer, Scope } from "effect"
import { afterAll } from "vitest"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { documentsContract } from "../../apps/payport/testing/documentsContract.ts"
import { rateLeasesContract } from "../../apps/payport/testing/rateLeasesContract.ts"
import { storeContract } from "../../apps/payport/testing/storeContract.ts"
import { emptied, sharedDatabase } from "../support/postgres.ts"
import { runContract } from "../support/runContract.ts"
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

const opened = { open: makeStore }

runContract("PostgreSQL behind a pooler of transactions: the store", storeContract(opened))
runContract("PostgreSQL behind a pooler of transactions: documents", documentsContract(opened))
runContract(
  "PostgreSQL behind a pooler of transactions: leases of rate windows",
  rateLeasesContract(opened),
)
