import { expect, test } from "vitest"
import { makePayport } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"

test("a payment is made, captured and settled by a sandbox in memory", async () => {
  const payport = await makePayport({ store: memory(), channels: sandbox() })
  const opened = await payport.accounts.create({
    name: "Paper summaries Ltd",
    kind: "seller",
    agent_id: "summaries",
  })
  const seller = await payport.accounts.authenticate(opened.api_key.key)
  const service = await payport.services.create(seller, {
    name: "Paper summaries",
    description: "Sums up a research paper.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
    accepted_channels: ["wallet_a"],
    default_channel: "wallet_a",
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://summaries.example/hook",
    tags: ["papers"],
  })
  await payport.services.activate(seller, service.id)
  const { id: buyerId } = await payport.accounts.create({
    name: "Ada",
    kind: "buyer",
    agent_id: "ada",
  })
  const buyer = await payport.caller(buyerId)
  const { id, qr } = await payport.intents.create(buyer, {
    service_id: service.id,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "One paper",
  })
  expect(qr?.qr_data).toContain("svc://")
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.capture(seller, id)
  await payport.sandbox.advanceClock(buyer, { seconds: 5 })
  expect((await payport.intents.get(buyer, id)).status).toBe("succeeded")
  const { data } = await payport.events.list(seller, { limit: 5 })
  expect(data.map(({ type }) => type)).toContain("payment_intent.succeeded")
  await payport.close()
})
