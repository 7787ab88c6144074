/** The entry of `payport/postgres`: a store in PostgreSQL. */
export { postgres } from "./postgresStore.ts"
export type { PostgresOptions } from "./postgresStore.ts"
