import type { DatabaseConnection } from "../../adapters/postgres/embedded/database.ts"

/** A database whose ledger, events and channel books can be read. */
export interface Books {
  readonly connection: DatabaseConnection
  /** One statement of the service's own user. */
  readonly ask: (sql: string) => Promise<ReadonlyArray<{ readonly [column: string]: unknown }>>
}
