import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { runDue } from "../../core/work/runDue.ts"
import { type App, startApp } from "../support/app.ts"

let app: App
let status = 200
const receiver = createServer((request, response) => {
  request.resume().once("end", () => response.writeHead(status).end("noted"))
})

beforeAll(async () => {
  app = await startApp()
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
})
afterAll(async () => {
  await app.stop()
  receiver.close()
})

const ENDPOINTS = "/v1/webhook-endpoints"
const ROTATE = "/v1/merchant/webhook-secrets/rotate"

/** Every secret and where it is taken from: the answers that are there to show it. */
const reveal = async () => {
  const secrets: Array<string> = []
  const ask = async (method: string, path: string, body?: object) => {
    const { json, text } = await app.call(method, path, { body })
    expect(json["secret"], text).toMatch(/^whsec_/)
    secrets.push(String(json["secret"]))
    return String(json["id"])
  }
  const { port } = receiver.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/hooks`
  const endpoint_id = await ask("POST", ENDPOINTS, { url, enabled_events: ["*"] })
  await ask("POST", ROTATE, { endpoint_id, reason: "leaked" })
  await ask("GET", "/v1/merchant/webhook-secret")
  await ask("POST", ROTATE, { reason: "every year" })
  return { secrets, endpoint_id }
}

test("secrets are in no line of the log, and in no answer but those that show them", async () => {
  const { endpoint_id, secrets } = await reveal()
  expect(new Set(secrets).size).toBe(4)
  const [secret = ""] = secrets
  const one = `${ENDPOINTS}/${endpoint_id}`
  const answers: Array<string> = []
  const ask = async (method: string, path: string, body?: unknown) => {
    const { json, text } = await app.call(method, path, { body })
    answers.push(text)
    return json
  }
  for (const answered of [200, 503, 404]) {
    status = answered
    await ask("POST", `${one}/test`, {})
    await app.run(runDue())
  }
  await ask("PATCH", one, { description: "Bookkeeping" })
  // Secrets in the wrong place of a request are not logged, either.
  await app.call("GET", `${ENDPOINTS}/${secret}`)
  await app.call("GET", `${ENDPOINTS}?starting_after=${secret}`)
  await app.call("GET", "/v1/merchant/webhook-secret", { key: secret })
  await app.call("PATCH", one, { body: { secret } })
  await app.call("POST", ROTATE, { body: `{"reason":"${secret}` })
  const listed = await ask("GET", "/v1/webhook-deliveries?limit=100")
  for (const delivery of listed["data"] as ReadonlyArray<{ readonly id: string }>) {
    await ask("GET", `/v1/webhook-deliveries/${delivery.id}`)
    await ask("POST", `/v1/webhook-deliveries/${delivery.id}/replay`, {})
  }
  await app.run(runDue())
  await ask("GET", "/v1/events?limit=100")
  await ask("GET", ENDPOINTS)
  await ask("GET", one)
  await ask("DELETE", one)

  expect(listed["data"]).toHaveLength(3)
  expect(app.lines.length).toBeGreaterThan(20)
  const shown = [...app.lines, ...answers]
  for (const planted of secrets) {
    const bare = planted.replace("whsec_", "")
    expect(shown.filter((text) => text.includes(bare))).toEqual([])
  }
})
