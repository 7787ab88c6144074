import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { expect, onTestFinished, test } from "vitest"
import type { Exchange } from "../../../apps/record/Exchange.ts"
import { openProxy } from "../../../apps/record/openProxy.ts"

/** A service that answers so, with a proxy before it. */
const open = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const heard: Array<Exchange> = []
  const failed: Array<string> = []
  const server = createServer(answer).listen(0, "127.0.0.1")
  await once(server, "listening")
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`
  const proxy = await openProxy(
    target,
    0,
    (exchange) => heard.push(exchange),
    (why) => failed.push(why),
  )
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(async () => {
    await proxy.close()
    stop()
  })
  return { url: proxy.url, heard, failed, stop }
}

test("requests and answers pass unchanged, and are heard unpacked", async () => {
  const seen: Array<{ url?: string; headers: object; body: string }> = []
  const { heard, url } = await open((request, response) => {
    void (async () => {
      let body = ""
      for await (const chunk of request.setEncoding("utf8")) body += chunk
      seen.push({ url: request.url ?? "", headers: request.headers, body })
      response.writeHead(201, {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Set-Cookie": ["a=1", "b=2"],
        "Idempotent-Replayed": "true",
      })
      response.end(gzipSync('{"id":"pi_1"}'))
    })()
  })
  const answer = await fetch(`${url}/v1/refunds?x=%20y`, {
    method: "POST",
    headers: { Authorization: "Bearer ag_sk_test_a", "Idempotency-Key": "k", "X-Own": "mine" },
    body: '{"amount":7}',
  })
  expect([answer.status, await answer.text()]).toEqual([201, '{"id":"pi_1"}'])
  expect(answer.headers.getSetCookie()).toEqual(["a=1", "b=2"])
  expect(seen).toMatchObject([{ url: "/base/v1/refunds?x=%20y", body: '{"amount":7}' }])
  expect(seen[0]?.headers).toMatchObject({ "x-own": "mine", authorization: "Bearer ag_sk_test_a" })
  expect(heard).toMatchObject([
    {
      method: "POST",
      path: "/v1/refunds",
      isBuyer: true,
      keyed: true,
      replayed: true,
      status: 201,
      asked: { amount: 7 },
      answered: { id: "pi_1" },
    },
  ])
  expect(heard[0]?.caller).not.toContain("sk_test")
})

test("an answer streams, and a long body is passed on and not kept", async () => {
  const long = "x".repeat(300_000)
  const { heard, url } = await open((request, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" })
    response.write('data: {"n":1}\n\n')
    if (request.url?.endsWith("/long") === true) response.end(long)
    else setTimeout(() => response.end('data: {"n":2}\n\n'), 100)
  })
  const reader = (await fetch(`${url}/stream`)).body?.getReader()
  const first = await reader?.read()
  expect(new TextDecoder().decode(first?.value)).toBe('data: {"n":1}\n\n')
  while ((await reader?.read())?.done !== true);
  const text = await (await fetch(`${url}/long`)).text()
  expect(text).toHaveLength(long.length + 'data: {"n":1}\n\n'.length)
  expect(heard.map(({ answered }) => answered)).toEqual([{ n: 2 }, undefined])
})

test("a service that is away is a 502 that says so", async () => {
  const { failed, heard, stop, url } = await open(() => undefined)
  stop()
  const answer = await fetch(`${url}/v1/refunds`)
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({
    message: "payport record cannot reach the service: connection refused.",
  })
  expect([failed, heard]).toEqual([["connection refused"], []])
})
