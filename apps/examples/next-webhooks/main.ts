import assert from "node:assert/strict"
import { createHmac } from "node:crypto"
import { paid, POST } from "./app/api/payport/route.ts"

const secret = "whsec_of_an_example_that_nobody_uses"
process.env["PAYPORT_WEBHOOK_SECRET"] = secret

const created = Math.floor(Date.now() / 1000)
const data = { id: "pi_1", amount: { currency: "USD", value: 699 } }
const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", created, data })
const sign = (text: string) => createHmac("sha256", secret).update(text).digest("hex")
const deliver = (signature: string) =>
  POST(
    new Request("http://shop.example/api/payport", {
      method: "POST",
      body,
      headers: { "Webhook-Signature": signature },
    }),
  )

assert.equal((await deliver(`t=${created},v1=${sign(`${created}.${body}`)}`)).status, 200)
assert.equal((await deliver(`t=${created},v1=${sign(`${created}.${body}`)}`)).status, 200)
assert.equal((await deliver(`t=${created},v1=${sign("another body")}`)).status, 401)
assert.deepEqual(paid, ["pi_1: 699 USD"])
console.log("received once")
