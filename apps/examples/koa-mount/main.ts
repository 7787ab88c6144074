import { makeClient } from "@payport/sdk/client"
import Koa from "koa"
import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { makePayport } from "payport"
import { memory } from "payport/memory"
import { sandbox } from "payport/sandbox"

const app = new Koa()
const server = createServer((request, response) => void app.callback()(request, response)).listen(0)
await once(server, "listening")
const home = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const payport = await makePayport({
  store: memory(),
  channels: sandbox(),
  baseUrl: `${home}/payments`,
})
app.use(payport.http().koa)
app.use((ctx) => {
  ctx.body = "the shop"
})

const seller = await payport.accounts.create({ name: "Papers", kind: "seller", agent_id: "papers" })
const client = makeClient({ baseUrl: `${home}/payments`, apiKey: seller.api_key.key })
assert.equal((await client.channels.list()).data.length, 13)
assert.equal(await (await fetch(`${home}/papers`)).text(), "the shop")
const { servers } = (await (await fetch(`${home}/payments/openapi.json`)).json()) as {
  servers: Array<{ url: string }>
}
assert.equal(servers[0]?.url, `${home}/payments`)

await payport.close()
server.close()
console.log("mounted")
