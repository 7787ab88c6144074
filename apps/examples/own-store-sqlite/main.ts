import assert from "node:assert/strict"
import { makePayport } from "payport"
import { storeIn } from "payport/ports"
import { sandbox } from "payport/sandbox"
import { openEntries } from "./entries.ts"

const secrets = { masterKey: process.env["MASTER_KEY"] ?? "" }
const store = storeIn(() => openEntries("payments.db"))
const first = await makePayport({ store, channels: sandbox(), secrets })
const ada = await first.accounts.create({ name: "Ada", kind: "buyer", agent_id: `${Date.now()}` })
await first.close()

const second = await makePayport({ store, channels: sandbox(), secrets })
assert.equal((await second.accounts.get(ada.id)).name, "Ada")
await second.close()
