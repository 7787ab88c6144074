import { afterAll, beforeAll, expect, test } from "vitest"
import { activeService, ADMIN_KEY, type App, authorizedPayment, startApp } from "../support/app.ts"

type Json = { readonly [field: string]: unknown }

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const timeline = async (id: string, key: string) => {
  const { json, status } = await app.call("GET", `/v1/payment-intents/${id}/timeline`, { key })
  expect([status, json["complete"]]).toEqual([200, true])
  return json["data"] as ReadonlyArray<Json>
}

/** Returns the subject of an entry in a word or two. */
const told = (entry: Json): string => {
  const type = String(entry["type"])
  const said = entry[type] as Json
  switch (type) {
    case "status":
      return `is ${String(entry["status"])}`
    case "channel_request":
      return `asks to ${String(said["action"])}: ${String(said["status"])}`
    case "callback":
      return `hears ${String(said["status"])}: ${String(said["result"])}`
    case "journal":
      return `books ${String((entry["journal"] as ReadonlyArray<Json>)[0]?.["kind"])}`
    case "event":
      return `tells ${String(said["type"])}`
    case "delivery":
      return `delivers ${String(said["event_type"])}`
    default:
      return `${type} ${String(said["status"])}`
  }
}

test("tells each party its part of a payment that was refunded and revoked, in order", async () => {
  const service = await activeService(app)
  const id = await authorizedPayment(app, service, 699)
  await advance(1)
  await app.call("POST", `/v1/payment-intents/${id}/capture`)
  await advance(5)
  const revoke = { targets: [{ type: "session", id: "s1" }], webhook_notify: true }
  const refunded = await app.call("POST", "/v1/refunds", { body: { payment_intent: id, revoke } })
  expect(refunded.status, refunded.text).toBe(201)
  await advance(60)

  const payee = await timeline(id, app.seller.api_key.key)
  const course = payee.map(told)
  expect(course.filter((entry) => entry !== "revocation revoked")).toEqual([
    "is pending",
    "hears AUTHORIZED: acted_on",
    "is scanning",
    "is authorized",
    "asks to capture: done",
    "is captured",
    "books captured",
    "hears SUCCESS: acted_on",
    "is succeeded",
    "books settled",
    "books fees",
    "tells payment_intent.succeeded",
    "delivers payment_intent.succeeded",
    "refund succeeded",
    "asks to refund: done",
    "books refund_reserved",
    "hears SUCCESS: acted_on",
    "books refund_succeeded",
    "books fees_refunded",
    "tells refund.succeeded",
    "tells revocation.succeeded",
    "tells revocation.batch.completed",
    "delivers revocation.succeeded",
    "delivers revocation.batch.completed",
  ])
  // The revocation follows the refund's end, in the same millisecond or a later one.
  const revoked = course.indexOf("revocation revoked")
  expect(revoked).toBeGreaterThan(course.indexOf("books fees_refunded"))
  expect(revoked).toBeLessThan(course.indexOf("tells revocation.succeeded"))
  const times = payee.map(({ at }) => String(at))
  expect(times.toSorted()).toEqual(times)

  const payer = (await timeline(id, app.buyer.api_key.key)).map(told)
  expect(payer).toEqual(course.filter((entry) => !/^(asks|hears|books|delivers)/.test(entry)))

  const { json } = await app.call("POST", "/v1/accounts", {
    key: ADMIN_KEY,
    body: { name: "Nobody of theirs", kind: "seller", agent_id: "nobody-of-theirs" },
  })
  const { key } = json["api_key"] as { readonly key: string }
  const foreign = await app.call("GET", `/v1/payment-intents/${id}/timeline`, { key })
  expect([foreign.status, foreign.json["code"]]).toEqual([404, "NOT_FOUND"])
})
