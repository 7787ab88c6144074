import { testDelivery } from "@payport/sdk/webhooks"
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
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
  const data = { id: "pi_1", amount: { currency: "USD", value: 699 } }
  const genuine = testDelivery({ type: "payment_intent.succeeded", data }, secret)
  const forged = testDelivery({ type: "payment_intent.succeeded", data }, "whsec_of_somebody_else")

  assert.equal((await fetch(hook, genuine)).status, 200)
  assert.equal((await fetch(hook, genuine)).status, 200)
  assert.equal((await fetch(hook, forged)).status, 401)
  assert.deepEqual(await (await fetch(hook)).json(), ["pi_1: 699"])
} finally {
  next.kill()
}
console.log("received once")
