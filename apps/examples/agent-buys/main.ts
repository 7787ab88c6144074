import assert from "node:assert/strict"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { makeClient } from "@payport/sdk/client"

const { PAYPORT_BUYER_KEY = "", PAYPORT_SELLER_KEY = "", PAYPORT_URL: baseUrl = "" } = process.env

const seller = makeClient({ baseUrl, apiKey: PAYPORT_SELLER_KEY })
const name = `Weather ${Date.now()}`
const { id: service } = await seller.services.create({
  name,
  description: "Forecasts for any place on earth.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 300, currency: "USD", label: "One week" }] },
  accepted_channels: ["wallet_b"],
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://weather.example/hook",
})
await seller.services.activate(service)

const agent = new Client({ name: "an agent", version: "1.0.0" })
const requestInit = { headers: { Authorization: `Bearer ${PAYPORT_BUYER_KEY}` } }
await agent.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }))
const { tools } = await agent.listTools()
const tool = tools.find(({ name: own }) => own === `${service}__pay_one_time`)
assert.ok(tool, "every active service has a tool")

const args = { manifest_id: service, amount: 300 }
const { structuredContent } = await agent.callTool({ name: tool.name, arguments: args })
const { deeplink, id } = structuredContent as { deeplink: string; id: string }
assert.match(deeplink, /^svc:\/\/pay\//)

// There are no wallets in the sandbox, so it plays the person who opens the link.
const buyer = makeClient({ baseUrl, apiKey: PAYPORT_BUYER_KEY })
await buyer.sandbox.simulate(id, { action: "pay" })
assert.equal((await buyer.intents.get(id)).status, "completed")
await agent.close()
console.log("bought")
