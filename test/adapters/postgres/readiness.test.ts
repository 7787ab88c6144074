import { it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { expect, test } from "vitest"
import { DatabaseError, troubleOf } from "../../../adapters/postgres/failures.ts"
import { makeReadiness } from "../../../adapters/postgres/readiness.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { CuttingProxy } from "../../support/CuttingProxy.ts"
import { emptiedDatabase, session } from "../../support/postgres.ts"

test.each([
  ["25006", "read_only"],
  ["53100", "full"],
  ["53300", "no_connections"],
  ["NO_ANSWER", "no_answer"],
  ["BUSY", "no_answer"],
  ["ECONNREFUSED", "unreachable"],
  ["57P03", "unreachable"],
  ["42501", "refused"],
  [undefined, "unreachable"],
])("a server that says %s is %s", (code, trouble) => {
  expect(troubleOf(new DatabaseError({ code, message: "" }))).toBe(trouble)
})

it.effect("a commit that found no room shows, though a small row still finds some", () =>
  Effect.gen(function* () {
    const { learn, ping } = makeReadiness(Effect.void)
    const failed = (code: string) =>
      new StoreUnavailable({
        outcome: "not_stored",
        cause: new DatabaseError({ code, message: "" }),
      })
    learn(failed("40001"))
    yield* ping()
    learn(failed("53100"))
    expect(yield* Effect.flip(ping())).toMatchObject({ trouble: "full" })
  }),
)

it.live("a ping writes, and says what keeps the database from that", () =>
  Effect.gen(function* () {
    const database = yield* emptiedDatabase
    const admin = yield* session(database)
    const proxy = yield* CuttingProxy.make(database)
    const behind = { ...database, host: "127.0.0.1", port: proxy.port }
    const trouble = (ping: ReturnType<Store["Service"]["ping"]>) =>
      Effect.map(Effect.result(ping), (result) =>
        result._tag === "Success" ? "none" : result.failure.trouble,
      )
    yield* Effect.gen(function* () {
      const { ping } = yield* Store
      const until = (wanted: string) =>
        trouble(ping()).pipe(
          Effect.repeat({ until: (is) => is === wanted, schedule: Schedule.spaced("100 millis") }),
          Effect.timeout("15 seconds"),
        )
      yield* until("none")
      const { rows } = yield* admin.query("SELECT version FROM documents WHERE id = 'probe'")
      expect(Number(rows[0]?.["version"])).toBeGreaterThan(0)

      const set = (state: string) =>
        admin.query(
          `ALTER DATABASE ${database.database} SET default_transaction_read_only = ${state}`,
        )
      yield* set("on")
      proxy.drop()
      yield* until("read_only")
      yield* set("off")
      yield* until("none")

      proxy.hang(true)
      yield* until("no_answer")
      proxy.hang(false)
      yield* until("none")

      proxy.drop(true)
      yield* until("unreachable")
      proxy.drop(false)
      yield* until("none")
    }).pipe(Effect.provide(PostgresStore.layer(behind)))
  }).pipe(Effect.scoped),
)
