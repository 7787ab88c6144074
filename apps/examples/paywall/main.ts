import assert from "node:assert/strict"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { requirePayment } from "@payport/sdk/402"
import { makeClient, payingFetch, sandboxWallet } from "@payport/sdk/client"
import { openServers } from "./servers.ts"

const { PAYPORT_BUYER_KEY = "", PAYPORT_SELLER_KEY = "", PAYPORT_URL: baseUrl = "" } = process.env
const seller = { baseUrl, apiKey: PAYPORT_SELLER_KEY }
const services = makeClient(seller).services
const { id: service } = await services.create({
  name: `Papers ${Date.now()}`,
  description: "Papers by the page.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 25, currency: "USD", label: "One page" }] },
  accepted_channels: ["wallet_b"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
})
await services.activate(service)
const paywall = requirePayment({ payport: seller, service, amount: { currency: "USD", value: 25 } })
const wallet = sandboxWallet({ baseUrl, apiKey: PAYPORT_BUYER_KEY })
const budget = { currency: "USD", perCall: 50, total: 100 }

for (const server of await openServers(paywall)) {
  if (!server.listening) await once(server, "listening")
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  assert.equal((await fetch(`http://${host}/paper`)).status, 402)
  const paying = payingFetch(fetch, wallet, { budget, hosts: [host] })
  assert.match(await (await paying(`http://${host}/paper`)).text(), /Attention/)
  assert.equal(paying.spent().value, 25)
}
console.log("paid thrice")
process.exit(0)
