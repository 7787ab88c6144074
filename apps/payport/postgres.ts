/** The entry of `payport/postgres`: a store in PostgreSQL. */
export type { HostSql } from "../../adapters/postgres/commit/HostStatements.ts"
export { postgres } from "./postgresStore.ts"
export type { PostgresOptions } from "./postgresStore.ts"
