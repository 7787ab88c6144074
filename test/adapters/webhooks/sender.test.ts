import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { gzipSync } from "node:zlib"
import type { RequestListener } from "node:http"
import { vi } from "vitest"
import { makeSender, type SenderOptions } from "../../../adapters/webhooks/sender.ts"
import type { WebhookOutcome } from "../../../core/ports/WebhookSender.ts"
import { selfSigned } from "../../support/certificates.ts"
import { freePort } from "../../support/freePort.ts"
import { httpReceiver, httpsReceiver, rawReceiver } from "./servers.ts"

const BODY = `{"type":"payment_intent.succeeded","data":{"note":"größer 🙂"}}`
const headers = { "Content-Type": "application/json", "X-Webhook-Id": "evt_1" }

/** Longer than a busy machine keeps an answer from coming. */
const PATIENT = 20_000

/** Sends one webhook and drops the duration, after checking that it did not wait for the limit. */
const post = Effect.fnUntraced(function* (url: string, options: Partial<SenderOptions> = {}) {
  const sender = yield* makeSender({ local: true, timeout: PATIENT, ...options })
  const { duration_ms, ...outcome } = yield* sender.send({ url, headers, body: BODY })
  expect(duration_ms).toBeLessThan(PATIENT)
  return outcome
})

const to = Effect.fnUntraced(function* (answer: RequestListener, options?: Partial<SenderOptions>) {
  const receiver = yield* httpReceiver(answer)
  return yield* post(`http://127.0.0.1:${receiver.port}/hooks?from=payport`, options)
})

const saying = (text: string | Uint8Array) =>
  Effect.flatMap(
    rawReceiver((socket) => void socket.end(text)),
    ({ port }) => post(`http://127.0.0.1:${port}/`),
  )

