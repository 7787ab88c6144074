import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RequestListener } from "node:http"
import { makeProbe } from "../../../adapters/webhooks/resourceProbe.ts"
import type { Method } from "../../../core/listings/Listing.ts"
import { httpReceiver } from "./servers.ts"

type Options = Partial<Parameters<typeof makeProbe>[0]>

const askAt = Effect.fnUntraced(function* (url: string, options: Options = {}, method?: Method) {
  const probe = yield* makeProbe({ local: true, timeout: 20_000, ...options })
  return yield* probe.ask({ url, method: method ?? "GET" })
})

const ask = Effect.fnUntraced(function* (answer: RequestListener, method?: Method) {
  const receiver = yield* httpReceiver(answer)
  return yield* askAt(`http://127.0.0.1:${receiver.port}/reports/7`, {}, method)
})

const accept = {
  scheme: "exact",
  network: "payport:sandbox",
  amount: "25",
  asset: "USD",
  payTo: "service",
  maxTimeoutSeconds: 300,
}
const input = { type: "http", method: "GET" }

const header = (said: object) =>
  Buffer.from(JSON.stringify({ x402Version: 2, accepts: [accept], ...said })).toString("base64")

/** Answers 402 with requirements. */
const demanding =
  (said: object): RequestListener =>
  (_, response) =>
    void response.writeHead(402, { "PAYMENT-REQUIRED": header(said) }).end("{}")

const silent = (reason: string) => ({ type: "silent", reason })

describe("a probe", () => {
  it.live("asks without a payment and a body, and reads the head of the answer", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const bazaar = { info: { input }, schema: { type: "object" }, routeTemplate: "/reports/:id" }
      const answer = yield* ask(({ headers, method }, response) => {
        seen.push(method, headers["user-agent"], headers["content-length"], headers.authorization)
        const resource = { url: "ignored", description: "A\nreport\u202e", mimeType: "text/plain" }
        const required = header({ resource, extensions: { bazaar } })
        response.writeHead(402, { "payment-required": required })
        // The probe does not wait for the body.
        response.write("x".repeat(1_000))
      })
      expect(seen).toEqual(["GET", "payport-probe", undefined, undefined])
      expect(answer).toEqual({
        type: "payment_required",
        offers: [
          {
            scheme: "exact",
            network: "payport:sandbox",
            pay_to: "service",
            amount: { currency: "USD", value: 25 },
            max_timeout_seconds: 300,
          },
        ],
        template: "/reports/:id",
        said: { description: "A report", mime_type: "text/plain", declared: bazaar },
      })
    }),
  )

  for (const method of ["HEAD", "POST"] as const) {
    it.live(`asks by ${method}`, () =>
      Effect.gen(function* () {
        const seen: Array<unknown> = []
        const answer = yield* ask((request, response) => {
          seen.push(request.method)
          demanding({})(request, response)
        }, method)
        expect([seen, answer.type]).toEqual([[method], "payment_required"])
      }),
    )
  }

  for (const status of [200, 301, 302, 401, 404, 500]) {
    it.live(`takes ${status} for no demand, and follows nothing`, () =>
      Effect.gen(function* () {
        let asked = 0
        const answer = yield* ask((_, response) => {
          asked += 1
          response.writeHead(status, { location: "/", "payment-required": header({}) }).end()
        })
        expect([asked, answer]).toEqual([1, silent(`status_${status}`)])
      }),
    )
  }

  for (const [name, required] of Object.entries({
    "no requirements": undefined,
    "no base64": "{}",
    "no JSON": Buffer.from("paid").toString("base64"),
    null: Buffer.from("null").toString("base64"),
    "version 1": header({ x402Version: 1 }),
    "no list": header({ accepts: {} }),
  })) {
    it.live(`takes a 402 with ${name} for none`, () =>
      Effect.gen(function* () {
        const headers = required === undefined ? {} : { "payment-required": required }
        const answer = yield* ask((_, response) => void response.writeHead(402, headers).end())
        expect(answer).toEqual(silent("no_requirements"))
      }),
    )
  }

  it.live("leaves out offers that are none, and what is too long or hides something", () =>
    Effect.gen(function* () {
      const wrong = [{ amount: "0" }, { amount: "0.25" }, { amount: 25 }, { asset: "0xA0b8" }]
      const odd = [{ payTo: 7 }, { maxTimeoutSeconds: -1 }, { scheme: "a b" }]
      const accepts = [...wrong, ...odd].map((said) => ({ ...accept, ...said }))
      const declared = function* (more: object) {
        const bazaar = { info: { input, ...more } }
        const answer = yield* ask(demanding({ accepts, extensions: { bazaar } }))
        if (answer.type !== "payment_required") throw new Error(answer.reason)
        expect(answer.offers).toEqual([])
        return answer.said.declared
      }
      expect(yield* declared({ output: { example: "ok\n" } })).toMatchObject({ info: { input } })
      expect(yield* declared({ output: { example: "a\u202eb" } })).toBeNull()
      expect(yield* declared({ "na\u200bme": 1 })).toBeNull()
      expect(yield* declared({ output: { example: "x".repeat(8_192) } })).toBeNull()
      expect(yield* declared({ input: { type: "mcp", toolName: "t" } })).toBeNull()
    }),
  )

  it.live("ends in time where nothing comes, and with what keeps it from asking", () =>
    Effect.gen(function* () {
      const slow = yield* httpReceiver(() => undefined)
      const url = `http://127.0.0.1:${slow.port}/`
      expect(yield* askAt(url, { timeout: 100 })).toEqual(silent("timeout"))
      const long: RequestListener = (_, response) =>
        void response.writeHead(402, { "x-long": "x".repeat(40_000) }).end()
      expect(yield* ask(long)).toEqual(silent("too_large"))
      expect(yield* askAt("http://127.0.0.1:9/")).toEqual(silent("connection_refused"))
    }),
  )

  it.live("goes only where webhooks may go", () =>
    Effect.gen(function* () {
      let asked = 0
      const inside = yield* httpReceiver((_, response) => {
        asked += 1
        response.end()
      })
      const own = { local: false, resolveName: () => Promise.resolve(["127.0.0.1"]) }
      for (const url of [
        `http://127.0.0.1:${inside.port}/`,
        `https://127.0.0.1:${inside.port}/`,
        `https://localhost:${inside.port}/`,
        `https://shop.example:${inside.port}/`,
        "https://169.254.169.254/latest/meta-data",
      ]) {
        expect(yield* askAt(url, own)).toEqual(silent("address_forbidden"))
      }
      expect(asked).toBe(0)
    }),
  )
})
