import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { creating, type OnlinePart } from "./schema/Step.ts"
import type { Connection } from "./sessions/connectWith.ts"

type IndexPart = Extract<OnlinePart, { readonly index: string }>

const stateOf = ({ index }: IndexPart): string =>
  `SELECT indisvalid AS ready FROM pg_index WHERE indexrelid = to_regclass('payport.${index}')`

const ruleState = ({ on, rule }: Exclude<OnlinePart, IndexPart>): string =>
  `SELECT convalidated AS ready FROM pg_constraint
    WHERE conrelid = to_regclass('payport.${on}') AND conname = '${rule}'`

/**
 * Returns the statements that remain. A crashed attempt leaves an index that is invalid: writers
 * keep it, nobody reads it, and `IF NOT EXISTS` would take it for the wanted one.
 */
const remaining = (part: OnlinePart, ready: unknown): ReadonlyArray<string> => {
  if (ready === true) return []
  if ("rule" in part) return [`ALTER TABLE payport.${part.on} VALIDATE CONSTRAINT ${part.rule}`]
  const dropped = `DROP INDEX CONCURRENTLY IF EXISTS payport.${part.index}`
  const made = creating(part, "CONCURRENTLY IF NOT EXISTS ")
  return ready === false ? [dropped, made] : [made]
}

/**
 * Makes the part unless it is there. Each statement waits for older transactions, and nobody waits
 * behind it: it therefore has no limit for locks, after which it would begin anew. Writers go on.
 */
export const makeOnline = Effect.fnUntraced(function* (
  connection: Connection,
  part: OnlinePart,
  lockTimeout: string,
): Effect.fn.Return<void, SqlError> {
  const ask = (sql: string) => connection.query(sql, [], false)
  const { rows } = yield* ask("rule" in part ? ruleState(part) : stateOf(part))
  const statements = remaining(part, rows[0]?.["ready"])
  if (statements.length === 0) return
  yield* ask("SET lock_timeout = 0")
  for (const sql of statements) yield* ask(sql)
  yield* ask(`SET lock_timeout = '${lockTimeout}'`)
})
