import { Effect } from "effect"
import Koa from "koa"
import { once } from "node:events"
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest"
import type { Mounted, MountOptions } from "../../../../adapters/http/mount.ts"
import { WebIncoming } from "../../../../adapters/http/mount/WebIncoming.ts"
import { WebOutgoing } from "../../../../adapters/http/mount/WebOutgoing.ts"
import { openMcpEndpoint } from "../../../../adapters/mcp/McpEndpoint.ts"
import { AddressGate } from "../../../../adapters/shared/addresses/AddressGate.ts"
import { Intake } from "../../../../adapters/shared/Intake.ts"
import { Installation } from "../../../../core/ports/Installation.ts"
import { activeService, type App, startApp } from "../../../support/app.ts"
import { Listening } from "../../../support/listening.ts"

let app: App
let service: string
let listening: Listening
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  listening = new Listening()
})
afterAll(async () => {
  await listening.close()
  await app.stop()
})

const base_url = "https://shop.test/pay"
const opened: Array<Mounted> = []
const mounted = (options: MountOptions = {}): Mounted => {
  const made = app.mount({ base_url, ...options })
  opened.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((made) => made.close()))
})

const bearer = () => ({ authorization: `Bearer ${app.buyer.api_key.key}` })

const order = () => ({
  service_id: service,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "A report",
})

const post = (path: string, body?: string | ReadableStream, init: RequestInit = {}) =>
  new Request(`https://shop.test/pay${path}`, {
    method: "POST",
    headers: { ...bearer(), "content-type": "application/json" },
    ...(body !== undefined && { body }),
    ...init,
  })

const get = (path: string, init: RequestInit = {}) =>
  new Request(`https://shop.test/pay${path}`, { headers: bearer(), ...init })

const jsonOf = async (response: Response) =>
  (await response.json()) as { readonly [field: string]: unknown }

const anIntent = async (door: Mounted): Promise<string> => {
  const response = await door.fetch(post("/v1/payment-intents", JSON.stringify(order())))
  expect(response.status).toBe(201)
  return String((await jsonOf(response))["id"])
}

describe("in an app of Koa", () => {
  const open = async (options: MountOptions = {}) => {
    const koa = new Koa()
    koa.silent = true
    koa.use(async (ctx, next) => {
      ctx.set("Access-Control-Allow-Origin", "*")
      try {
        await next()
      } catch (error) {
        ctx.status = 418
        ctx.body = error instanceof Error ? error.message : "?"
      }
    })
    koa.use(mounted(options).koa)
    koa.use((ctx) => {
      if (ctx.path === "/broken") throw new Error("of the app")
      if (ctx.path !== "/nobody") ctx.body = `the app's ${ctx.path}`
    })
    return listening.open(koa.callback())
  }

  test("other paths are the app's, with their errors", async () => {
    const url = await open()
    for (const path of [
      "/",
      "/v1/channels",
      "/payments/v1",
      "/pay",
      "/pay/basket",
      "/pay/healthz",
    ]) {
      expect(await (await fetch(`${url}${path}`)).text()).toBe(`the app's ${path}`)
    }
    expect((await fetch(`${url}/nobody`)).status).toBe(404)
    const broken = await fetch(`${url}/broken`)
    expect([broken.status, await broken.text()]).toEqual([418, "of the app"])
  })

  test("its own are answered by nobody else, with the headers that the app has set", async () => {
    const url = await open()
    const unknown = await fetch(`${url}/pay/v1/nothing`)
    expect(unknown.headers.get("access-control-allow-origin")).toBe("*")
    expect([unknown.status, (await jsonOf(unknown))["code"]]).toEqual([404, "NOT_FOUND"])
    const listed = await fetch(`${url}/pay/v1/services`, { headers: bearer() })
    expect(listed.status).toBe(200)
  })
})

