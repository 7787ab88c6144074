import { foundation } from "./migrations/0001_foundation.ts"
import { deliveries } from "./migrations/0003_deliveries.ts"
import type { Migration } from "./migrations/Migration.ts"

/** Every step of the schema, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [foundation, deliveries]
