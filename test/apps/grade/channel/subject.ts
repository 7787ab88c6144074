import { createHmac, randomUUID } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from "node:http"
import { startGateway } from "../../../../apps/channel-gateway/gateway.ts"
import { signatureOf } from "../../../../apps/channel-gateway/Protocol.ts"
import { onTestFinished } from "vitest"
import { type Meddle, startProxy } from "../../simulate/flawedProxy.ts"
import { serve } from "../serve.ts"

/** The shared secrets of gateway and grader. */
export const AGREED = { key_id: "payport-1", secret: "a-secret", callback_secret: "another" }
/** The channel of the tests. */
export const CHANNEL = "wallet_a"

type Fields = { readonly [field: string]: unknown }

/** A request behind the signature. */
export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly fields: Fields
}

/** A response before it is signed. */
export interface Told {
  readonly status: number
  readonly fields: Fields
}

/** The parts between a gateway and its callers. Each can be replaced by a wrong one. */
export const RIGHT = {
  /** Whether a request's signature is accepted. */
  believes: (request: IncomingMessage, body: string): boolean =>
    signatureOf(request, body, AGREED) !== undefined,
  refusal: 401,
  /** Does something with a request that it refuses. */
  refused: async (_: Asked, _go: (asked: Asked) => Promise<Told>): Promise<void> => undefined,
  /** Handles a request. */
  serve: (asked: Asked, go: (asked: Asked) => Promise<Told>): Promise<Told> => go(asked),
  /** The secret of responses, and whether they sign the request. */
  secret: AGREED.secret,
  binds: true,
  signs: (_: number): boolean => true,
  /** Handles callbacks. */
  calls: ((passing, pass) => pass(passing)) as Meddle,
}

/** The parts of a gateway. */
export type Parts = typeof RIGHT

/** In hexadecimal digits. */
export const hmac = (secret: string, text: string) =>
  createHmac("sha256", secret).update(text).digest("hex")

const parse = (text: string): Fields => {
  try {
    return JSON.parse(text) as Fields
  } catch {
    return {}
  }
}

const headersOf = ({ body, method, path }: Asked) => {
  const timestamp = new Date().toISOString()
  return {
    "Content-Type": "application/json",
    "X-Channel-Key": AGREED.key_id,
    "X-Channel-Timestamp": timestamp,
    "X-Channel-Signature": hmac(AGREED.secret, `${timestamp}\n${method}\n${path}\n${body}`),
  }
}

const answerHeaders = (parts: Parts, told: Told, text: string, asked: IncomingHttpHeaders) => {
  const timestamp = new Date().toISOString()
  const of = parts.binds ? String(asked["x-channel-signature"]) : ""
  const signed = `${timestamp}\n${told.status}\n${of}\n${text}`
  return parts.signs(told.status)
    ? { "X-Channel-Timestamp": timestamp, "X-Channel-Signature": hmac(parts.secret, signed) }
    : {}
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/**
 * Serves our own gateway with the altered parts until the test ends, and returns its URL. Callbacks
 * go to that loopback port, or nowhere.
 */
export const serveGateway = async (altered: Partial<Parts>, port?: number): Promise<string> => {
  const parts = { ...RIGHT, ...altered }
  const callbacks = await startProxy(() => `http://127.0.0.1:${port}`, parts.calls)
  onTestFinished(callbacks.close)
  const gateway = await startGateway({
    channels: { [CHANNEL]: AGREED },
    service: () => callbacks.url,
  })
  gateway.faults(CHANNEL).silent = port === undefined
  onTestFinished(() => gateway.close())
  const go = async (asked: Asked): Promise<Told> => {
    const { body, method, path } = asked
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: headersOf(asked),
      ...(method === "POST" && { body }),
    })
    return { status: answer.status, fields: parse(await answer.text()) }
  }
  return serve(
    createServer((request, response) => {
      const answer = async () => {
        const [body, path] = [await bodyOf(request), request.url ?? "/"]
        if (path.startsWith("/wallet/")) {
          const acted = await fetch(`${gateway.url}${path}`, { method: "POST" })
          return response.writeHead(acted.status).end()
        }
        const asked = { method: request.method ?? "GET", path, body, fields: parse(body) }
        if (!parts.believes(request, body)) {
          await parts.refused(asked, go)
          return response.writeHead(parts.refusal).end()
        }
        const told = await parts.serve(asked, go)
        const text = JSON.stringify(told.fields)
        const headers = answerHeaders(parts, told, text, request.headers)
        return response.writeHead(told.status, headers).end(text)
      }
      void answer().catch(() => response.writeHead(500).end())
    }),
  )
}

/** The request with other fields in its body. */
export const changed = (asked: Asked, fields: Fields): Asked => {
  const merged = { ...asked.fields, ...fields }
  return { ...asked, fields: merged, body: JSON.stringify(merged) }
}

/** Returns an unused request number. */
export const anotherNumber = () => `creq_${randomUUID()}`
