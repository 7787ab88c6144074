import { access, constants, readdir } from "node:fs/promises"
import { join } from "node:path"

/** The programs of a cluster. They are Debian's, since npm has none of them. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  /** A folder of PostgreSQL's programs that copies and rewinds servers too. */
  readonly postgres: string
}

const POSTGRES = "/usr/lib/postgresql"

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

const onPath = async (name: string): Promise<string | undefined> => {
  for (const folder of (process.env["PATH"] ?? "").split(":")) {
    if (folder !== "" && (await isProgram(join(folder, name)))) return join(folder, name)
  }
  return undefined
}

const newestPostgres = async (): Promise<string | undefined> => {
  const versions = await readdir(POSTGRES).catch(() => [])
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = join(POSTGRES, version, "bin")
    if (await isProgram(join(folder, "pg_rewind"))) return folder
  }
  return undefined
}

/**
 * Finds the programs on this machine. Throws if one is missing, with the command that installs
 * them.
 */
export const findPrograms = async (): Promise<Programs> => {
  const [etcd, patroni, postgres] = await Promise.all([
    onPath("etcd"),
    onPath("patroni"),
    newestPostgres(),
  ])
  if (etcd === undefined || patroni === undefined || postgres === undefined) {
    const missing = Object.entries({ etcd, patroni, "pg_rewind of PostgreSQL": postgres })
      .filter(([, path]) => path === undefined)
      .map(([name]) => name)
    throw new Error(
      `This machine has no ${missing.join(", no ")}. ` +
        "On Debian: apt-get install etcd-server patroni postgresql.",
    )
  }
  return { etcd, patroni, postgres }
}
