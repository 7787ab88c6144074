import { Effect, Exit, Scope } from "effect"
import { execFile } from "node:child_process"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { askDatabase, urlOf } from "../../support/askDatabase.ts"
import { emptyDatabase, serviceOf } from "../../support/postgres.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import { callerOf, manifest, preparedFolder, start, startOn, stop, until } from "./service.ts"

const guide = await sourceText("apps/server/operations/install.md")
const run = promisify(execFile)
const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` }

const ADMIN = "Zk3vQ9xT1bN7mW5sR2yL8cP4hJ6dF0gA"

const TRIGGERS = `SELECT tgname::text AS name, tgenabled::text AS enabled FROM pg_trigger
  WHERE NOT tgisinternal ORDER BY 1`

test("move brings everything to a server of the operator's, or nothing", async () => {
  const folder = await preparedFolder()
  const secrets = { PAYPORT_ADMIN_KEY: ADMIN, PAYPORT_PORT: "0" }
  const before = await startOn(folder, secrets)
  const call = callerOf(before.url, before.sellerKey)
  const admin = callerOf(before.url, ADMIN)
  const service = (await call("POST", "/v1/services", manifest("http://127.0.0.1:9/hook"))).body
  await call("PATCH", `/v1/services/${String(service["id"])}/activate`)
  const account = { name: "Ünï", kind: "seller", agent_id: "a", merchant_account: "m" }
  expect((await admin("POST", "/v1/accounts", account)).status).toBe(201)
  const amount = { currency: "USD", value: 699 }
  const said = { service_id: service["id"], amount, description: "“One”\nanswer" }
  const made = await call("POST", "/v1/payments/one-time", { ...said, payer: { agent_id: "x" } })
  const path = `/v1/payment-intents/${String(made.body["id"])}`
  await call("POST", path.replace("/v1/", "/v1/sandbox/") + "/simulate", { action: "pay" })
  const paid = await until(
    () => call("GET", path),
    ({ body }) => body["status"] === "completed",
  )
  const { balances } = (await call("GET", "/v1/balance")).body
  expect(await stop(before)).toBe(0)

  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const owner = await Effect.runPromise(Scope.provide(emptyDatabase, scope))
  const urls = {
    PAYPORT_MIGRATION_URL: urlOf(owner),
    PAYPORT_DATABASE_URL: urlOf(serviceOf(owner)),
  }
  const [, lines = ""] = /^```bash move\n(.*?)^```$/ms.exec(guide) ?? []
  const here = lines
    .replace("=.payport ", `=${folder} `)
    .replace(/postgresql:\/\/payport_owner:\S+/, `'${urls.PAYPORT_MIGRATION_URL}'`)
    .replace(/postgresql:\/\/payport_service:\S+/, `'${urls.PAYPORT_DATABASE_URL}'`)
  const bash = () => run("bash", ["-ec", here], { cwd: projectRoot, env })
  expect((await bash()).stdout).toMatch(/^\d+ rows were moved\./)
  await expect(bash()).rejects.toThrow("The new database is not empty")

  expect(
    await askDatabase(owner, await sourceText("apps/server/operations/check-ledger.sql")),
  ).toEqual([])
  const triggers = await askDatabase(owner, TRIGGERS)
  expect(triggers.filter(({ enabled }) => enabled === "D")).toEqual([])
  expect(triggers).toContainEqual({ name: "audit_chained", enabled: "A" })
  const after = await startOn(folder, {
    ...secrets,
    PAYPORT_DATABASE_URL: urls.PAYPORT_DATABASE_URL,
  })
  const ask = callerOf(after.url, after.sellerKey)
  expect((await ask("GET", path)).body).toEqual(paid.body)
  expect((await ask("GET", "/v1/balance")).body["balances"]).toEqual(balances)
  const log = await callerOf(after.url, ADMIN)("GET", "/v1/audit?verify=true")
  expect(log.body["chain"]).toMatchObject({ whole: true })
  expect(await stop(after)).toBe(0)
}, 180_000)

test("move takes the schema that the settings name", async () => {
  const folder = await preparedFolder()
  const settings = { PAYPORT_DATABASE_SCHEMA: "Shop 1", PAYPORT_DATA_DIR: folder }
  expect(await stop(await startOn(folder, settings))).toBe(0)
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const owner = await Effect.runPromise(Scope.provide(emptyDatabase, scope))
  const moved = start(
    {
      ...settings,
      PAYPORT_MIGRATION_URL: urlOf(owner),
      PAYPORT_DATABASE_URL: urlOf(serviceOf(owner)),
    },
    "move",
  )
  expect([await moved.ended, moved.stderr()]).toEqual([0, ""])
  const count = `SELECT (count(*) > 0)::text AS found FROM "Shop 1".accounts`
  expect(await askDatabase(owner, count)).toEqual([{ found: "true" }])
}, 120_000)
