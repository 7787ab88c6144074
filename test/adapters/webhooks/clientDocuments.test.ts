import { describe, expect, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import type { RequestListener } from "node:http"
import { keptFor, makeClientDocuments } from "../../../adapters/webhooks/clientDocuments.ts"
import { selfSigned } from "../../support/certificates.ts"
import { httpsReceiver } from "./servers.ts"

const SERVER = selfSigned("localhost")
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" }

const document = (client_id: string, said: object = {}) =>
  JSON.stringify({
    client_id,
    client_name: "Reading assistant",
    redirect_uris: ["https://app.example/callback"],
    ...said,
  })

/** A program's server, which is asked for documents, and how often it was. */
const open = Effect.fnUntraced(function* (
  answer: (address: string) => RequestListener,
  options: Partial<Parameters<typeof makeClientDocuments>[0]> = {},
) {
  let asked = 0
  let address = ""
  const server = yield* httpsReceiver(SERVER, (request, response) => {
    asked += 1
    answer(address)(request, response)
  })
  address = `https://localhost:${server.port}/client.json`
  const own = { local: true, ca: SERVER.cert, timeout: 20_000 }
  const documents = yield* makeClientDocuments({ ...own, ...options })
  return { address, port: server.port, read: documents.read, asked: () => asked }
})

const serving =
  (headers: Record<string, string> = {}, status = 200) =>
  (address: string): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { ...JSON_TYPE, ...headers }).end(document(address))

describe("a program's document", () => {
  it.live("is read once while its server says that it may be kept", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const answer =
        (at: string): RequestListener =>
        (request, response) => {
          const { headers, method } = request
          seen.push(method, headers.accept, headers.authorization, headers.cookie)
          serving({ "cache-control": "max-age=600" })(at)(request, response)
        }
      const { address, asked, port, read } = yield* open(answer)
      const redirect_uris = ["https://app.example/callback"]
      const client = { name: "Reading assistant", redirect_uris, host: `localhost:${port}` }
      expect(yield* read(address)).toEqual(Result.succeed(client))
      expect(yield* read(address)).toEqual(Result.succeed(client))
      expect(seen).toEqual(["GET", "application/json", undefined, undefined])
      expect(asked()).toBe(1)
    }),
  )

  it.live("is read again where its server says no-store, and where it was not good", () =>
    Effect.gen(function* () {
      for (const headers of [{ "cache-control": "no-store" }, { "content-type": "text/html" }]) {
        const { address, asked, read } = yield* open(serving(headers))
        yield* read(address)
        yield* read(address)
        expect(asked()).toBe(2)
      }
    }),
  )

  const answers: ReadonlyArray<readonly [string, (address: string) => RequestListener]> = [
    ["with status 404", serving({}, 404)],
    ["with status 201", serving({}, 201)],
    ["with status 302", serving({ location: "/elsewhere" }, 302)],
    ["without plain JSON", serving({ "content-type": "text/plain" })],
    ["without plain JSON", serving({ "content-encoding": "gzip" })],
    [
      "has more than 5120 bytes",
      (at) => (_, response) =>
        void response.writeHead(200, JSON_TYPE).end(document(at, { more: "x".repeat(5_120) })),
    ],
    ["is not a JSON", () => (_, response) => void response.writeHead(200, JSON_TYPE).end("{")],
    ["its own URL", () => serving()("https://other.example/client.json")],
    ["(timeout)", () => () => undefined],
    ["(timeout)", () => (_, response) => void response.writeHead(200, JSON_TYPE).write("{")],
    [
      "(connection_reset)",
      () =>
        ({ socket }) =>
          void socket.destroy(),
    ],
  ]
  for (const [reason, answer] of answers) {
    it.live(`is refused: ${reason}, and nothing is followed`, () =>
      Effect.gen(function* () {
        // Even where nothing comes, the request does first.
        const waits = reason === "(timeout)" ? { timeout: 2_000 } : {}
        const { address, asked, read } = yield* open(answer, waits)
        const found = yield* read(address)
        expect(found).toEqual(Result.fail(expect.stringContaining(reason)))
        expect(asked()).toBe(1)
      }),
    )
  }

  it.live("is asked for at public addresses alone, by its server's certificate", () =>
    Effect.gen(function* () {
      const resolveName = () => Promise.resolve(["127.0.0.1"])
      const inside = yield* open(serving(), { local: false, resolveName })
      const forbidden = Result.fail(expect.stringMatching(/public internet|address_forbidden/))
      for (const host of ["app.example", "localhost", "127.0.0.1", "169.254.169.254", "10.0.0.1"]) {
        expect(yield* inside.read(`https://${host}:${inside.port}/client.json`)).toEqual(forbidden)
      }
      expect(inside.asked()).toBe(0)
      const own = yield* open(serving(), { ca: selfSigned("localhost").cert })
      expect(yield* own.read(own.address)).toEqual(Result.fail(expect.stringContaining("(tls)")))
    }),
  )

  it("is kept for as long as its server says, and a day at most", () => {
    const kept = (control: string | undefined, age?: string) =>
      keptFor({ "cache-control": control, age })
    expect(kept(undefined)).toBe(300_000)
    expect(kept("public, max-age=60")).toBe(60_000)
    expect(kept("max-age=60", "20")).toBe(40_000)
    expect(kept("max-age=60", "90")).toBe(0)
    expect(kept("s-maxage=9, max-age=99999999")).toBe(86_400_000)
    expect(kept("no-cache, max-age=60")).toBe(0)
    expect(kept("private, NO-STORE")).toBe(0)
  })
})
