// A second writing of the protocol's signatures beside adapters/channels/http, on purpose: the
// tests then prove the protocol and not only the adapter.

import { createHmac, timingSafeEqual } from "node:crypto"
import type { IncomingMessage } from "node:http"
import { readBytes } from "../../adapters/shared/readBytes.ts"

/** Requests further in the past or in the future than this are refused, in milliseconds. */
const FRESH = 300_000

const MAX_BODY = 64 * 1_024

/** The keys on which a channel and payport have agreed. */
export interface Agreement {
  readonly key_id: string
  readonly secret: string
  readonly callback_secret: string
}

const hmac = (secret: string, text: string): string =>
  createHmac("sha256", secret).update(text).digest("hex")

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const header = (request: IncomingMessage, name: string): string => {
  const value = request.headers[name]
  return typeof value === "string" ? value : ""
}

/** A request's body as text; undefined when it is too long or breaks off. */
export const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const bytes = await readBytes(request, MAX_BODY).catch(() => undefined)
  return bytes?.toString("utf8")
}

/** The signature of a genuine and fresh request; undefined for any other. */
export const signatureOf = (
  request: IncomingMessage,
  body: string,
  { key_id, secret }: Agreement,
): string | undefined => {
  const timestamp = header(request, "x-channel-timestamp")
  const signature = header(request, "x-channel-signature")
  const text = `${timestamp}\n${request.method}\n${request.url}\n${body}`
  const fresh = Math.abs(Date.now() - Date.parse(timestamp)) <= FRESH
  const known = isEqual(header(request, "x-channel-key"), key_id)
  return fresh && known && isEqual(hmac(secret, text), signature) ? signature : undefined
}

/** The headers that sign an answer to a request. */
export const answerHeaders = (
  status: number,
  body: string,
  requestSignature: string,
  { secret }: Agreement,
): { readonly [name: string]: string } => {
  const timestamp = new Date().toISOString()
  const text = `${timestamp}\n${status}\n${requestSignature}\n${body}`
  return {
    "Content-Type": "application/json",
    "X-Channel-Timestamp": timestamp,
    "X-Channel-Signature": hmac(secret, text),
  }
}
