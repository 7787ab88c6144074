import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { CurrentRetention } from "../../core/retention/Retention.ts"
import { sweep } from "../../core/retention/sweep.ts"
import { runDue } from "../../core/work/runDue.ts"
import { type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

interface Hook {
  readonly headers: { readonly [name: string]: unknown }
  readonly body: string
}

type Json = { readonly [field: string]: unknown }

let app: App
let document: Awaited<ReturnType<typeof documentOf>>
let receiver: Server
let endpoint: string
let status = 200
const hooks: Array<Hook> = []

const list = (json: Json) => json["data"] as ReadonlyArray<Json>

/** Asks, and holds a refusal against the document. */
const call = async (method: string, path: string, said: Parameters<App["call"]>[2] = {}) => {
  const reply = await app.call(method, path, said)
  if (reply.status >= 400) {
    expect(undocumented(document, method, path, reply)).toBeUndefined()
  }
  return reply
}

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      hooks.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(status).end("noted")
    })
  })
  await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done))
  const { port } = receiver.address() as AddressInfo
  app = await startApp()
  document = await documentOf(app)
  const body = { url: `http://127.0.0.1:${port}/`, enabled_events: ["kyc.verified"] }
  endpoint = String((await app.call("POST", "/v1/webhook-endpoints", { body })).json["id"])
})
afterAll(async () => {
  await app.stop()
  receiver.close()
})

describe("a ping", () => {
  test("goes to one endpoint alone, whatever it enables, and its delivery is shown", async () => {
    const made = await call("POST", `/v1/webhook-endpoints/${endpoint}/test`, { body: {} })
    expect([made.status, made.json["status"], made.json["event_type"]]).toEqual([
      201,
      "pending",
      "ping",
    ])
    await app.run(runDue())
    expect(hooks).toHaveLength(1)
    expect(JSON.parse(hooks[0]!.body)).toMatchObject({
      type: "ping",
      data: { endpoint_id: endpoint },
    })
    const shown = await call("GET", `/v1/webhook-deliveries/${String(made.json["id"])}`)
    expect(shown.json).toMatchObject({
      status: "delivered",
      endpoint_id: endpoint,
      next_attempt_at: null,
      attempts: [{ attempt: 1, status: 200, response: "noted" }],
    })
  })

  test("under an Idempotency-Key is sent once", async () => {
    const said = { body: {}, headers: { "idempotency-key": "ping-once" } }
    const path = `/v1/webhook-endpoints/${endpoint}/test`
    const [first, second] = [await call("POST", path, said), await call("POST", path, said)]
    expect(second.text).toBe(first.text)
    const before = hooks.length
    await app.run(runDue())
    expect(hooks).toHaveLength(before + 1)
  })

  test("of an endpoint that is not the caller's, or is none, is 404", async () => {
    const key = app.buyer.api_key.key
    for (const id of [endpoint, "we_1", "%00"]) {
      const reply = await call("POST", `/v1/webhook-endpoints/${id}/test`, { key, body: {} })
      expect([reply.status, reply.json["code"]]).toEqual([404, "NOT_FOUND"])
    }
  })
})

describe("a replay", () => {
  test("is a new delivery of the same event under the next key", async () => {
    status = 404
    const made = await call("POST", `/v1/webhook-endpoints/${endpoint}/test`, { body: {} })
    await app.run(runDue())
    status = 200
    const path = `/v1/webhook-deliveries/${String(made.json["id"])}`
    expect((await call("GET", path)).json["status"]).toBe("failed")
    const again = await call("POST", `${path}/replay`, { body: {} })
    expect(again.status).toBe(201)
    expect(again.json).toMatchObject({
      replay_of: made.json["id"],
      event_id: made.json["event_id"],
    })
    await app.run(runDue())
    expect(hooks.at(-1)!.headers["idempotency-key"]).toBe(
      `wh_${String(made.json["event_id"])}-retry-1`,
    )
    expect(hooks.at(-1)!.headers["webhook-id"]).toBe(made.json["event_id"])
    const query = `event_id=${String(made.json["event_id"])}`
    const both = list((await call("GET", `/v1/webhook-deliveries?${query}`)).json)
    expect(both.map((delivery) => delivery["status"])).toEqual(["delivered", "failed"])
  })

  test("to a disabled endpoint is refused, and so is a ping", async () => {
    const change = (to: string) =>
      app.call("PATCH", `/v1/webhook-endpoints/${endpoint}`, { body: { status: to } })
    await change("disabled")
    const [newest] = list((await call("GET", "/v1/webhook-deliveries?limit=1")).json)
    const paths = [
      `/v1/webhook-deliveries/${String(newest!["id"])}/replay`,
      `/v1/webhook-endpoints/${endpoint}/test`,
    ]
    for (const path of paths) {
      const reply = await call("POST", path, { body: {} })
      expect([reply.status, reply.json["code"]]).toEqual([409, "INVALID_TRANSITION"])
    }
    await change("enabled")
    expect((await call("POST", paths[0]!, { body: {} })).status).toBe(201)
    await app.run(runDue())
  })
})

