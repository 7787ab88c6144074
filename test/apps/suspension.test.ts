import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { expect, onTestFinished, test } from "vitest"
import { urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { callerOf, startOn, temporaryFolder } from "./server/service.ts"

const temporaryUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return urlOf(await Effect.runPromise(Scope.provide(testDatabase, scope)))
}

test("an account suspended at one process is refused by the other within a second", async () => {
  const folder = await temporaryFolder()
  const adminKey = randomBytes(32).toString("base64url")
  const settings = { PAYPORT_DATABASE_URL: await temporaryUrl(), PAYPORT_ADMIN_KEY: adminKey }
  const [one, two] = [await startOn(folder, settings), await startOn(folder, settings)]
  const operator = callerOf(one.url, adminKey)
  const body = { name: "One", kind: "seller", agent_id: "one", plan: "enterprise" }
  const { body: opened } = await operator("POST", "/v1/accounts", body)
  const { key } = opened["api_key"] as { readonly key: string }
  const account = callerOf(two.url, key)
  const asked = async () => (await account("GET", "/v1/api-keys")).status

  /** Until the other process answers so, in milliseconds. */
  const until = async (status: number): Promise<number> => {
    const began = performance.now()
    while ((await asked()) !== status) await new Promise((resolve) => setTimeout(resolve, 10))
    return performance.now() - began
  }
  for (let round = 0; round < 5; round += 1) {
    expect(await asked()).toBe(200)
    await operator("POST", `/v1/accounts/${String(opened["id"])}/suspend`)
    expect(await until(403)).toBeLessThan(1_000)
    await operator("POST", `/v1/accounts/${String(opened["id"])}/resume`)
    expect(await until(200)).toBeLessThan(1_000)
  }
}, 60_000)
