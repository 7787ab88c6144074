import { Effect, Redacted } from "effect"
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { expect, inject, onTestFinished, test } from "vitest"
import { isWeakMasterKey, masterKeyBytes } from "../../../apps/server/masterKeySettings.ts"
import { isWeakAdminKey } from "../../../apps/server/variables.ts"
import { askDatabase, urlOf } from "../../support/askDatabase.ts"
import { session, type TestDatabase } from "../../support/postgres.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import { temporaryFolder } from "./service.ts"

const folder = "apps/server/operations"
const guide = await sourceText(`${folder}/install.md`)
const run = promisify(execFile)

const block = (kind: string): string =>
  new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, "ms").exec(guide)?.[1] ?? ""

/** The program that runs the tests is the guide's `node`. */
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` }

test("every block of the guide is run here, or by the test of what it is about", async () => {
  const texts = await Promise.all(
    (await readdir(join(projectRoot, folder))).map((file) => sourceText(`${folder}/${file}`)),
  )
  const blocks = texts.flatMap((text) =>
    [...text.matchAll(/^```(\w.*)$/gm)].map(([, kind]) => kind),
  )
  const run = [
    "bash archive",
    "bash audit",
    "bash migrate",
    "bash move",
    "bash restore",
    "bash secrets",
    "bash verify",
    "conf archive",
    "sql archive-again",
    "sql duckdb",
  ]
  expect(new Set(blocks)).toEqual(new Set([...run, "sql roles"]))
})

/** The superuser of the tests' server, on its own database. */
const superuser = async (sql: string) => {
  const { host, port } = inject("postgres")
  const database = { host, port, database: "postgres" } as TestDatabase
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(session(database), (open) => open.query(sql, [], false))),
  )
}

test("the guide's roles and migration make a database whose service owns nothing", async () => {
  const mark = randomBytes(4).toString("hex")
  const names = (text: string) =>
    text
      .replaceAll(/payport_(owner|service)/g, `test_$1_${mark}`)
      .replace("DATABASE payport", `DATABASE test_guide_${mark}`)
  for (const line of names(block("sql roles")).trim().split("\n")) await superuser(line)
  onTestFinished(async () => {
    await superuser(`DROP DATABASE test_guide_${mark} WITH (FORCE)`)
    for (const role of ["owner", "service"]) await superuser(`DROP ROLE test_${role}_${mark}`)
  })
  const { host, port } = inject("postgres")
  const database: TestDatabase = { host, port, database: `test_guide_${mark}` }
  const lines = names(block("bash migrate")).replaceAll(
    /postgresql:\/\/(\w+):([\w-]+)@db\/payport/g,
    (_, username: string, word: string) =>
      `'${urlOf({ ...database, username, password: Redacted.make(word) })}'`,
  )
  const { stdout } = await run("bash", ["-ec", lines], { cwd: projectRoot, env })
  expect(stdout).toContain("up to date")
  const password = Redacted.make("another")
  const service = { ...database, username: `test_service_${mark}`, password }
  expect(
    await askDatabase(
      service,
      `SELECT count(*)::int AS owned FROM pg_class WHERE relowner = current_user::regrole`,
    ),
  ).toEqual([{ owned: 0 }])
  expect(await askDatabase(service, "SELECT count(*)::int AS n FROM accounts")).toEqual([{ n: 0 }])
}, 120_000)

test("the guide's secrets are strong, and their owner's alone", async () => {
  const cwd = await temporaryFolder()
  await run("bash", ["-ec", block("bash secrets")], { cwd, env })
  const [master = "", admin = ""] = await Promise.all(
    ["master-key", "admin-key"].map(async (file) => {
      expect((await stat(join(cwd, file))).mode & 0o077).toBe(0)
      return (await readFile(join(cwd, file), "utf8")).trim()
    }),
  )
  expect(masterKeyBytes(master)).toHaveLength(32)
  expect(isWeakMasterKey(Redacted.make(master))).toBe(false)
  expect(isWeakAdminKey(admin)).toBe(false)
})
