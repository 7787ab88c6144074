import assert from "node:assert/strict"
import { Client } from "pg"
import { makePayport } from "payport"
import { postgres } from "payport/postgres"
import { sandbox } from "payport/sandbox"

const url = process.env["DATABASE_URL"] ?? ""
const shop = new Client(url)
await shop.connect()
// The shop's own table, called as one of payport's: theirs are in a schema of their own.
await shop.query("create table if not exists accounts (payment text primary key, paid boolean)")

const payport = await makePayport({
  store: postgres({ url }),
  channels: sandbox(),
  // 32 bytes in base64, the same at every start: what is sealed in the database belongs to it.
  secrets: { masterKey: process.env["MASTER_KEY"] ?? "" },
  onEvent: {
    consumer: "orders",
    handle: async ({ data, type }) => {
      if (type !== "payment_intent.succeeded") return
      await shop.query("update accounts set paid = true where payment = $1", [data["id"]])
    },
  },
})
const open = async (kind: "buyer" | "seller") =>
  payport.caller(
    (await payport.accounts.create({ name: kind, kind, agent_id: `${kind}${Date.now()}` })).id,
  )
const [seller, buyer] = [await open("seller"), await open("buyer")]
const { id: service_id } = await payport.services.create(seller, {
  name: `Papers ${Date.now()}`,
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  accepted_channels: ["wallet_a"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
})
await payport.services.activate(seller, service_id)
const order = { service_id, type: "one_time", description: "Attention" } as const
const { id } = await payport.intents.create(buyer, {
  ...order,
  amount: { currency: "USD", value: 699 },
})
await shop.query("insert into accounts values ($1, false)", [id])
await payport.sandbox.simulate(buyer, id, { action: "authorize" })
await payport.intents.capture(seller, id)
await payport.sandbox.advanceClock(buyer, { seconds: 5 })
const isPaid = async () =>
  (await shop.query("select paid from accounts where payment = $1", [id])).rows[0].paid
while (!(await isPaid())) await new Promise((resolve) => setTimeout(resolve, 100))
assert.equal((await payport.intents.get(buyer, id)).status, "succeeded")
await payport.close()
await shop.end()
console.log("paid in one database")
