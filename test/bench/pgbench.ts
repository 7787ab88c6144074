import { execFile } from "node:child_process"
import { access, constants, readdir } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { promisify } from "node:util"
import { Redacted } from "effect"
import type { DatabaseConnection } from "../../adapters/postgres/embedded/database.ts"

const execute = promisify(execFile)

/** The numbers of clients. The fastest is the database's limit. */
export const CLIENTS = [8, 32, 64] as const

/** Runs scripts against a database with PostgreSQL's own programs. */
export interface Pgbench {
  /** Runs the statements of a file. */
  readonly load: (connection: DatabaseConnection, file: string) => Promise<void>
  /** Repeats a script for so many seconds, and returns transactions per second. */
  readonly rate: (
    connection: DatabaseConnection,
    run: { readonly script: string; readonly clients: number; readonly seconds: number },
  ) => Promise<number>
}

const DEBIAN = "/usr/lib/postgresql"

const folders = async (): Promise<ReadonlyArray<string>> => {
  const versions = await readdir(DEBIAN).catch(() => [])
  const packaged = versions.toSorted((a, b) => Number(b) - Number(a))
  return [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...packaged.map((version) => join(DEBIAN, version, "bin")),
  ]
}

const find = async (program: string): Promise<string | undefined> => {
  for (const folder of await folders()) {
    const path = join(folder, program)
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}

const addressOf = ({ host, port, username }: DatabaseConnection) => [
  "-h",
  host,
  "-p",
  String(port),
  "-U",
  username,
]

const environment = ({ password }: DatabaseConnection) => ({
  ...process.env,
  PGPASSWORD: Redacted.value(password),
})

/** Each run numbers its rows from another base, so that they do not collide. */
const BASES = 1_000_000_000

const rateOf = (output: string): number => {
  const rate = Number(/^tps = ([\d.]+)/m.exec(output)?.[1])
  const failed = Number(/^number of failed transactions: (\d+)/m.exec(output)?.[1] ?? 0)
  if (rate > 0 && failed === 0) return rate
  throw new Error(`pgbench did not finish its run:\n${output}`)
}

/** PostgreSQL's pgbench and psql; undefined when they are not installed. */
export const findPgbench = async (): Promise<Pgbench | undefined> => {
  const [pgbench, psql] = await Promise.all([find("pgbench"), find("psql")])
  if (pgbench === undefined || psql === undefined) return undefined
  let runs = 0
  return {
    load: async (connection, file) => {
      const strict = ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, connection.database]
      await execute(psql, [...addressOf(connection), ...strict], { env: environment(connection) })
    },
    rate: async (connection, { clients, script, seconds }) => {
      runs += 1
      const { stdout } = await execute(
        pgbench,
        [
          ...addressOf(connection),
          "-n",
          "--protocol=prepared",
          "--jobs=2",
          `--client=${clients}`,
          `--time=${seconds}`,
          `--define=base=${runs * BASES}`,
          "--define=n=0",
          `--file=${script}`,
          connection.database,
        ],
        { env: environment(connection) },
      )
      return rateOf(stdout)
    },
  }
}
