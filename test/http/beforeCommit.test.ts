import { afterAll, beforeAll, expect, test } from "vitest"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let service: string
let run: () => unknown
beforeAll(async () => {
  const store = MemoryStore.hooked({ kinds: ["payment_intent"], run: () => run() })
  app = await startApp({ sandbox: true, store })
  service = await activeService(app)
})
afterAll(() => app.stop())

const create = () =>
  app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    headers: { "idempotency-key": "the-same" },
    body: {
      service_id: service,
      type: "one_time",
      amount: { currency: "USD", value: 699 },
      description: "A report",
    },
  })

test("a host's refusal is the answer, what it throws is not, and neither is kept", async () => {
  run = () => new Failure({ code: "FORBIDDEN", message: "The shop is closed." })
  const refused = await create()
  expect([refused.status, refused.json["message"]]).toEqual([403, "The shop is closed."])
  run = () => {
    throw new Error("a secret of the host")
  }
  const broken = await create()
  expect([broken.status, broken.json["code"]]).toEqual([500, "INTERNAL_ERROR"])
  expect(broken.text).not.toContain("secret")
  await expect.poll(() => app.lines.join()).toContain("beforeCommit threw: a secret of the host")
  run = () => undefined
  expect((await create()).status).toBe(201)
})
