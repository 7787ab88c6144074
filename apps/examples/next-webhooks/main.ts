import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { createInterface } from "node:readline"

const secret = "whsec_of_an_example_that_nobody_uses"

// Next as it is in production, on a free port.
const next = spawn(
  process.execPath,
  ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", "0"],
  {
    env: { ...process.env, PAYPORT_WEBHOOK_SECRET: secret },
    stdio: ["ignore", "pipe", "inherit"],
  },
)
try {
  let origin: string | undefined
  for await (const line of createInterface(next.stdout)) {
    origin ??= /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0]
    if (line.includes("Ready")) break
  }
  const hook = `${origin}/api/payport`

  const created = Math.floor(Date.now() / 1000)
  const data = { id: "pi_1", amount: { currency: "USD", value: 699 } }
  const body = JSON.stringify({ id: "evt_1", type: "payment_intent.succeeded", created, data })
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("hex")
  const deliver = async (signature: string) => {
    const headers = { "Webhook-Signature": signature }
    return (await fetch(hook, { method: "POST", body, headers })).status
  }

  assert.equal(await deliver(`t=${created},v1=${sign(`${created}.${body}`)}`), 200)
  assert.equal(await deliver(`t=${created},v1=${sign(`${created}.${body}`)}`), 200)
  assert.equal(await deliver(`t=${created},v1=${sign("another body")}`), 401)
  assert.deepEqual(await (await fetch(hook)).json(), ["pi_1: 699 USD"])
} finally {
  next.kill()
}
console.log("received once")
