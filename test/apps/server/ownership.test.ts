import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { Effect, Exit, Scope } from "effect"
import { urlOf } from "../../support/askDatabase.ts"
import { testDatabase } from "../../support/postgres.ts"
import { callerOf, start, startOn, stop, temporaryFolder } from "./service.ts"

const temporaryUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return urlOf(await Effect.runPromise(Scope.provide(testDatabase, scope)))
}

const newKey = () => randomBytes(32).toString("base64")

const line = async (environment: { readonly [name: string]: string }) => {
  const service = start({ PAYPORT_PORT: "0", ...environment })
  return [await service.ended, service.stderr()] as const
}

/** A database of a sandbox that was started under that master key, and its seller's key. */
const ownedBySandbox = async (master: string) => {
  const folder = await temporaryFolder()
  const database = await temporaryUrl()
  const environment = { PAYPORT_DATABASE_URL: database, PAYPORT_MASTER_KEY: master }
  const service = await startOn(folder, environment)
  return { folder, database, environment, service }
}

const channelsFile = async (folder: string) => {
  const path = join(folder, "channels.json")
  const secret = newKey()
  const wallet = { base_url: "https://gateway.example", key_id: "one", secret }
  const channels = { wallet_a: { ...wallet, callback_secret: newKey() } }
  await writeFile(path, JSON.stringify({ channels }))
  return path
}

test("a database of the sandbox takes neither live mode nor another master key", async () => {
  const master = newKey()
  const { environment, folder, service } = await ownedBySandbox(master)
  expect(await stop(service)).toBe(0)
  const live = {
    ...environment,
    PAYPORT_DATA_DIR: folder,
    PAYPORT_MODE: "live",
    PAYPORT_STOP_PAUSE: "0",
    PAYPORT_ADMIN_KEY: newKey(),
    PAYPORT_CHANNELS: await channelsFile(folder),
  }
  const [code, told] = await line(live)
  expect(code).toBe(1)
  expect(told).toMatch(/^payport cannot run: This database belongs to sandbox mode, [^\n]*\n$/)

  for (const roles of ["api", "worker"]) {
    const other = { ...environment, PAYPORT_DATA_DIR: folder, PAYPORT_MASTER_KEY: newKey() }
    const [status, said] = await line({ ...other, PAYPORT_ROLES: roles })
    expect(status).toBe(1)
    expect(said).toMatch(/^payport cannot run: PAYPORT_MASTER_KEY has to be the key [^\n]*\n$/)
    expect(said).not.toContain(master)
  }
}, 120_000)

test("the master key is replaced while two processes serve", async () => {
  const [old, next] = [newKey(), newKey()]
  const { environment, folder, service } = await ownedBySandbox(old)
  const other = await startOn(folder, environment)
  const seller = callerOf(service.url, service.sellerKey)
  const beside = callerOf(other.url, service.sellerKey)
  const before = await seller("GET", "/v1/merchant/webhook-secret")

  const rotate = async () => {
    const said = { ...environment, PAYPORT_DATA_DIR: folder, PAYPORT_NEXT_MASTER_KEY: next }
    const command = start(said, "rotate-master-key")
    return [await command.ended, command.stdout() + command.stderr()] as const
  }
  const serving = { on: true }
  const load = (async () => {
    const answers = []
    while (serving.on) {
      answers.push(await beside("POST", "/v1/merchant/webhook-secrets/rotate", { reason: "test" }))
      answers.push(await seller("GET", "/v1/merchant/webhook-secret"))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return answers.map(({ status }) => status)
  })()
  onTestFinished(() => void (serving.on = false))

  const killed = start(
    { ...environment, PAYPORT_DATA_DIR: folder, PAYPORT_NEXT_MASTER_KEY: next },
    "rotate-master-key",
  )
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  killed.child.kill("SIGKILL")
  await killed.ended
  const [first, log] = await rotate()
  expect([first, log]).toEqual([0, expect.stringContaining("both open this database")])
  // The service's settings name the new key by then, and no next one.
  const settings = { ...environment, PAYPORT_DATA_DIR: folder, PAYPORT_MASTER_KEY: next }
  const finish = start(settings, "rotate-master-key", "--finish")
  expect(await finish.ended).toBe(0)
  expect(finish.stdout()).toContain("alone opens this database.")
  serving.on = false
  expect(new Set(await load)).toEqual(new Set([200]))

  const after = await seller("GET", "/v1/merchant/webhook-secret")
  expect(after.body["secret"]).toMatch(/^whsec_/)
  expect(after.body["secret"]).not.toBe(before.body["secret"])
  expect([await stop(service), await stop(other)]).toEqual([0, 0])
  const [code, told] = await line({ ...environment, PAYPORT_DATA_DIR: folder })
  expect([code, told]).toEqual([1, expect.stringContaining("PAYPORT_MASTER_KEY has to be the key")])
  const again = await startOn(folder, { ...environment, PAYPORT_MASTER_KEY: next })
  const same = await callerOf(again.url, service.sellerKey)("GET", "/v1/merchant/webhook-secret")
  expect(same.body["secret"]).toBe(after.body["secret"])
}, 120_000)