describe("what the app says", () => {
  test("answers and the document lead to the prefix", async () => {
    const door = mounted()
    const document = await jsonOf(await door.fetch(get("/openapi.json")))
    expect(document["servers"]).toEqual([{ url: "https://shop.test/pay" }])
    const created = await door.fetch(post("/v1/payment-intents", JSON.stringify(order())))
    expect(await created.text()).toContain('"scan_url":"https://shop.test/pay/pay/')
  })

  test("operators, health, metrics and the document are there only if it wants them", async () => {
    const status = async (options: MountOptions, path: string) =>
      (await mounted(options).fetch(get(path))).status
    expect(await status({}, "/v1/accounts")).toBe(404)
    expect(await status({ operators: () => [] }, "/v1/accounts")).toBe(401)
    expect(await status({}, "/healthz")).toBe(404)
    expect(await status({ health: true }, "/healthz")).toBe(200)
    expect(await status({}, "/metrics")).toBe(404)
    expect(await status({ metrics: true }, "/metrics")).toBe(200)
    expect(await status({ openapi: false }, "/openapi.json")).toBe(404)
  })

  test("a prefix that is not the base URL's is refused, unless paths are rewritten", async () => {
    const refusal = { code: "INVALID_REQUEST", field: "prefix" }
    expect(() => mounted({ prefix: "/other" })).toThrow(expect.objectContaining(refusal))
    expect(() => mounted({ prefix: "no path" })).toThrow(expect.objectContaining(refusal))
    const door = mounted({ prefix: "", rewritten: true })
    const response = await door.fetch(new Request("https://shop.test/v1/services"))
    expect(response.status).toBe(401)
  })

  test("it takes on no more than it may", async () => {
    const door = mounted({ intake: new Intake({ most: 0 }) })
    const response = await door.fetch(get("/v1/services"))
    expect([response.status, (await jsonOf(response))["code"]]).toEqual([503, "OVERLOADED"])
  })

  test("callers are limited by the address that it names, if it names one", async () => {
    const limits = { burst: 1, perSecond: 0.001, mostAddresses: 10 }
    const door = mounted({ gate: new AddressGate({ limits }) })
    const ask = async (address?: string) => {
      const request = new Request("https://shop.test/pay/openapi.json")
      return (await door.fetch(request, { address })).status
    }
    expect([await ask("192.0.2.1"), await ask("192.0.2.1"), await ask("192.0.2.2")]).toEqual([
      200, 429, 200,
    ])
    expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 200])
  })
})

describe("MCP beside it", () => {
  test("is served under the prefix and ends with it", async () => {
    const intake = new Intake()
    const mcp = await app.run(
      Effect.flatMap(Installation, (own) =>
        Effect.provideService(openMcpEndpoint({ intake }), Installation, { ...own, base_url }),
      ),
    )
    const door = mounted({ beside: [mcp], intake })
    const list = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const listed = await door.fetch(post("/mcp", list))
    expect(listed.status).toBe(200)
    expect(await listed.text()).toContain(`${service}__pay_one_time`)
    const call = { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "x" } }
    const refused = await door.fetch(
      post("/mcp", JSON.stringify(call), { headers: { "content-type": "application/json" } }),
    )
    expect(refused.status).toBe(401)
    await door.close()
    expect((await door.fetch(post("/mcp", list))).status).toBe(503)
  })

  test("a listener that leaves before its stream begins takes no place", async () => {
    const mcp = await app.run(openMcpEndpoint({ intake: new Intake(), subscriptionsOfHolder: 1 }))
    const host = "localhost"
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "subscriptions/listen",
    }
    const message = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    })
    const listen = async (res: WebOutgoing) => {
      const init = { method: "POST", headers, body: message }
      const req = await WebIncoming.of(new Request(`http://${host}/mcp`, init), undefined)
      return { handled: mcp.handle(req, res, "/mcp") }
    }
    const left = new WebOutgoing("POST")
    left.response.catch(() => undefined)
    const closed = once(left, "close")
    left.destroy()
    await closed
    await (
      await listen(left)
    ).handled
    const stays = new WebOutgoing("POST")
    const { handled } = await listen(stays)
    const answer = await stays.response
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
    await handled
    await Effect.runPromise(mcp.close)
  })
})

/** Reads a stream until a text has arrived, and returns everything read. */
const readUntil = async (reader: ReadableStreamDefaultReader<string>, text: string) => {
  let all = ""
  while (!all.includes(text)) {
    const { done, value } = await reader.read()
    if (done) break
    all += value
  }
  return all
}

