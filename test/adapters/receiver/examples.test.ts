import { once } from "node:events"
import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import Koa from "koa"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { webhooks } from "../../../adapters/receiver/examples/koa.ts"
import { webhookServer } from "../../../adapters/receiver/examples/nodeHttp.ts"
import { WebhookError, type WebhookEvent } from "../../../adapters/receiver/webhooks.ts"
import { sourceText } from "../../support/sourceFiles.ts"
import {
  aKeyPair,
  anEvent,
  type Delivery,
  encrypted,
  schemeA,
  schemeB,
  SECRET,
} from "./deliveries.ts"

const key = aKeyPair()
const fresh = () => ({ at: Date.now() })

const koaServer: typeof webhookServer = (options, report) => {
  const app = new Koa()
  app.use(webhooks(options, report))
  const answer = app.callback()
  return createServer((request, response) => void answer(request, response))
}

describe.each([
  ["node:http", webhookServer],
  ["Koa", koaServer],
])("the example for %s", (_, make) => {
  let handled: Array<WebhookEvent> = []
  let reported: Array<unknown> = []
  let failing = false
  let server = make({ secrets: SECRET, handle: () => undefined }, () => undefined)

  beforeEach(async () => {
    ;[handled, reported, failing] = [[], [], false]
    const handle = async (event: WebhookEvent) => {
      if (failing) throw new Error("the queue is away")
      handled.push(event)
    }
    server = make({ secrets: SECRET, keys: [key.secretKey], handle }, (error) =>
      reported.push(error),
    )
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
  })
  afterEach(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  })

  const post = async ({ body, headers }: Delivery): Promise<number> => {
    const { port } = server.address() as AddressInfo
    const options = { port, host: "127.0.0.1", method: "POST", headers, agent: false }
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(options, resolve).on("error", reject).end(body)
    })
    response.resume()
    return response.statusCode ?? 0
  }
  const codes = () =>
    reported.map((error) => (error instanceof WebhookError ? error.code : String(error)))

  test("takes a signed delivery of either scheme, and each event once", async () => {
    const first = schemeA(anEvent({ id: "evt_1" }), fresh())
    expect(await post(first)).toBe(200)
    expect(await post(first)).toBe(200)
    expect(await post(schemeB(anEvent({ id: "evt_1" }), fresh()))).toBe(200)
    expect(await post(schemeB(anEvent({ id: "evt_2" }), fresh()))).toBe(200)
    expect(handled.map(({ id }) => id)).toEqual(["evt_1", "evt_2"])
    expect(reported).toEqual([])
  })

  const signed = (event: object): Delivery => {
    const { body } = encrypted(event, key)
    return schemeA(body, { ...fresh(), enc: Buffer.from(key.fingerprint).toString("base64") })
  }

  test("takes an encrypted one, byte for byte", async () => {
    const event = anEvent({ data: { text: "\u0000\u2028 ünïcode 🎉".repeat(500) } })
    expect(await post(signed(event))).toBe(200)
    expect(handled).toEqual([event])
  })

  test("refuses one that was tampered with, is old, or is for a key that is not here", async () => {
    const { body, headers } = schemeA(anEvent(), fresh())
    const tampered = Buffer.from(body.toString().replace("699", "100"))
    expect(await post({ body: tampered, headers })).toBe(401)
    expect(await post(schemeA(anEvent(), { at: Date.now() - 301_000 }))).toBe(401)
    expect(await post({ body, headers: {} })).toBe(401)
    const stranger = aKeyPair()
    const sealed = encrypted(anEvent(), stranger).body
    const enc = Buffer.from(stranger.fingerprint).toString("base64")
    expect(await post(schemeA(sealed, { ...fresh(), enc }))).toBe(500)
    expect(await post(schemeA(Buffer.from("hello"), fresh()))).toBe(400)
    expect(handled).toEqual([])
    expect(codes()).toEqual([
      ...Array.from({ length: 3 }, () => "webhook_signature_invalid"),
      "webhook_key_not_found",
      "webhook_payload_invalid",
    ])
  })

  test("asks for one again that could not be handled", async () => {
    failing = true
    expect(await post(schemeA(anEvent(), fresh()))).toBe(500)
    failing = false
    expect(await post(schemeA(anEvent(), fresh()))).toBe(200)
    expect(handled).toHaveLength(1)
    expect(codes()).toEqual(["Error: the queue is away"])
  })

  test("answers a body without end with 413, without reading all of it", async () => {
    expect(await post({ body: Buffer.alloc(1_048_577), headers: {} })).toBe(413)
  })
})

test.each(["nodeHttp.ts", "koa.ts"])("the README shows %s as it is", async (name) => {
  const code = await sourceText(`adapters/receiver/examples/${name}`)
  const shown = code.replace('"../webhooks.ts"', '"@payport/sdk/webhooks"')
  expect(await sourceText("adapters/receiver/examples/README.md")).toContain(shown)
})
