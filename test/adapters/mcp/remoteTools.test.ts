import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, test } from "vitest"
import { remoteTools } from "../../../adapters/mcp/remoteTools.ts"
import { freePort } from "../../support/freePort.ts"

const html = (status: number) => (res: ServerResponse) => {
  res.writeHead(status, { "content-type": "text/html" })
  res.end("<h1>Elsewhere</h1>")
}

/** Calls a tool of a server that answers so. Returns what the model is told. */
const told = async (answer: (res: ServerResponse) => void, scheme = "http") => {
  const server = createServer((req, res) => {
    req.resume().once("end", () => answer(res))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    return await callAt(`${scheme}://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const callAt = async (url: string, key = "sk") => {
  const tools = remoteTools({ url, path: "/mcp/market", key: () => Promise.resolve(key) })
  const { content, isError } = await tools.call({ name: "pay", args: {} })
  expect(isError).toBe(true)
  const [first] = content
  return JSON.parse(first?.type === "text" ? first.text : "") as {
    readonly code: string
    readonly message: string
  }
}

describe("a call on stdio whose service", () => {
  test.each([
    ["closes the connection", (res: ServerResponse) => void res.destroy()],
    [
      "sends half an answer",
      (res: ServerResponse) => {
        res.writeHead(200, { "content-type": "application/json", "content-length": "100" })
        res.write('{"jsonrpc":"2.0",', () => res.destroy())
      },
    ],
    ["is behind a proxy that gives up", html(504)],
    [
      "answers without an end",
      (res: ServerResponse) => {
        res.writeHead(200, { "content-type": "application/json" })
        for (let n = 0; n < 17; n += 1) res.write(Buffer.alloc(1024 * 1024, 32))
        res.end("{}")
      },
    ],
    [
      "is behind a proxy that redirects when it gives up",
      (res: ServerResponse) => void res.writeHead(302, { location: "/sorry" }).end(),
    ],
  ])("%s may have taken effect", async (_how, answer) => {
    const { code, message } = await told(answer)
    expect(code).toBe("OUTCOME_UNKNOWN")
    expect(message).toMatch(/may have taken effect.*idempotency_key/)
  })

  test("does not run has had no effect", async () => {
    const { code, message } = await callAt(`http://127.0.0.1:${await freePort()}`)
    expect([code, message]).toEqual([
      "TEMPORARILY_UNAVAILABLE",
      expect.stringContaining("npm start"),
    ])
  })

  test.each([
    ["speaks no TLS", () => told(html(200), "https")],
    ["is at a port that is never asked", () => callAt("http://127.0.0.1:1")],
    ["is asked with a key that no header takes", () => callAt("http://127.0.0.1:4999", "s\nk")],
  ])("%s has had no effect", async (_how, call) => {
    const { code, message } = await call()
    expect([code, message]).toEqual([
      "TEMPORARILY_UNAVAILABLE",
      expect.stringMatching(/^No payport answers at \S+ \(.+\)/),
    ])
    expect(message).not.toContain("s\nk")
  })

  test.each([
    [{ "retry-after": "7" }, "Repeat it in 7 seconds."],
    [{}, "Repeat it later."],
  ])("is behind a proxy that limits requests has had no effect", async (headers, when) => {
    const { code, message } = await told((res) => {
      res.writeHead(429, { "content-type": "text/html", ...headers })
      res.end("<h1>Too many requests</h1>")
    })
    expect([code, message]).toEqual(["TEMPORARILY_UNAVAILABLE", expect.stringContaining(when)])
    expect(message).toMatch(/^A proxy before the payport .* had no effect/)
  })

  test("is no payport has had no effect", async () => {
    const { code, message } = await told(html(200))
    expect([code, message]).toEqual([
      "TEMPORARILY_UNAVAILABLE",
      expect.stringContaining("is not a payport"),
    ])
  })
})
