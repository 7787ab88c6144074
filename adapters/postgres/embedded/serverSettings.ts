import { createHash } from "node:crypto"

/** PostgreSQL's settings by name, as text. */
export type ServerSettings = Readonly<Record<string, string>>

/** What suits a small service on a machine it shares: durable, modest in memory, quiet. */
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
  // A statement whose client was killed ends at once instead of holding its locks.
  client_connection_check_interval: "1s",
  timezone: "UTC",
  log_timezone: "UTC",
  logging_collector: "off",
  log_checkpoints: "off",
  // The service reports its own errors; statements hold people's data and do not belong in a log.
  log_min_messages: "log",
  log_min_error_statement: "panic",
}

/** Tells a server started with other settings or programs from one that can be taken over. */
export const fingerprint = (settings: ServerSettings, program: string, version: string): string =>
  createHash("sha256")
    .update(JSON.stringify([settings, program, version]))
    .digest("hex")
    .slice(0, 16)

/** The settings as arguments of `postgres`. */
export const settingArguments = (settings: ServerSettings): ReadonlyArray<string> =>
  Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
