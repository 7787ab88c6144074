import { makePayport } from "payport"
import { storeIn } from "payport/ports"
import { sandbox } from "payport/sandbox"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openEntries } from "./entries.ts"

const folder = await mkdtemp(join(tmpdir(), "payport-"))
const secrets = { masterKey: crypto.getRandomValues(new Uint8Array(32)) }
const start = () => {
  const store = storeIn(() => openEntries(join(folder, "payments.db")))
  return makePayport({ store, channels: sandbox(), secrets })
}

const first = await start()
const { id } = await first.accounts.create({ name: "Papers", kind: "seller", agent_id: "papers" })
const seller = await first.caller(id)
const service = await first.services.create(seller, {
  name: "Papers",
  description: "Sums up a paper.",
  accepted_channels: ["wallet_a"],
  qr_mode: "dynamic",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  settlement_currency: "USD",
  endpoint: "https://papers.example/hook",
})
await first.services.activate(seller, service.id)
await first.close()

// What was stored is there after a restart.
const second = await start()
const found = await second.services.search(await second.caller(id), { q: "paper" })
console.log(`${found.data.length} service: ${found.data[0]?.name}`)
await second.close()
await rm(folder, { recursive: true })
if (found.data.length !== 1) process.exitCode = 1
