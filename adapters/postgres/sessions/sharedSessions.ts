import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection } from "./connectWith.ts"

/** So often the two connections are asked; a busy pooler hands out another session each time. */
const ROUNDS = 4

/**
 * Whether a pooler lends two connections the same sessions by turns, judged by the server's
 * processes that answered each: one's own stays the same, and is nobody else's.
 */
export const areShared = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): boolean =>
  new Set(one).size > 1 || new Set(other).size > 1 || one.some((process) => other.includes(process))

const processOf = (connection: Connection) =>
  Effect.map(connection.query("SELECT pg_backend_pid() AS process", [], false), ({ rows }) =>
    Number(rows[0]?.["process"]),
  )

/**
 * Whether a pooler shares sessions between its clients, which no setting of the server tells.
 * The two are asked in an order in which neither a pooler that lends the session last used, nor one
 * that lends all in turn, can look like sessions of their own.
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
