import { connect, createServer, type IncomingHttpHeaders } from "node:http2"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { mcp } from "../../../apps/payport/mcp.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { pages } from "../../../apps/payport/pages.ts"
import { aShop } from "./aShop.ts"

let url: string
let key: string
let close: () => Promise<void>

beforeAll(async () => {
  const { keys, payport } = await aShop({ store: memory(), log: false })
  const { node } = payport.http({ beside: [mcp(payport), pages(payport)] })
  // Both have the used parts of Node's own requests and responses.
  const server = createServer((req, res) => node(req as never, res as never))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  key = keys.buyer.key
  close = async () => {
    await new Promise((resolve) => server.close(resolve))
    await payport.close()
  }
})
afterAll(() => close())

const begin = (path: string, own: { readonly [name: string]: string }) => {
  const client = connect(url)
  onTestFinished(() => client.destroy())
  const authorization = `Bearer ${key}`
  const head = { ":method": "POST", ":path": path, authorization, ...own }
  const stream = client.request(head, { endStream: false })
  const answered = new Promise<IncomingHttpHeaders>((resolve) => stream.once("response", resolve))
  return { stream, answered }
}

const JSON_TYPE = { "content-type": "application/json" }

test("MCP answers by HTTP/2, where the host is no header", async () => {
  const { answered, stream } = begin("/mcp", JSON_TYPE)
  stream.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }))
  let text = ""
  for await (const chunk of stream.setEncoding("utf8")) text += String(chunk)
  expect([(await answered)[":status"], text]).toEqual([200, expect.stringContaining('"tools"')])
})

const FORM = {
  "content-type": "application/x-www-form-urlencoded",
  "sec-fetch-site": "same-origin",
}
const CHANNEL = "/pay/pi_019c166d-b939-7000-ab06-f812e9a84a5d/channel"

test.each([
  ["a page", CHANNEL, FORM],
  ["MCP", "/mcp", JSON_TYPE],
  ["the API", "/v1/payment-intents", JSON_TYPE],
])("a body that is too large for %s is not received without an end", async (_, path, own) => {
  const { answered, stream } = begin(path, own)
  const closed = new Promise((resolve) => stream.once("close", resolve))
  const sending = setInterval(() => stream.write(Buffer.alloc(16_384, "a")), 5)
  onTestFinished(() => clearInterval(sending))
  stream.resume()
  expect((await answered)[":status"]).toBe(413)
  await closed
  expect(stream.rstCode).toBe(0)
})
