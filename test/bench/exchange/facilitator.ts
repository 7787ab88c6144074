import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const PAYER = "0x857b06519E91e3A54538791bDbb0E22373e36b66"

/** It looks at nothing and keeps nothing: no facilitator answers sooner. */
const ANSWERS: { readonly [path: string]: object } = {
  "/supported": {
    kinds: [{ x402Version: 2, scheme: "exact", network: "eip155:84532" }],
    extensions: [],
    signers: {},
  },
  "/verify": { isValid: true, payer: PAYER },
  "/settle": {
    success: true,
    payer: PAYER,
    transaction: `0x${"89".repeat(32)}`,
    network: "eip155:84532",
  },
}

const texts = new Map(
  Object.entries(ANSWERS).map(([path, answer]) => [path, JSON.stringify(answer)] as const),
)

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    const text = texts.get(request.url ?? "")
    response.writeHead(text === undefined ? 404 : 200, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text ?? ""),
    })
    response.end(text)
  })
}).listen(0, "127.0.0.1", 4_096)
await once(server, "listening")
process.once("disconnect", () => process.exit())
process.send?.((server.address() as AddressInfo).port)
