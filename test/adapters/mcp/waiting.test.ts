import { Effect, Exit, Layer, Scope } from "effect"
import { afterEach, expect, onTestFinished, test } from "vitest"
import { Waiters } from "../../../adapters/mcp/Waiters.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import type { Store } from "../../../core/ports/Store.ts"
import { activeService, type App, type AppOptions, startApp } from "../../support/app.ts"
import { testDatabase } from "../../support/postgres.ts"
import { watchedStore } from "../../support/watchedStore.ts"
import { CLIENTS, connected } from "./clients.ts"

const LATE = { timeout: 20_000 }

const opened: Array<App> = []
afterEach(() => Promise.all(opened.splice(0).map((app) => app.stop())))

/** An app with a payment that is pending, and how many calls wait for it. */
const setUp = async (options: AppOptions = {}, behind?: Layer.Layer<Store>) => {
  const { layer: store, watching } = watchedStore(behind)
  const app = await startApp({ sandbox: true, store, ...options })
  opened.push(app)
  const service_id = await activeService(app)
  const { key } = app.buyer.api_key
  const body = {
    service_id,
    amount: { currency: "USD", value: 699 },
    description: "A report",
    payer: { agent_id: "agent-of-the-buyer" },
  }
  const { json } = await app.call("POST", "/v1/payments/one-time", { key, body })
  const payment_id = String(json["id"])
  const get = (said: object, signal?: AbortSignal) =>
    fetch(`${app.url}/mcp/market`, {
      method: "POST",
      ...(signal && { signal }),
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${key}`,
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "get_payment", arguments: { payment_id, ...said } },
      }),
    })
  const shownIn = async (response: Promise<Response>) => {
    const { result } = (await (await response).json()) as {
      readonly result: { readonly structuredContent: { readonly [name: string]: unknown } }
    }
    return result.structuredContent
  }
  const pay = () =>
    app.call("POST", `/v1/sandbox/payment-intents/${payment_id}/simulate`, {
      key,
      body: { action: "pay" },
    })
  return { app, get, pay, payment_id, shownIn, waiting: () => watching(payment_id) }
}

const waits = { wait_seconds: 25 }

test("a call that waits holds no place, and is answered with the change", async () => {
  const { get, pay, shownIn, waiting } = await setUp({ intake: { most: 4 } })
  const calls = Array.from({ length: 3 }, async () => shownIn(get(waits)))
  await expect.poll(waiting, LATE).toBe(3)
  // A share of four places is three. If calls took those places, no other call with this key would
  // be served.
  expect(await shownIn(get({}))).toMatchObject({ status: "pending" })
  await pay()
  for (const call of calls) expect(await call).toMatchObject({ status: "completed", paid: true })
  expect(waiting()).toBe(0)
})

test("what has ended is not waited for", async () => {
  const { get, pay, shownIn } = await setUp()
  await pay()
  expect(await shownIn(get(waits))).toMatchObject({ paid: true })
})

test("so many calls of a key may wait, and no more", async () => {
  const { get, pay, shownIn, waiting } = await setUp({ mcp: { waitingOfKey: 2 } })
  const calls = [get(waits), get(waits)]
  await expect.poll(waiting, LATE).toBe(2)
  const third = await shownIn(get(waits))
  expect(third).toMatchObject({ status: "pending", next: expect.stringContaining("Too many") })
  await pay()
  await Promise.all(calls)
})

test("a call stops waiting when its client has left", async () => {
  const { get, waiting } = await setUp()
  const client = new AbortController()
  const call = get(waits, client.signal).catch(() => "left")
  await expect.poll(waiting, LATE).toBe(1)
  client.abort()
  expect(await call).toBe("left")
  await expect.poll(waiting, LATE).toBe(0)
})

test.each(CLIENTS)("and when $client in $revision cancels it", async ({ connect }) => {
  const { app, payment_id, waiting } = await setUp()
  const agent = await connected(connect, app, undefined, "/mcp/market")
  const cancel = new AbortController()
  const call = agent
    .call("get_payment", { payment_id, ...waits }, cancel.signal)
    .catch(() => "cancelled")
  await expect.poll(waiting, LATE).toBe(1)
  cancel.abort()
  expect(await call).toBe("cancelled")
  await expect.poll(waiting, LATE).toBe(0)
})

test("a call is answered with what is now when the service stops", async () => {
  const { app, get, shownIn, waiting } = await setUp()
  const call = shownIn(get(waits))
  await expect.poll(waiting, LATE).toBe(1)
  const stopped = app.stop()
  opened.length = 0
  expect(await call).toMatchObject({ status: "pending" })
  await stopped
})

test("a call stops waiting when its key is revoked", async () => {
  const { app, get, waiting } = await setUp()
  const call = get(waits).catch(() => "ended")
  await expect.poll(waiting, LATE).toBe(1)
  await app.call("DELETE", `/v1/api-keys/${app.buyer.api_key.id}`, { key: app.buyer.api_key.key })
  expect(await call).toBe("ended")
  await expect.poll(waiting, LATE).toBe(0)
})

test("waiting is counted by key, and in all", () => {
  const waiters = new Waiters({ waiting: 3, waitingOfKey: 2 })
  const ended: Array<string> = []
  const take = (key: string) => waiters.take(key, () => void ended.push(key))
  const [first, second] = [take("a"), take("a")]
  expect(take("a")).toBeUndefined()
  const other = take("b")
  expect(take("c")).toBeUndefined()
  first?.()
  first?.()
  expect(waiters.count).toBe(2)
  expect(take("a")).toBeDefined()
  other?.()
  second?.()
  waiters.close()
  expect(ended).toEqual(["a"])
  expect(take("b")).toBeUndefined()
})

test("a change that another process makes is heard before the wait is over", LATE, async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const stored = () => Layer.orDie(PostgresStore.layer(database))
  const { app, get, payment_id, shownIn, waiting } = await setUp({}, stored())
  const { buyer, seller } = app
  const other = await startApp({ sandbox: true, store: stored(), parties: { buyer, seller } })
  opened.push(other)
  const watched = waiting()
  const called = shownIn(get(waits))
  await expect.poll(waiting).toBe(watched + 1)
  const key = buyer.api_key.key
  const path = `/v1/sandbox/payment-intents/${payment_id}/simulate`
  expect((await other.call("POST", path, { key, body: { action: "pay" } })).status).toBe(200)
  expect(await called).toMatchObject({ payment_id, status: "completed" })
  expect(waiting()).toBe(watched)
})
