import assert from "node:assert/strict"
import { demoShop } from "payport/sandbox"
import { payport, shop } from "./shop.ts"

const { buyer, order, seller } = await demoShop(payport)
const { id } = await payport.intents.create(buyer, order)
// There was one copy: a second payment is refused, and neither the payment nor a row is stored.
await assert.rejects(payport.intents.create(buyer, order), { message: "Sold out." })
assert.equal((await payport.intents.list(buyer, {})).data.length, 1)

await payport.sandbox.simulate(buyer, id, { action: "authorize" })
await payport.intents.capture(seller, id)
await payport.sandbox.advanceClock(buyer, { seconds: 5 })
const find = () => shop.query("select paid from accounts where payment = $1", [id])
while (!(await find()).rows[0].paid) await new Promise((resolve) => setTimeout(resolve, 100))
await payport.close()
await shop.end()