describe("the log and the deliveries", () => {
  test("are read by type, status and endpoint, page by page", async () => {
    const all = list((await call("GET", "/v1/events?limit=100")).json)
    expect(all.length).toBeGreaterThan(4)
    const first = await call("GET", "/v1/events?limit=2")
    expect(first.json["has_more"]).toBe(true)
    const cursor = String(list(first.json)[1]!["id"])
    for (const name of ["starting_after", "after"]) {
      const rest = list((await call("GET", `/v1/events?limit=100&${name}=${cursor}`)).json)
      expect([...list(first.json), ...rest]).toEqual(all)
    }
    const pings = list((await call("GET", "/v1/events?type=ping")).json)
    expect(new Set(pings.map(({ type }) => type))).toEqual(new Set(["ping"]))
    const failed = list((await call("GET", "/v1/webhook-deliveries?status=failed")).json)
    expect(failed).toHaveLength(1)
    const here = await call("GET", `/v1/webhook-deliveries?endpoint_id=${endpoint}&limit=100`)
    expect(list(here.json).length).toBeGreaterThan(3)
  })

  test("show nothing of another account", async () => {
    const key = app.buyer.api_key.key
    const [newest] = list((await call("GET", "/v1/webhook-deliveries?limit=1")).json)
    const path = `/v1/webhook-deliveries/${String(newest!["id"])}`
    expect((await call("GET", path, { key })).status).toBe(404)
    expect((await call("POST", `${path}/replay`, { key, body: {} })).status).toBe(404)
    const asked = `/v1/webhook-deliveries?endpoint_id=${endpoint}`
    expect(list((await call("GET", asked, { key })).json)).toEqual([])
    expect(list((await call("GET", "/v1/events", { key })).json)).toEqual([])
    const cursor = `/v1/events?starting_after=${String(newest!["event_id"])}`
    expect((await call("GET", cursor, { key })).status).toBe(400)
  })

  test.each([
    "/v1/events?type=nothing",
    "/v1/events?after=evt_1",
    "/v1/events?limit=101",
    "/v1/webhook-deliveries?status=lost",
    "/v1/webhook-deliveries?endpoint_id=1",
    "/v1/webhook-deliveries?event_id=%00",
    "/v1/webhook-deliveries?starting_after=wd_1",
  ])("refuse %s", async (path) => {
    const reply = await call("GET", path)
    expect([reply.status, reply.json["code"]]).toEqual([400, "INVALID_QUERY"])
  })
})

describe("what has left by its age", () => {
  const briefly = { event: 0, delivery: 0, channel_request: 0, reply: 0, unpaid: 0 }

  test("is in no list, is nothing by its id, and no list begins behind it", async () => {
    const made = await call("POST", `/v1/webhook-endpoints/${endpoint}/test`, { body: {} })
    const { event_id, id } = made.json
    await app.run(runDue())
    await app.run(Effect.provideService(sweep(0), CurrentRetention, briefly))
    expect(list((await call("GET", "/v1/webhook-deliveries")).json)).toEqual([])
    expect(list((await call("GET", "/v1/events?type=ping")).json)).toEqual([])
    const path = `/v1/webhook-deliveries/${String(id)}`
    expect((await call("GET", path)).json["code"]).toBe("NOT_FOUND")
    expect((await call("POST", `${path}/replay`, { body: {} })).json["code"]).toBe("NOT_FOUND")
    for (const page of [
      `webhook-deliveries?starting_after=${String(id)}`,
      `events?starting_after=${String(event_id)}`,
    ]) {
      const refused = await call("GET", `/v1/${page}`)
      expect([refused.status, refused.json["code"]]).toEqual([400, "INVALID_QUERY"])
    }
  })
})
