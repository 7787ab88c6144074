import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { execFile } from "node:child_process"
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, onTestFinished, test } from "vitest"
import { findBinaries, prepareBinaries } from "../../../adapters/postgres/embedded/binaries.ts"
import { findServerUser } from "../../../adapters/postgres/embedded/serverUser.ts"
import { startEmbeddedPostgres } from "../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { prepareFolder } from "../../support/preparedFolder.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import {
  ADMIN,
  callerOf,
  manifest,
  secrets,
  startOn,
  stop,
  temporaryFolder,
  until,
} from "./service.ts"

const guide = await sourceText("apps/server/operations/backup.md")
const run = promisify(execFile)

/** The lines of the guide's block of that name. */
const block = (kind: string): string =>
  new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "ms").exec(guide)?.[1] ?? ""

/** The rehearsal's folders instead of the guide's, and the user of its programs. */
const stage = async () => {
  const root = await mkdtemp(join(tmpdir(), "payport-recovery-"))
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 20 }))
  const home = join(root, "primary")
  await mkdir(home)
  prepareFolder(home)
  const user = await Effect.runPromise(findServerUser(home, join(home, "postgres")))
  const found = await Effect.runPromise(findBinaries())
  const { pg_ctl } = await Effect.runPromise(prepareBinaries(found, user))
  await chmod(home, 0o711)
  await mkdir(join(root, "backups", "wal"), { recursive: true })
  for (const folder of [root, join(root, "backups"), join(root, "backups", "wal")]) {
    await chmod(folder, 0o711)
    if (user !== undefined) await chown(folder, user.uid, user.gid)
  }
  const here = (text: string): string =>
    text
      .replaceAll("/var/backups/payport", join(root, "backups"))
      .replaceAll("/var/lib/postgresql/payport", join(home, "postgres", "data"))
      .replaceAll("/var/lib/postgresql", root)
  const bash = (lines: string) =>
    run("bash", ["-ec", lines], {
      cwd: root,
      env: { PATH: `${dirname(pg_ctl)}:${process.env["PATH"]}`, LC_ALL: "C" },
      ...user,
    })
  return { root, home, here, bash }
}

type Stage = Awaited<ReturnType<typeof stage>>

/** The settings of the guide's block, by name. */
const archiving = ({ here }: Stage) =>
  Object.fromEntries(
    [...here(block("conf archive")).matchAll(/^(\w+) = '?(.*?)'?$/gm)].map(([, name, value]) => [
      name ?? "",
      value ?? "",
    ]),
  )

/** The server's superuser, who makes backups. */
const superuser = async (folder: string, password: string) => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const login = { host: folder, port: 5432, username: "postgres", database: "payport" }
  const session = await Effect.runPromise(
    PgConnection.make({ ...login, password: Redacted.make(password) }).pipe(
      Effect.provideService(Scope.Scope, scope),
    ),
  )
  return async (sql: string) => (await Effect.runPromise(session.query(sql, [], false))).rows
}

type Sql = Awaited<ReturnType<typeof superuser>>

/**
 * Does what psql does with a script: statements, `\!` and `\o`; settings have no meaning here. A
 * command that fails does not stop it.
 */
const psql = async (script: string, sql: Sql, bash: Stage["bash"]): Promise<void> => {
  let output: string | undefined
  for (const line of script.split("\n")) {
    const [command = "", rest = ""] = line.split(/ (.*)/s)
    if (command === "\\!") await bash(rest).catch(() => undefined)
    else if (command === "\\o") output = rest === "" ? undefined : rest
    else if (line !== "" && !line.startsWith("--") && !/^\\p?set$/.test(command)) {
      // As JSON, since the driver has no type for a position in the log.
      const [row] = await sql(
        `SELECT row_to_json(one)::text AS shown FROM (${line.replace(";", "")}) AS one`,
      )
      const [shown] = Object.values(JSON.parse(String(row?.["shown"])) as object)
      if (output !== undefined) await writeFile(output, String(shown))
    }
  }
}

/** Makes a payment, and returns its path. */
const pay = async (call: ReturnType<typeof callerOf>, service_id: unknown) => {
  const amount = { currency: "USD", value: 699 }
  const said = { service_id, amount, description: "One answer", payer: { agent_id: "somebody" } }
  const { body } = await call("POST", "/v1/payments/one-time", said)
  const id = String(body["id"])
  await call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, { action: "pay" })
  const path = `/v1/payment-intents/${id}`
  await until(
    () => call("GET", path),
    (answer) => answer.body["status"] === "completed",
  )
  return path
}

const startPrimary = async (place: Stage) => {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  onTestFinished(close)
  const server = await Effect.runPromise(
    startEmbeddedPostgres({ dataDirectory: place.home, settings: archiving(place) }).pipe(
      Effect.provideService(Scope.Scope, scope),
    ),
  )
  const password = (await readFile(join(place.home, "postgres", "password"), "utf8")).trim()
  const { host } = server.connection
  return { url: Redacted.value(server.url), sql: await superuser(host, password), password, close }
}

