import { expect, onTestFinished, test } from "vitest"
import { AddressGate, Intake } from "../../../apps/payport/http.ts"
import { mcp } from "../../../apps/payport/mcp.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { aShop } from "./aShop.ts"

test("the interface and MCP are in a host's app, under one prefix and one admission", async () => {
  const baseUrl = "http://shop.test/pay"
  const { keys, order, payport } = await aShop({ store: memory(), baseUrl, log: false })
  onTestFinished(() => payport.close())
  const shared = { gate: new AddressGate(), intake: new Intake() }
  const { fetch } = payport.http({ ...shared, beside: [mcp(payport, shared)] })
  const authorization = `Bearer ${keys.buyer.key}`
  const call = (path: string, body: object) =>
    fetch(
      new Request(`${baseUrl}${path}`, {
        method: "POST",
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    )
  const listed = await call("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" })
  expect([listed.status, await listed.text()]).toEqual([
    200,
    expect.stringContaining(`${order.service_id}__pay_one_time`),
  ])
  const amount = { currency: "USD", value: 699 }
  expect((await call("/v1/payment-intents", { ...order, amount })).status).toBe(201)
})
