import { afterAll, beforeAll, expect, test } from "vitest"
import { makeClient } from "../../adapters/http/client/client.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service_id: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service_id = await activeService(app)
})
afterAll(() => app.stop())

const as = (apiKey: string) => makeClient({ baseUrl: app.url, apiKey })

/** Opens a session by a deposit of 500, of which so much was drawn. */
const openSession = async (spent: number): Promise<string> => {
  const { challenges } = as(app.seller.api_key.key)
  const { sandbox } = as(app.buyer.api_key.key)
  const terms = { service_id, resource: "session", amount: { currency: "USD", value: 500 } }
  const { payment_intent } = await challenges.create({ ...terms, idle_seconds: 60 })
  const { id, token } = payment_intent
  await sandbox.simulate(id, { action: "pay" })
  await challenges.draw(id, { ...terms, token, price: spent, spent })
  return id
}

const cases = [
  ["have a rest", 100, 400],
  ["are used up", 500, 0],
] as const
test.each(cases)(
  "an advance closes idle sessions that %s, and has its own answer",
  async (...row) => {
    const [, spent, rest] = row
    const sessions = [await openSession(spent), await openSession(spent), await openSession(spent)]
    const advance = () =>
      app.call("POST", "/v1/sandbox/clock/advance", {
        key: app.buyer.api_key.key,
        body: { seconds: 120 },
        headers: { "idempotency-key": `advance-${sessions[0]}` },
      })
    const first = await advance()
    expect(first.json).toEqual({ now: expect.any(String), ran: expect.any(Number) })
    const again = await advance()
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"])
    const { refunds } = as(app.seller.api_key.key)
    for (const payment_intent of sessions) {
      const { data } = await refunds.list({ payment_intent })
      expect(data.map(({ amount }) => amount.value)).toEqual(rest === 0 ? [] : [rest])
    }
  },
)
