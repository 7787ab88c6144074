import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { expect, onTestFinished, test } from "vitest"
import { median } from "../../apps/bench/statistics.ts"
import { urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { order, openShop } from "../support/shop.ts"
import { callerOf, startOn, temporaryFolder } from "./server/service.ts"

const temporaryUrl = async (): Promise<string> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return urlOf(await Effect.runPromise(Scope.provide(testDatabase, scope)))
}

/** Returns how long it takes until the condition holds, in milliseconds. */
const untilSo = async (isSo: () => Promise<boolean>): Promise<number> => {
  const began = performance.now()
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
  return performance.now() - began
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
  const until = (status: number) => untilSo(async () => (await asked()) === status)
  const took: Array<number> = []
  for (let round = 0; round < 5; round += 1) {
    expect(await asked()).toBe(200)
    await operator("POST", `/v1/accounts/${String(opened["id"])}/suspend`)
    took.push(await until(403))
    await operator("POST", `/v1/accounts/${String(opened["id"])}/resume`)
    took.push(await until(200))
  }
  expect(median(took)).toBeLessThan(1_000)
}, 120_000)

/** Opens a stream and reads it; resolves once it has begun, with when it ends. */
const listenTo = async (url: string, request: RequestInit) => {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(120_000) })
  expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([
    200,
    "text/event-stream",
  ])
  const read = async () => {
    const reader = response.body?.getReader()
    while ((await reader?.read())?.done === false);
  }
  let open = true
  const end = () => {
    open = false
    return performance.now()
  }
  return { ended: read().then(end, end), isOpen: () => open }
}

test("streams end within a second of their key, at every process", async () => {
  const folder = await temporaryFolder()
  const adminKey = randomBytes(32).toString("base64url")
  const settings = { PAYPORT_DATABASE_URL: await temporaryUrl(), PAYPORT_ADMIN_KEY: adminKey }
  const [one, two] = [await startOn(folder, settings), await startOn(folder, settings)]
  const shop = await openShop(one, "http://127.0.0.1:9/hooks")
  const operator = callerOf(one.url, adminKey)
  const account = callerOf(one.url, one.buyerKey)
  const atTwo = callerOf(two.url, one.buyerKey)
  const { body: made } = await account("POST", "/v1/payment-intents", order(shop, "Seen").body)
  const events = `/v1/payment-intents/${String(made["id"])}/events`

  /** Opens the streams that a key may listen to, at both processes. */
  const listen = (key: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const method = "subscriptions/listen"
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    }
    const params = { _meta: meta, notifications: { toolsListChanged: true } }
    const tools: RequestInit = {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    }
    return Promise.all(
      [one, two].flatMap(({ url }) => [
        listenTo(`${url}${events}`, { headers }),
        listenTo(`${url}/mcp`, tools),
      ]),
    )
  }
  /** Returns how long the streams stay open after that, in milliseconds. */
  const after = async (streams: Awaited<ReturnType<typeof listen>>, act: Promise<unknown>) => {
    await act
    const ended = performance.now()
    return Math.max(...(await Promise.all(streams.map((stream) => stream.ended)))) - ended
  }

  const { body: listed } = await operator("GET", "/v1/accounts?agent_id=demo-buyer")
  const [buyer] = listed["data"] as ReadonlyArray<{ readonly id: string }>
  const suspended: Array<number> = []
  const revoked: Array<number> = []
  for (let round = 0; round < 3; round += 1) {
    const { body: issued } = await account("POST", "/v1/api-keys", {})
    const { body: leaked } = await account("POST", "/v1/api-keys", {})
    const others = await listen(one.buyerKey)
    const [byRevoking, bySuspending] = [
      await listen(String(leaked["key"])),
      await listen(String(issued["key"])),
    ]
    const revoking = account("DELETE", `/v1/api-keys/${String(leaked["id"])}`)
    revoked.push(await after(byRevoking, revoking))
    expect([...bySuspending, ...others].every((stream) => stream.isOpen())).toBe(true)
    const suspending = operator("POST", `/v1/accounts/${buyer?.id}/suspend`)
    suspended.push(await after([...bySuspending, ...others], suspending))
    await operator("POST", `/v1/accounts/${buyer?.id}/resume`)
    await untilSo(async () => (await account("GET", "/v1/api-keys")).status === 200)
    await untilSo(async () => (await atTwo("GET", "/v1/api-keys")).status === 200)
  }
  expect(median(revoked)).toBeLessThan(1_000)
  expect(median(suspended)).toBeLessThan(1_000)
}, 180_000)
