import { afterAll, beforeAll, expect, test } from "vitest"
import { activeService, type App, startApp } from "../../support/app.ts"
import { aReceiver, SECRET, startListening } from "./process.ts"

let app: App

beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const listenTo = (forward: string, key: string, ...more: ReadonlyArray<string>) => {
  const options = ["--url", app.url, "--key", key, "--forward", forward, "--secret", SECRET]
  return startListening(...options, ...more)
}

/** Makes a paid payment, and returns its id. */
const pay = async (service: string): Promise<string> => {
  const body = {
    service_id: service,
    amount: { currency: "USD", value: 500 },
    description: "A short one",
    payer: { agent_id: "agent-of-the-buyer" },
  }
  const { key } = app.buyer.api_key
  const made = await app.call("POST", "/v1/payments/one-time", { key, body })
  const id = String(made.json["id"])
  const played = { key, body: { action: "pay" } }
  await app.call("POST", `/v1/sandbox/payment-intents/${id}/simulate`, played)
  return id
}

test("the events of an account of the service arrive at a local receiver", async () => {
  const [service, receiver] = [await activeService(app), await aReceiver()]
  const { key } = app.seller.api_key
  await pay(service)
  const listening = listenTo(receiver.url, key)
  await listening.shows("Signed with")
  const ids = [await pay(service), await pay(service)]
  await listening.shows(`200 in`)
  listening.child.kill("SIGINT")
  expect(await listening.ended).toBe(0)
  const again = listenTo(receiver.url, key, "--since", receiver.events[0]!.id)
  await again.shows("payment_intent.succeeded")
  again.child.kill("SIGTERM")
  expect(await again.ended).toBe(0)
  const paid = receiver.events.flatMap((event) =>
    event.type === "payment_intent.succeeded" ? [event.data.id] : [],
  )
  expect(paid).toEqual(ids)
  expect(receiver.refused).toEqual([])
})

test("a key that the service does not know is one sentence", async () => {
  const listening = listenTo("http://127.0.0.1:9/", "sk_test_unknown")
  expect(await listening.ended).toBe(1)
  expect(listening.stderr()).toMatch(/refuses this key/)
})
