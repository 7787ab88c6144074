import { expect, test } from "vitest"
import {
  memorySeen,
  receive,
  respond,
  testDelivery,
  type WebhookEvent,
} from "../../../adapters/receiver/webhooks.ts"

const secrets = "whsec_of_this_test"
const event = { type: "payment_intent.succeeded", data: { id: "pi_1" } }

const arriving = (delivery: RequestInit = testDelivery(event, secrets)) =>
  new Request("https://shop.test/hook", delivery)

const open = (handle: (event: WebhookEvent) => Promise<void> | void = () => {}) => {
  const handled: Array<WebhookEvent> = []
  const options = {
    secrets,
    seen: memorySeen(),
    handle: (told: WebhookEvent) => {
      handled.push(told)
      return handle(told)
    },
  }
  return { handled, options }
}

test("a genuine delivery is handled once, and answered with 200 each time", async () => {
  const { handled, options } = open()
  const delivery = testDelivery(event, secrets)
  for (const _ of [1, 2]) {
    const answer = await respond(arriving(delivery), options)
    expect([answer.status, await answer.text()]).toStrictEqual([200, ""])
  }
  expect(handled).toStrictEqual([expect.objectContaining(event)])
})

test("an event that is under way is to be repeated", async () => {
  let go = () => {}
  const waiting = new Promise<void>((resolve) => (go = resolve))
  const { handled, options } = open(() => waiting)
  const delivery = testDelivery(event, secrets)
  const first = respond(arriving(delivery), options)
  await expect.poll(() => handled.length).toBe(1)
  expect((await respond(arriving(delivery), options)).status).toBe(503)
  go()
  expect((await first).status).toBe(200)
})

const { body, headers } = testDelivery(event, secrets)

test.each<[number, string, RequestInit]>([
  [401, "signed by somebody else", testDelivery(event, "whsec_of_another")],
  [401, "whose body was changed", { method: "POST", headers, body: `${body} ` }],
  [401, "without a signature", { method: "POST", body }],
  [401, "without a body", { method: "POST", headers }],
  [413, "that is too large", { method: "POST", headers, body: "x".repeat(1_048_577) }],
  [400, "that tells of no event", testDelivery({ ...event, type: "" }, secrets)],
])("%i for a delivery %s", async (status, _, delivery) => {
  const { handled, options } = open()
  const answer = await respond(arriving(delivery), options)
  expect([answer.status, await answer.text(), handled]).toStrictEqual([status, "", []])
})

test("what the handler throws is the app's to log, and the event is handled again", async () => {
  let isDown = true
  const { handled, options } = open(() => {
    if (isDown) throw new Error("the database is down")
  })
  const delivery = testDelivery(event, secrets)
  await expect(respond(arriving(delivery), options)).rejects.toThrow("the database is down")
  isDown = false
  expect((await respond(arriving(delivery), options)).status).toBe(200)
  expect(handled).toHaveLength(2)
})

test("a test's delivery has what it was given, and is signed now", async () => {
  const given = { ...event, id: "evt_1", created: 1_769_902_800 }
  const { body: text, headers: signed } = testDelivery(given, secrets)
  const { options } = open()
  const received = await receive({ headers: signed, body: text }, options)
  expect(received.event).toStrictEqual(given)
  const [one, other] = [testDelivery(event, secrets), testDelivery(event, secrets)]
  expect(one.body).not.toBe(other.body)
})