describe("a webhook", () => {
  it.live("arrives as a POST of exactly these bytes and headers", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const receiver = yield* httpReceiver(({ headers, method, url }, response) => {
        seen.push({ method, url, ...headers })
        response.end("thank you")
      })
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/hooks?from=payport#part`)
      expect(outcome).toEqual({ status: 200, response: "thank you" })
      expect(receiver.bodies).toEqual([BODY])
      expect(seen).toEqual([
        {
          method: "POST",
          url: "/hooks?from=payport",
          host: `127.0.0.1:${receiver.port}`,
          connection: "keep-alive",
          "content-type": "application/json",
          "content-length": String(Buffer.byteLength(BODY)),
          "x-webhook-id": "evt_1",
          "user-agent": "payport",
          "accept-encoding": "identity",
        },
      ])
    }),
  )

  it.live("reaches localhost by whichever address answers", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver((_, response) => response.writeHead(204).end())
      expect(yield* post(`http://localhost:${receiver.port}/`)).toEqual({ status: 204 })
    }),
  )

  for (const status of [200, 201, 202, 204, 300, 304, 400, 401, 404, 410, 429, 500, 503, 599]) {
    it.live(`can be answered with ${status}`, () =>
      Effect.gen(function* () {
        expect(yield* to((_, response) => response.writeHead(status).end())).toEqual({ status })
      }),
    )
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it.live(`follows no redirect ${status}`, () =>
      Effect.gen(function* () {
        const inside = yield* httpReceiver((_, response) => response.end())
        const Location = `http://127.0.0.1:${inside.port}/`
        const outcome = yield* to((_, response) => response.writeHead(status, { Location }).end())
        expect(outcome).toEqual({ status })
        expect(inside.sockets).toEqual([])
      }),
    )
  }

  it.live("goes through no proxy of the environment", () =>
    Effect.gen(function* () {
      const proxy = yield* httpReceiver((_, response) => response.end("proxied"))
      for (const name of ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
        vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`)
      }
      vi.stubEnv("NO_PROXY", "")
      vi.stubEnv("NODE_USE_ENV_PROXY", "1")
      expect(yield* to((_, response) => response.end("direct"))).toMatchObject({
        response: "direct",
      })
      expect(proxy.sockets).toEqual([])
    }),
  )
})

describe("an answer", () => {
  it.live("of 10 MB is read no further than needed, and its first KiB is kept", () =>
    Effect.gen(function* () {
      const block = Buffer.alloc(64 * 1_024, "a")
      let blocks = 160
      const receiver = yield* httpReceiver((_, response) => {
        const pour = () => {
          while (blocks > 0 && !response.destroyed) {
            blocks -= 1
            if (!response.write(block)) return
          }
          response.end()
        }
        response.on("drain", pour)
        pour()
      })
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      expect(outcome).toEqual({ status: 200, response: "a".repeat(1_024) })
      while (receiver.sockets[0]?.destroyed === false) yield* Effect.sleep("5 millis")
      expect(blocks).toBeGreaterThan(0)
    }),
  )

  it.live("of just 1 KiB is kept whole", () =>
    Effect.gen(function* () {
      const outcome = yield* to((_, response) => response.end("b".repeat(1_024)))
      expect(outcome).toEqual({ status: 200, response: "b".repeat(1_024) })
    }),
  )

  it.live("cut within a character is kept up to it", () =>
    Effect.gen(function* () {
      const outcome = yield* to((_, response) => response.end("a" + "ü".repeat(1_024)))
      expect(outcome).toEqual({ status: 200, response: "a" + "ü".repeat(511) })
    }),
  )

  it.live("that is no text is kept as text that can be stored", () =>
    Effect.gen(function* () {
      const outcome = yield* to((_, response) =>
        response.end(Buffer.from([0x61, 0x00, 0xff, 0xed, 0xa0, 0x80, 0x62])),
      )
      expect(outcome.response).toMatch(/^a\ufffd+b$/)
    }),
  )

  it.live("that is compressed is not unpacked", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(5_000_000))
      const outcome = yield* to((_, response) =>
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb),
      )
      expect(outcome).toEqual({ status: 200 })
    }),
  )

  it.live("counts by its status, though its body breaks off", () =>
    Effect.gen(function* () {
      const cut = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nthank"
      expect(yield* saying(cut)).toEqual({ status: 200, response: "thank" })
    }),
  )

  it.live("is the first that comes, though another says otherwise", () =>
    Effect.gen(function* () {
      const taken = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthank"
      const failed = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
      expect(yield* saying(taken + failed)).toEqual({ status: 200, response: "thank" })
      const early = "HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n"
      expect(yield* saying(early + failed)).toEqual({ status: 503 })
    }),
  )

  it.live("counts by its status, though its body drips until the time is over", () =>
    Effect.gen(function* () {
      const receiver = yield* rawReceiver((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10000\r\n\r\n")
        const drip = setInterval(() => socket.write("a"), 20)
        socket.once("close", () => clearInterval(drip))
      })
      // Long enough for the beginning of the response to arrive on a busy machine.
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`, { timeout: 2_000 })
      expect(outcome).toEqual({ status: 200, response: expect.stringMatching(/^a+$/) })
      while (receiver.sockets[0]?.destroyed === false) yield* Effect.sleep("5 millis")
    }),
  )
})