describe("over fetch", () => {
  const stream = async (door: Mounted, signal?: AbortSignal) => {
    const id = await anIntent(door)
    const init = signal === undefined ? {} : { signal }
    const response = await door.fetch(get(`/v1/payment-intents/${id}/events`, init))
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect(await readUntil(reader, "qr_generated")).toContain("event: payment_intent")
    return { id, reader }
  }
  const streams = { most: 1, pollEvery: 50 }
  const isFree = async (door: Mounted, id: string) => {
    const response = await door.fetch(get(`/v1/payment-intents/${id}/events`))
    await response.body?.cancel()
    return response.status
  }

  test("events come as they happen, and end with the last", async () => {
    const door = mounted({ streams })
    const { id, reader } = await stream(door)
    expect(await isFree(door, id)).toBe(503)
    await door.fetch(post(`/v1/payment-intents/${id}/void`))
    expect(await readUntil(reader, "voided")).toContain('"status":"voided"')
    expect((await reader.read()).done).toBe(true)
  })

  test("who cancels the events, or leaves, frees their place", async () => {
    const door = mounted({ streams })
    const cancelled = await stream(door)
    await cancelled.reader.cancel()
    await expect.poll(() => isFree(door, cancelled.id)).toBe(200)
    const leaving = new AbortController()
    const left = await stream(door, leaving.signal)
    leaving.abort()
    await expect(left.reader.read()).rejects.toThrow(/abort/i)
    await expect.poll(() => isFree(door, left.id)).toBe(200)
  })

  test("a body comes in pieces, or turns out to be none", async () => {
    const door = mounted()
    const pieces = (texts: ReadonlyArray<string>) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const text of texts) controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        },
      })
    const text = JSON.stringify(order())
    const body = pieces([text.slice(0, 20), text.slice(20)])
    const init = { duplex: "half" } as RequestInit
    expect((await door.fetch(post("/v1/payment-intents", body, init))).status).toBe(201)
    const id = await anIntent(door)
    const headers = bearer()
    const empty = post(`/v1/payment-intents/${id}/void`, pieces([]), { ...init, headers })
    expect((await door.fetch(empty)).status).toBe(200)
  })

  test("who has left is not answered, and a body that is gone is told of", async () => {
    const door = mounted()
    const signal = AbortSignal.abort(new Error("left"))
    await expect(door.fetch(get("/v1/services", { signal }))).rejects.toThrow("left")
    const leaving = new AbortController()
    const endless = new ReadableStream({ start: (all) => all.enqueue(new Uint8Array([123])) })
    const init = { duplex: "half", signal: leaving.signal } as RequestInit
    const waiting = door.fetch(post("/v1/payment-intents", endless, init))
    setImmediate(() => leaving.abort(new Error("gone")))
    await expect(waiting).rejects.toThrow("gone")
    const bored = new AbortController()
    const silent = new ReadableStream({ pull: () => new Promise(() => {}) })
    const unheard = { duplex: "half", signal: bored.signal } as RequestInit
    const hanging = door.fetch(post("/v1/payment-intents", silent, unheard))
    setImmediate(() => bored.abort(new Error("bored")))
    await expect(hanging).rejects.toThrow("bored")
    const used = post("/v1/payment-intents", JSON.stringify(order()))
    await used.text()
    const response = await door.fetch(used)
    expect(response.status).toBe(500)
    expect((await jsonOf(response))["message"]).toMatch(/before payport could/)
  })
})

test("what breaks while a request is served costs that request alone", async () => {
  class BrokenGate extends AddressGate {
    override addressOf(): string {
      throw new Error("a gate of the host's that is broken")
    }
  }
  const door = mounted({ gate: new BrokenGate() })
  await expect(door.fetch(get("/v1/services"))).rejects.toThrow("given up")
  const served = await listening.open((req, res) => door.node(req, res))
  await expect(fetch(`${served}/pay/v1/services`)).rejects.toThrow()
  expect((await mounted().fetch(get("/v1/services"))).status).toBe(200)
})

test.each<[string, object]>([
  ["prefix", { prefix: 5 }],
  ["adminKey", { adminKey: "secret" }],
  ["gate", { gate: {} }],
  ["intake", { intake: { most: 5 } }],
  ["beside", { beside: [null] }],
  ["drainWithin", { drainWithin: Number.NaN }],
  ["health", { health: "yes" }],
  ["admin_key", { admin_key: "a key of the operators" }],
])("the option %s that is wrong is refused by its name", (field, options) => {
  expect(() => mounted(options)).toThrow(
    expect.objectContaining({ code: "INVALID_REQUEST", field }),
  )
})

test("without the prefix there is nothing, also where nobody else answers", async () => {
  const door = mounted()
  const url = await listening.open((req, res) => door.node(req, res))
  for (const path of ["/v1/services", "/pay/%2e%2e/v1/services"]) {
    const request = new Request(`https://shop.test${path}`, { headers: bearer() })
    expect((await door.fetch(request)).status).toBe(404)
    expect((await fetch(`${url}${path}`, { headers: bearer() })).status).toBe(404)
  }
})

