import { createServer as createHttp1, get } from "node:http"
import { connect, createServer } from "node:http2"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { onNode } from "../../../../adapters/http/paid/doors/node.ts"
import type { Check } from "../../../../adapters/http/paid/Verdict.ts"

/** Reports the address of each request, and lets nobody pass. */
const noting = (heard: Array<string>) => {
  const check: Check = async ({ url }) => {
    heard.push(url)
    throw new Error("noted")
  }
  return onNode(check)
}

test("a route has the same address by HTTP/1.1 and HTTP/2", async () => {
  const heard: Array<string> = []
  const door = noting(heard)
  const [one, two] = [
    createHttp1((req, res) => void door(req, res, () => res.end())),
    createServer((req, res) => void door(req, res, () => res.end())),
  ]
  const ports: Array<number> = []
  for (const server of [one, two]) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    ports.push((server.address() as AddressInfo).port)
  }
  await new Promise((done) =>
    get({ port: ports[0], path: "/paper", headers: { host: "shop.test" } }, (res) =>
      res.resume().once("end", done),
    ),
  )
  const client = connect(`http://127.0.0.1:${ports[1]}`)
  const stream = client.request({ ":path": "/paper", ":authority": "shop.test" })
  await new Promise((done) => stream.resume().once("end", done))
  client.close()
  expect(heard).toEqual(["http://shop.test/paper", "http://shop.test/paper"])
})
