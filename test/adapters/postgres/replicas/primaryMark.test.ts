import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { accessTo } from "../../../../adapters/postgres/access.ts"
import { openDatabase } from "../../../../adapters/postgres/database.ts"
import { primaryMark } from "../../../../adapters/postgres/replicas/primaryMark.ts"
import { emptiedDatabase, session } from "../../../support/postgres.ts"

const HISTORY = "SELECT body::text AS body FROM payport.documents WHERE id = 'history'"

it.live("the primary writes which history it is on, anew where that is old or another's", () =>
  Effect.gen(function* () {
    const settings = yield* emptiedDatabase
    const admin = yield* session(settings)
    const database = yield* openDatabase(settings, yield* accessTo(settings))
    const written = Effect.map(admin.query(HISTORY), ({ rows }) => rows[0]?.["body"])
    const age = (set: string) =>
      admin.query(`UPDATE payport.documents SET body = (body::jsonb || ${set})::json
        WHERE id = 'history'`)

    // Without the primary's row, there is no mark.
    expect(yield* primaryMark(database)).toBeUndefined()
    const first = yield* primaryMark(database)
    expect(first?.history).toBe(yield* written)
    const second = yield* primaryMark(database)
    expect(second?.history).toBe(first?.history)
    expect(second?.at).toBeGreaterThan(first?.at ?? Infinity)
    expect(second?.position).toBeGreaterThanOrEqual(first?.position ?? Infinity)

    const histories = new Set([first?.history])
    const changes = [
      `'{"line": "0 00000009"}'::jsonb`,
      `jsonb_build_object('at', extract(epoch FROM clock_timestamp()) - 6)`,
    ]
    for (const set of changes) {
      yield* age(set)
      yield* primaryMark(database)
      const renewed = yield* primaryMark(database)
      expect(renewed?.history).toBe(yield* written)
      histories.add(renewed?.history)
    }
    expect(histories.size).toBe(3)
  }).pipe(Effect.scoped),
)
