import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { makePayport } from "payport"
import { memory } from "payport/memory"
import { openBank } from "./bank.ts"
import { bankChannel } from "./channel.ts"
import { checkContract } from "./contract.ts"

const secret = "agreed upon with the bank"
const listen = async (server: ReturnType<typeof createServer>) => {
  await once(server.listen(0, "127.0.0.1"), "listening")
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const shop = createServer((request, response) => void node(request, response))
const here = await listen(shop)
const bank = openBank(secret, `${here}/v1/webhooks/channel/own_bank`)
const url = await listen(bank)
const channel = bankChannel(url, secret)

const payport = await makePayport({
  store: memory(),
  channels: [channel],
  baseUrl: "https://pay.example",
})
const { node } = payport.http()
const open = async (kind: "buyer" | "seller") =>
  payport.caller((await payport.accounts.create({ name: kind, kind, agent_id: kind })).id)
const [seller, buyer] = [await open("seller"), await open("buyer")]
const { id: service_id } = await payport.services.create(seller, {
  name: "Papers",
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  accepted_channels: ["own_bank"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
})
await payport.services.activate(seller, service_id)
const { id } = await payport.intents.create(buyer, {
  ...{ service_id, type: "one_time", description: "Attention" },
  amount: { currency: "USD", value: 699 },
})
const reaches = async (status: string) => {
  for await (const state of payport.intents.follow(buyer, id)) if (state.status === status) return
  assert.fail(`The payment has ended before it was ${status}.`)
}
// A person pays in the bank's app, and the bank calls back.
await fetch(`${url}/payments/${id}`, { method: "PUT", body: "{}" })
await reaches("authorized")
await payport.intents.capture(seller, id)
await reaches("succeeded")
assert.equal((await payport.refunds.create(seller, { payment_intent: id })).status, "succeeded")
console.log(`paid, refunded, and ${await checkContract(channel, url)} checks of the contract`)
await payport.close()
for (const server of [shop, bank]) server.close()
