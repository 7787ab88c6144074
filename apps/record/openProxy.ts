import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream/promises"
import { Agent, type Dispatcher } from "undici"
import { nameOf } from "../connectionFailure.ts"
import { callerOf, contentOf, type Exchange } from "./Exchange.ts"
import { Kept } from "./Kept.ts"

/** A proxy that listens. */
export interface Proxy {
  readonly url: string
  /** Closes the proxy once running requests have ended, after at most two seconds. */
  readonly close: () => Promise<void>
}

/** How long running requests may take at the end, in milliseconds. */
const DRAIN_WITHIN = 2_000

/** Headers of one connection (RFC 9110, 7.6.1), and the host. */
const OWN = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

type Pair = readonly [name: string, value: string]

/** Returns the headers without those that end at this proxy. */
const passedOn = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Pair> => {
  const named = pairs
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(","))
    .map((each) => each.trim())
  const ended = new Set([...OWN, ...named])
  return pairs.filter(([name]) => !ended.has(name.toLowerCase()))
}

const askedPairs = ({ rawHeaders }: IncomingMessage): ReadonlyArray<Pair> =>
  rawHeaders.flatMap((name, n) => (n % 2 === 0 ? [[name, rawHeaders[n + 1] ?? ""]] : []))

const answeredPairs = (headers: Dispatcher.ResponseData["headers"]): ReadonlyArray<Pair> =>
  Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one) => [name, one] as const),
  )

const textOf = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** Forwards a request and its response, and returns what is known of both. */
const forward = async (
  request: IncomingMessage,
  response: ServerResponse,
  target: URL,
  dispatcher: Agent,
): Promise<Omit<Exchange, "at">> => {
  const gone = new AbortController()
  response.once("close", () => gone.abort())
  const [asked, answered] = [new Kept(), new Kept()]
  const path = request.url ?? "/"
  const method = request.method ?? "GET"
  const answer = await dispatcher.request({
    origin: target.origin,
    path: target.pathname.replace(/\/$/, "") + path,
    method,
    headers: passedOn(askedPairs(request)).flat(),
    body: hasBody(request) ? request.pipe(asked) : null,
    headersTimeout: 0,
    bodyTimeout: 0,
    signal: gone.signal,
  })
  response.writeHead(answer.statusCode, passedOn(answeredPairs(answer.headers)).flat())
  response.flushHeaders()
  await pipeline(answer.body, answered, response)
  const { headers } = answer
  return {
    method,
    path: path.replace(/\?.*$/, ""),
    ...callerOf(request.headers.authorization),
    keyed: request.headers["idempotency-key"] !== undefined,
    status: answer.statusCode,
    replayed: headers["idempotent-replayed"] === "true",
    asked: contentOf(asked.text(request.headers["content-encoding"]), ""),
    answered: contentOf(
      answered.text(textOf(headers["content-encoding"])),
      textOf(headers["content-type"]) ?? "",
    ),
  }
}

const unreachable = (response: ServerResponse, error: unknown): void => {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const message = `payport record cannot reach the service: ${nameOf(error)}.`
  response.writeHead(502, { "Content-Type": "application/json" })
  response.end(JSON.stringify({ error: "bad_gateway", code: "CANNOT_FORWARD", message }))
}

/**
 * Listens on loopback, forwards every request to the target, and streams its response back. `hear`
 * receives each exchange that has ended, `fail` each request that could not be forwarded.
 */
export const openProxy = async (
  target: string,
  port: number,
  hear: (exchange: Exchange) => void,
  fail: (reason: string) => void,
): Promise<Proxy> => {
  const dispatcher = new Agent()
  const base = new URL(target)
  const begun = performance.now()
  const underWay = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const at = Math.round(performance.now() - begun)
    const passing = forward(request, response, base, dispatcher)
      .then((exchange) => hear({ ...exchange, at }))
      .catch((error: unknown) => {
        fail(nameOf(error))
        unreachable(response, error)
      })
      .finally(() => underWay.delete(passing))
    underWay.add(passing)
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      const late = new Promise((resolve) => setTimeout(resolve, DRAIN_WITHIN).unref())
      await Promise.race([Promise.all(underWay), late])
      server.closeAllConnections()
      await dispatcher.destroy()
    },
  }
}