describe("no answer", () => {
  const failing = (error: string) => ({ status: null, error })

  it.live("within five seconds is a timeout", () =>
    Effect.gen(function* () {
      const timers = vi.spyOn(globalThis, "setTimeout")
      const receiver = yield* httpReceiver(() => {})
      const sender = yield* makeSender({ local: true })
      const url = `http://127.0.0.1:${receiver.port}/`
      const { duration_ms, ...outcome } = yield* sender.send({ url, headers, body: BODY })
      expect(outcome).toEqual(failing("timeout"))
      expect(duration_ms).toBeGreaterThanOrEqual(4_950)
      // A busy machine notices the limit late, so the timer that was set is checked.
      expect(Math.max(...timers.mock.calls.map(([, after = 0]) => after))).toBe(5_000)
    }),
  )

  it.live("but a slow drip of headers is a timeout", () =>
    Effect.gen(function* () {
      const receiver = yield* rawReceiver((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nX-Slow: ")
        const drip = setInterval(() => socket.write("a"), 20)
        socket.once("close", () => clearInterval(drip))
      })
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`, { timeout: 300 })
      expect(outcome).toEqual(failing("timeout"))
      while (receiver.sockets[0]?.destroyed === false) yield* Effect.sleep("5 millis")
    }),
  )

  it.live("from a name server is a timeout", () =>
    Effect.gen(function* () {
      const outcome = yield* post("https://example.com/", {
        timeout: 300,
        resolveName: () => new Promise(() => {}),
      })
      expect(outcome).toEqual(failing("timeout"))
    }),
  )

  it.live("during TLS is a timeout", () =>
    Effect.gen(function* () {
      const receiver = yield* rawReceiver(() => {})
      const outcome = yield* post(`https://localhost:${receiver.port}/`, { timeout: 300 })
      expect(outcome).toEqual(failing("timeout"))
    }),
  )

  it.live("but a reset connection", () =>
    Effect.gen(function* () {
      const receiver = yield* rawReceiver((socket) => socket.resetAndDestroy())
      const outcome = yield* post(`http://127.0.0.1:${receiver.port}/`)
      expect(outcome).toEqual(failing("connection_reset"))
    }),
  )

  it.live("but a closed connection", () =>
    Effect.gen(function* () {
      expect(yield* saying("")).toEqual(failing("connection_reset"))
    }),
  )

  it.live("where nobody listens", () =>
    Effect.gen(function* () {
      const port = yield* Effect.promise(freePort)
      for (const host of ["127.0.0.1", "localhost"]) {
        const outcome = yield* post(`http://${host}:${port}/`)
        expect(outcome).toEqual(failing("connection_refused"))
      }
    }),
  )

  it.live("that is HTTP", () =>
    Effect.gen(function* () {
      expect(yield* saying("SSH-2.0-OpenSSH_9.9\r\n")).toEqual(failing("invalid_response"))
    }),
  )

  it.live("whose headers have an end", () =>
    Effect.gen(function* () {
      const head = `HTTP/1.1 200 OK\r\nX-Long: ${"a".repeat(64 * 1_024)}\r\n\r\n`
      expect(yield* saying(head)).toEqual(failing("too_large"))
    }),
  )

  it.live("from a name that does not exist, or that no name server knows of", () =>
    Effect.gen(function* () {
      const codes = ["ENOTFOUND", "ENODATA", "ESERVFAIL", "ETIMEOUT", "ECONNREFUSED"]
      const errors: Array<string | undefined> = []
      for (const code of codes) {
        const resolveName = () => Promise.reject(Object.assign(new Error(code), { code }))
        errors.push((yield* post("https://nowhere.example/", { resolveName })).error)
      }
      expect(errors).toEqual(["dns", "dns", "dns", "dns", "dns"])
    }),
  )
})

describe("a forbidden receiver", () => {
  const forbidden = { status: null, error: "address_forbidden" }

  it.live("is one whose name leads to this machine, at sending if not at registration", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver((_, response) => response.end())
      const url = `https://rebound.example:${receiver.port}/`
      for (const addresses of [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["::1"], ["10.0.0.1"]]) {
        expect(yield* post(url, { resolveName: async () => addresses })).toEqual(forbidden)
      }
      expect(receiver.sockets).toEqual([])
    }),
  )

  it.live("is this machine, where local receivers are not allowed", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver((_, response) => response.end())
      for (const origin of ["http://127.0.0.1", "https://127.0.0.1", "http://localhost"]) {
        const outcome = yield* post(`${origin}:${receiver.port}/`, { local: false })
        expect(outcome).toEqual(forbidden)
      }
      expect(receiver.sockets).toEqual([])
    }),
  )

  it.live("is whatever is no receiver at all", () =>
    Effect.gen(function* () {
      const urls = ["http://169.254.169.254/", "https://[::ffff:127.0.0.1]/", "file:///x", "x"]
      for (const url of urls) expect(yield* post(url)).toEqual(forbidden)
    }),
  )
})