describe("the guide's recovery to a moment", () => {
  test("has the payments, the books and the audit log of that moment, and no more", async () => {
    const place = await stage()
    const { bash, here, root } = place
    const primary = await startPrimary(place)
    const folder = await temporaryFolder()
    const before = await startOn(folder, { ...secrets, PAYPORT_DATABASE_URL: primary.url })
    const call = callerOf(before.url, before.sellerKey)
    const admin = callerOf(before.url, ADMIN)
    const service = (await call("POST", "/v1/services", manifest("http://127.0.0.1:9/hook"))).body
    await call("PATCH", `/v1/services/${String(service["id"])}/activate`)
    const first = await pay(call, service["id"])
    const backup = here(await sourceText("apps/server/operations/base-backup.psql"))
    await psql(backup, primary.sql, bash)
    const backups = join(root, "backups")
    // If a night's copy cannot be written, or lacks a file that could not be read, the previous
    // backup stays, and whoever runs psql hears of it.
    for (const [right, wrong] of [
      ["tar -C next", "tar -C nowhere"],
      ["-cf - .;", "-cf - . unreadable;"],
    ] as const) {
      expect(backup).toContain(right)
      const failing = psql(backup.replace(right, wrong), primary.sql, bash)
      await expect(failing).rejects.toThrow()
      const left = await readdir(backups)
      expect([left.includes("made"), left.includes("before")]).toEqual([false, false])
      expect(await readdir(join(backups, "base"))).toContain("backup_label")
    }

    const second = await pay(call, service["id"])
    const account = { name: "A", kind: "seller", agent_id: "a", merchant_account: "m" }
    expect((await admin("POST", "/v1/accounts", account)).status).toBe(201)
    const books = (await call("GET", "/v1/balance")).body["balances"]
    const chain = (await admin("GET", "/v1/audit?verify=true")).body["chain"]
    const [{ moment } = {}] = await primary.sql("SELECT clock_timestamp()::text AS moment")

    const third = await pay(call, service["id"])
    await primary.sql("DELETE FROM payport.services")
    const [{ segment } = {}] = await primary.sql(
      "SELECT pg_walfile_name(pg_switch_wal()) AS segment",
    )
    while (
      (await primary.sql("SELECT last_archived_wal AS last FROM pg_stat_archiver"))[0]?.["last"] !==
      segment
    ) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await stop(before)
    await primary.close()

    const restore = here(block("bash restore"))
      .replace(/(?<=recovery_target_time = ')[^']*/, String(moment))
      .replace("-p 5433", `-p 5432 -c listen_addresses= -k ${root}`)
    onTestFinished(async () => void (await bash(`pg_ctl -D ${root}/restored -m fast stop`)))
    await bash(restore)
    const restored = await superuser(root, primary.password)
    const recovering = () => restored("SELECT pg_is_in_recovery()::text AS recovering")
    await expect.poll(recovering, { timeout: 60_000 }).toEqual([{ recovering: "false" }])
    expect(await restored(await sourceText("apps/server/operations/check-ledger.sql"))).toEqual([])

    const url = primary.url.replace(/host=[^&]*/, `host=${encodeURIComponent(root)}`)
    const after = await startOn(folder, { ...secrets, PAYPORT_DATABASE_URL: url })
    const ask = callerOf(after.url, after.sellerKey)
    for (const path of [first, second]) {
      expect((await ask("GET", path)).body["status"]).toBe("completed")
    }
    expect((await ask("GET", third)).status).toBe(404)
    expect((await ask("GET", "/v1/balance")).body["balances"]).toEqual(books)

    for (const line of block("sql archive-again").trim().split("\n")) await restored(line)
    const left =
      "SELECT name FROM pg_file_settings WHERE name ~ '^(recovery_|restore_)|archive_mode'"
    expect(await restored(`${left} AND sourcefile ~ 'auto'`)).toEqual([])

    const { hash, sequence } = chain as { readonly hash: string; readonly sequence: number }
    const head = `${sequence}:${hash}`
    const heads = await until(
      () => callerOf(after.url, ADMIN)("GET", "/v1/audit/heads"),
      ({ body }) => (body["data"] as ReadonlyArray<unknown>).length > 0,
    )
    const [{ public_key: key } = {}] = heads.body["data"] as ReadonlyArray<{
      readonly [field: string]: unknown
    }>
    const environment = { payport: after.url, admin: ADMIN, key, head }
    const lines = block("bash audit").replace("apps/server", join(projectRoot, "apps/server"))
    const { stdout } = await run("bash", ["-ec", lines], {
      cwd: await temporaryFolder(),
      env: { ...process.env, ...environment } as NodeJS.ProcessEnv,
    })
    expect(stdout).toContain(`The audit log is whole: ${sequence} entries, head ${head}`)
    expect(stdout).toContain(`Every entry is signed by ${String(key)}`)
  }, 240_000)
})
