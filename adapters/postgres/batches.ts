import { Effect } from "effect"
import { run } from "./database.ts"
import type { SessionPool } from "./sessions/SessionPool.ts"

/** The number of rows per statement. It locks them, so no other statement waits for long. */
export const BATCH = 1_000

/**
 * Runs a statement that changes at most {@link BATCH} rows until none are left. Returns how many it
 * changed. `forget` gets the ids of each batch.
 */
export const inBatches = Effect.fnUntraced(function* (
  work: SessionPool,
  sql: string,
  parameters: ReadonlyArray<unknown>,
  forget: (ids: ReadonlyArray<string>) => void = () => {},
) {
  let changed = 0
  while (true) {
    const rows = yield* run(work, sql, parameters)
    changed += rows.length
    forget(rows.map(({ id }) => String(id)))
    if (rows.length < BATCH) return changed
  }
})

/** The statements that erase the records of a kind together with those that belong to them. */
export interface PartingSql {
  /** Returns the ids of a batch of the account `$1`. */
  readonly batch: string
  /** Erase what belongs to the records `$2` of the account `$1`, in batches. */
  readonly belongings: ReadonlyArray<string>
  /** Erases the records `$2` of the account `$1`, so that no batch has them again. */
  readonly records: string
}