describe("a certificate", () => {
  const served = Effect.fnUntraced(function* (name: string, at?: Date) {
    const identity = selfSigned(name, at)
    const receiver = yield* httpsReceiver(identity, (_, response) => response.end("over TLS"))
    return { receiver, ca: identity.cert, url: `https://localhost:${receiver.port}/` }
  })

  it.live("that is trusted lets the webhook through", () =>
    Effect.gen(function* () {
      const { ca, receiver, url } = yield* served("localhost")
      expect(yield* post(url, { ca })).toEqual({ status: 200, response: "over TLS" })
      expect(receiver.bodies).toEqual([BODY])
    }),
  )

  it.live("of an unknown authority, another name or another time does not", () =>
    Effect.gen(function* () {
      const unknown = yield* served("localhost")
      const other = yield* served("other.example")
      const old = yield* served("localhost", new Date(Date.now() - 86_400_000))
      const failing = { status: null, error: "tls" }
      expect(yield* post(unknown.url)).toEqual(failing)
      expect(yield* post(other.url, { ca: other.ca })).toEqual(failing)
      expect(yield* post(old.url, { ca: old.ca })).toEqual(failing)
      expect([unknown, other, old].flatMap(({ receiver }) => receiver.bodies)).toEqual([])
    }),
  )

  it.live("is asked for over https, whatever answers", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver((_, response) => response.end())
      const outcome = yield* post(`https://localhost:${receiver.port}/`)
      expect(outcome).toEqual({ status: null, error: "tls" })
      expect(receiver.bodies).toEqual([])
    }),
  )
})

describe("connections", () => {
  const sendTimes = Effect.fnUntraced(function* (
    port: number,
    times: number,
    concurrency: number,
    connections: number,
  ) {
    const sender = yield* makeSender({ local: true, connections })
    const url = `http://127.0.0.1:${port}/`
    const one = sender.send({ url, headers, body: BODY })
    return yield* Effect.all(
      Array.from({ length: times }, () => one),
      { concurrency },
    )
  })

  const ok = (outcomes: ReadonlyArray<WebhookOutcome>) =>
    outcomes.every(({ status }) => status === 200)

  it.live("are used again", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver((_, response) => response.end("ok"))
      expect(ok(yield* sendTimes(receiver.port, 20, 1, 8))).toBe(true)
      expect(receiver.sockets.length).toBeLessThanOrEqual(2)
    }),
  )

  it.live("to one receiver are no more than allowed", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver((_, response) => {
        setTimeout(() => response.end("ok"), 10)
      })
      expect(ok(yield* sendTimes(receiver.port, 20, 20, 3))).toBe(true)
      expect(receiver.sockets).toHaveLength(3)
    }),
  )

  /** Ten deliveries to a receiver that never answers. Two of them have a connection. */
  const hangingAt = (timeout: number) =>
    Effect.gen(function* () {
      const slow = yield* httpReceiver(() => {})
      const sender = yield* makeSender({ local: true, timeout, connections: 2 })
      const send = (port: number) =>
        sender.send({ url: `http://127.0.0.1:${port}/`, headers, body: BODY })
      const ten = Array.from({ length: 10 }, () => send(slow.port))
      return { slow, send, all: Effect.all(ten, { concurrency: 10 }) }
    })

  it.live("that hang delay no other receiver", () =>
    Effect.gen(function* () {
      const fast = yield* httpReceiver((_, response) => response.end("ok"))
      const { all, send, slow } = yield* hangingAt(PATIENT)
      const hanging = yield* Effect.forkChild(all)
      while (slow.bodies.length < 2) yield* Effect.sleep("5 millis")
      expect((yield* send(fast.port)).status).toBe(200)
      expect(hanging.pollUnsafe()).toBeUndefined()
      yield* Fiber.interrupt(hanging)
    }),
  )

  it.live("that hang hold those up who wait for one no longer than their own time", () =>
    Effect.gen(function* () {
      const { all } = yield* hangingAt(2_000)
      const outcomes = yield* all
      expect(outcomes.map(({ error }) => error)).toEqual(Array(10).fill("timeout"))
      // One after another the last would be over four times that time after the first.
      const took = outcomes.map(({ duration_ms }) => duration_ms)
      expect(Math.max(...took) - Math.min(...took)).toBeLessThan(2_000)
    }),
  )

  it.live("close with whoever gives up waiting", () =>
    Effect.gen(function* () {
      const receiver = yield* httpReceiver(() => {})
      const sender = yield* makeSender({ local: true })
      const url = `http://127.0.0.1:${receiver.port}/`
      const fiber = yield* Effect.forkChild(sender.send({ url, headers, body: BODY }))
      while (receiver.bodies.length === 0) yield* Effect.sleep("5 millis")
      yield* Fiber.interrupt(fiber)
      while (receiver.sockets[0]?.destroyed === false) yield* Effect.sleep("5 millis")
      expect(receiver.sockets).toHaveLength(1)
    }),
  )
})
