import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { configOf, withoutTimeLimit } from "../../../adapters/postgres/access.ts"
import { connectWith } from "../../../adapters/postgres/sessions/connectWith.ts"
import { emptiedDatabase } from "../../support/postgres.ts"

const LIMITS = `SELECT current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle`

it.live("a session's statements have a time limit, and those on all of a table none", () =>
  Effect.gen(function* () {
    const config = yield* configOf(yield* emptiedDatabase)
    const limitsOf = Effect.fnUntraced(function* (of: typeof config) {
      const { connection } = yield* connectWith(of)
      return (yield* connection.query(LIMITS, [], false)).rows[0]
    })
    expect(yield* limitsOf(config)).toEqual({ statement: "10s", idle: "10s" })
    expect(yield* limitsOf(withoutTimeLimit(config))).toEqual({ statement: "0", idle: "0" })
  }).pipe(Effect.scoped),
)