describe("a body that the app has read", () => {
  /** An app that reads every body, and keeps of it what `keep` returns. */
  const open = async (keep: (bytes: Buffer) => object) => {
    const { node } = mounted()
    return listening.open((req, res) => {
      const chunks: Array<Buffer> = []
      req.on("data", (chunk: Buffer) => chunks.push(chunk))
      req.on("end", () => node(Object.assign(req, keep(Buffer.concat(chunks))), res))
    })
  }
  const send = async (url: string, path: string, body: string) =>
    jsonOf(
      await fetch(`${url}/pay${path}`, {
        method: "POST",
        headers: {
          ...bearer(),
          "content-type": "application/json",
          "x-channel-signature": "forged",
        },
        body,
      }),
    )
  const intents = "/v1/payment-intents"
  const callbacks = "/v1/webhooks/channel/wallet_a"

  test.each([
    ["its bytes", (bytes: Buffer) => ({ rawBody: bytes, body: {} })],
    ["its text", (bytes: Buffer) => ({ body: bytes.toString() })],
  ])("is read from %s", async (_, keep) => {
    const url = await open(keep)
    expect(await send(url, intents, JSON.stringify(order()))).toMatchObject({
      status: "pending",
    })
    expect(await send(url, callbacks, "{}")).toMatchObject({ code: "webhook_signature_invalid" })
    expect(await send(url, intents, "{")).toMatchObject({ code: "INVALID_JSON" })
  })

  test("is read from what the parser made of it, unless it is signed", async () => {
    const url = await open((bytes) => ({ body: JSON.parse(bytes.toString()) as unknown }))
    expect(await send(url, intents, JSON.stringify(order()))).toMatchObject({
      status: "pending",
    })
    const signed = await send(url, callbacks, "{}")
    expect(signed).toMatchObject({
      code: "INTERNAL_ERROR",
      message: expect.stringMatching(/rawBody/),
    })
  })

  test.each([
    ["not kept", {}],
    ["made of what JSON does not have", { body: { value: 699n } }],
    ["made of what JSON says nothing of", { body: { toJSON: () => undefined } }],
  ])("and has %s is told of", async (_, kept) => {
    const url = await open(() => kept)
    const lost = await send(url, intents, JSON.stringify(order()))
    expect(lost).toMatchObject({
      code: "INTERNAL_ERROR",
      message: expect.stringMatching(/rawBody/),
    })
  })
})

test("once it is closed, what is begun is answered and what comes then is not begun", async () => {
  const door = mounted()
  const id = await anIntent(door)
  const events = await door.fetch(get(`/v1/payment-intents/${id}/events`))
  const begun = door.fetch(post("/v1/payment-intents", JSON.stringify(order())))
  await expect.poll(() => app.lines.length).toBeGreaterThan(0)
  const closed = door.close()
  const refused = await door.fetch(get("/v1/services"))
  expect(refused.status).toBe(503)
  expect(refused.headers.get("retry-after")).toBe("1")
  expect((await jsonOf(refused))["code"]).toBe("TEMPORARILY_UNAVAILABLE")
  expect([201, 503]).toContain((await begun).status)
  await closed
  expect(await events.text()).toContain("qr_generated")
  const own = await app.call("GET", "/v1/services")
  expect(own.status).toBe(200)
})

test("a caller that has left before the app passes its request on delays no close", async () => {
  const { close, node } = mounted()
  const passed = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const url = await listening.open((req, res) => {
    res.once("close", () => {
      node(req, res)
      passed.resolve()
    })
    left.resolve()
  })
  const leaving = new AbortController()
  const asked = fetch(`${url}/pay/v1/services`, { signal: leaving.signal })
  await left.promise
  leaving.abort()
  await expect(asked).rejects.toThrow()
  await passed.promise
  const began = performance.now()
  await close()
  expect(performance.now() - began).toBeLessThan(5_000)
})

test("a request that the app has answered itself already breaks nothing", async () => {
  const broken: Array<unknown> = []
  const note = (error: unknown) => void broken.push(error)
  process.on("unhandledRejection", note)
  try {
    const { close, node } = mounted()
    await close()
    const url = await listening.open((req, res) => {
      res.writeHead(503).end("the app's")
      node(req, res)
    })
    expect(await (await fetch(`${url}/pay/v1/services`)).text()).toBe("the app's")
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(broken).toEqual([])
  } finally {
    process.off("unhandledRejection", note)
  }
})
