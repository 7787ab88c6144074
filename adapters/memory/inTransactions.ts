import type { Entries } from "./Entries.ts"

/** How a database is told where a transaction begins and how it ends, at once. */
export interface Transactions {
  readonly begin: () => unknown
  readonly commit: () => unknown
  /** Takes all of it back, also where `commit` has failed. */
  readonly rollback: () => unknown
}

/**
 * The `atomically` of entries in a database with transactions: the body runs between `begin` and
 * `commit`. Where either throws, everything is rolled back, and the caller gets what was thrown
 * first, whatever becomes of the rollback.
 */
export const inTransactions =
  ({ begin, commit, rollback }: Transactions): Entries["atomically"] =>
  (body) => {
    begin()
    try {
      const result = body()
      commit()
      return result
    } catch (error) {
      try {
        rollback()
      } catch {
        // A database that has rolled back by itself refuses to do so again.
      }
      throw error
    }
  }
