import { createHash } from "node:crypto"

/** PostgreSQL's settings by name, as text. */
export type ServerSettings = Readonly<Record<string, string>>

/** Settings for a small service on a shared machine: durable, little memory, few log lines. */
export const defaultSettings: ServerSettings = {
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  max_connections: "100",
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  random_page_cost: "1.1",
  jit: "off",
  max_parallel_workers_per_gather: "0",
  checkpoint_timeout: "15min",
  max_wal_size: "2GB",
  autovacuum_naptime: "15s",
  // A statement whose client was killed ends soon and releases its locks.
  client_connection_check_interval: "1s",
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "off",
  log_checkpoints: "off",
  // The service reports its own errors. Statements hold people's data and do not belong in a log.
  log_min_messages: "log",
  log_min_error_statement: "panic",
}

/** Returns a hash that shows whether a running server has these settings and programs. */
export const fingerprint = (settings: ServerSettings, program: string, version: string): string =>
  createHash("sha256")
    .update(JSON.stringify([settings, program, version]))
    .digest("hex")
    .slice(0, 16)

/** Returns the settings as arguments of `postgres`. */
export const settingArguments = (settings: ServerSettings): ReadonlyArray<string> =>
  Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
