import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection } from "./connectWith.ts"

/** How often the two connections are compared. A busy pooler lends another session each time. */
const ROUNDS = 4

/**
 * Whether a pooler shares its sessions between two connections. Judged by the server processes that
 * answered: an own session always has the same process, and no other connection has it.
 */
export const areShared = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  new Set(one).size > 1 || new Set(other).size > 1 || one.some((process) => other.includes(process))

const processOf = (connection: Connection) =>
  Effect.map(connection.query("SELECT pg_backend_pid() AS process", [], false), ({ rows }) =>
    Number(rows[0]?.["process"]),
  )

/**
 * Whether a pooler shares sessions between its clients. No setting of the server shows that. The
 * order of the queries detects a pooler that lends the last used session, and one that lends all
 * sessions in turn.
 */
export const areSessionsShared: (
  one: Connection,
  other: Connection,
) => Effect.Effect<boolean, SqlError> = Effect.fnUntraced(function* (one, other) {
  const seen: { readonly [C in "one" | "other"]: Array<number> } = { one: [], other: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    seen.one.push(yield* processOf(one))
    seen.other.push(yield* processOf(other), yield* processOf(other))
    seen.one.push(yield* processOf(one))
  }
  return areShared(seen.one, seen.other)
})
