import assert from "node:assert/strict"
import { paper, payport, shop } from "./shop.ts"

const open = async (kind: "buyer" | "seller") =>
  payport.caller(
    (await payport.accounts.create({ name: kind, kind, agent_id: `${kind}${Date.now()}` })).id,
  )
const [seller, buyer] = [await open("seller"), await open("buyer")]
const { id: service_id } = await payport.services.create(seller, {
  name: paper,
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  accepted_channels: ["wallet_a"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
})
await payport.services.activate(seller, service_id)
const amount = { currency: "USD", value: 699 }
const order = { service_id, type: "one_time", description: "Attention", amount } as const
const { id } = await payport.intents.create(buyer, order)
// There was one copy: a second payment is refused, and neither the payment nor a row is stored.
await assert.rejects(payport.intents.create(buyer, order), { message: "Sold out." })
assert.equal((await payport.intents.list(buyer, {})).data.length, 1)

await payport.sandbox.simulate(buyer, id, { action: "authorize" })
await payport.intents.capture(seller, id)
await payport.sandbox.advanceClock(buyer, { seconds: 5 })
const rows = async () => (await shop.query("select * from accounts where payment = $1", [id])).rows
assert.deepEqual(
  (await rows()).map(({ payment }) => payment),
  [id],
)
while (!(await rows())[0].paid) await new Promise((resolve) => setTimeout(resolve, 100))
assert.equal((await payport.intents.get(buyer, id)).status, "succeeded")
await payport.close()
await shop.end()
console.log("paid in one database")
