import assert from "node:assert/strict"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { ada, papers, payport, shop } from "./shop.ts"

const server = shop.listen(0)
await once(server, "listening")
const { port } = server.address() as AddressInfo
const ordered = await fetch(`http://127.0.0.1:${port}/papers/attention`, { method: "POST" })
const { id } = (await ordered.json()) as { id: string }
await payport.sandbox.simulate(ada, id, { action: "authorize" })
await payport.intents.capture(papers, id)
await payport.sandbox.advanceClock(ada, { seconds: 5 })
assert.equal((await payport.intents.get(ada, id)).status, "succeeded")
server.close()
await payport.close()
console.log("paid")
