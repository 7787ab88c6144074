import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect, Exit, Scope } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { callerOf, startOn, stop, temporaryFolder } from "./server/service.ts"

const EVENTS = 40

/** The number of simultaneous attempts at a receiver that a worker does not know yet. */
const FIRST_SHARE = 8

/** The attempts of one event. */
interface Seen {
  /** Attempts under way, now and at most. */
  open: number
  most: number
  taken: number
  /** Attempts whose sender disconnected without an answer. */
  cut: number
  readonly keys: Array<string>
}

/** A receiver that leaves everybody waiting until it is released. */
const aHoldingReceiver = async () => {
  const seen = new Map<string, Seen>()
  const held = new Set<ServerResponse>()
  let holds = true
  const server = createServer((request, response) => {
    const event = String(request.headers["webhook-id"])
    const about = seen.get(event) ?? { open: 0, most: 0, taken: 0, cut: 0, keys: [] }
    seen.set(event, about)
    about.keys.push(String(request.headers["idempotency-key"]))
    about.open += 1
    about.most = Math.max(about.most, about.open)
    held.add(response)
    request.resume()
    response.once("close", () => {
      held.delete(response)
      about.open -= 1
      if (response.writableFinished) about.taken += 1
      else about.cut += 1
    })
    if (!holds) response.end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const release = () => {
    holds = false
    for (const response of held) response.end()
  }
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hooks`, seen, held, release }
}

test("killed in mid-attempt, a process loses no delivery and doubles none", async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const settings = { PAYPORT_DATABASE_URL: urlOf(database) }
  const folder = await temporaryFolder()
  const killed = await startOn(folder, settings)
  const other = await startOn(folder, settings)
  const receiver = await aHoldingReceiver()
  const call = callerOf(other.url, other.sellerKey)

  const endpoint = { url: receiver.url, enabled_events: ["ping"] }
  const made = await call("POST", "/v1/webhook-endpoints", endpoint)
  const ping = `/v1/webhook-endpoints/${String(made.body["id"])}/test`
  const pings = await Promise.all(Array.from({ length: EVENTS }, () => call("POST", ping, {})))
  expect(new Set(pings.map(({ status }) => status))).toEqual(new Set([made.status]))

  // More than one worker begins at a receiver that it does not know: both have attempts under way.
  while (receiver.held.size <= FIRST_SHARE) await sleep(10)
  killed.child.kill("SIGKILL")
  expect(await killed.ended).toBe("SIGKILL")
  receiver.release()

  const statuses = async () => {
    const { body } = await call("GET", "/v1/webhook-deliveries?limit=100")
    return (body["data"] as ReadonlyArray<{ readonly status: string }>).map(({ status }) => status)
  }
  while (!(await statuses()).every((status) => status === "delivered")) await sleep(100)
  expect(await statuses()).toHaveLength(EVENTS)
  expect(receiver.seen.size).toBe(EVENTS)
  const events = [...receiver.seen.values()]
  expect(events.map(({ most }) => most)).toEqual(events.map(() => 1))
  expect(events.map(({ taken }) => taken)).toEqual(events.map(() => 1))
  // Interrupted attempts are repeated under their key, since nothing was stored about them.
  const repeated = events.filter(({ cut, keys }) => cut > 0 && new Set(keys).size < keys.length)
  expect(repeated.length).toBeGreaterThan(0)
  expect(await stop(other)).toBe(0)
}, 120_000)
