import type { Entries } from "./Entries.ts"

/** How a transaction of a database begins and ends, synchronously. */
export interface Transactions {
  readonly begin: () => unknown
  readonly commit: () => unknown
  /** Undoes everything, also after `commit` has failed. */
  readonly rollback: () => unknown
}

/**
 * Returns `atomically` for a database with transactions: the body runs between `begin` and
 * `commit`. If either throws, everything is rolled back, and the first error is thrown, whatever
 * happens to the rollback.
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
        // A database that has rolled back by itself refuses another rollback.
      }
      throw error
    }
  }
