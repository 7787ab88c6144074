import { Buffer } from "node:buffer"
import { Readable } from "node:stream"
import { Failure } from "../../../core/shared/Failure.ts"
import type { Incoming } from "../../shared/Exchange.ts"
import type { BodyUse } from "../koa/Route.ts"

/** What a body parser leaves on a request: the bytes, or the parsed value. */
export interface Parsed {
  readonly rawBody?: unknown
  readonly body?: unknown
}

/** The failure of a request whose body another program has already read. */
export const takenBody = (): Failure<"INTERNAL_ERROR"> =>
  new Failure({
    code: "INTERNAL_ERROR",
    message:
      "The app has read this body before payport could. Put payport before the body parser, or" +
      " have the parser keep the bytes as `rawBody`.",
  })

/** A request whose body was already read, with the body again. */
class ReadAgain extends Readable implements Incoming {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Incoming["headers"]
  readonly socket: Incoming["socket"]
  readonly complete = true

  constructor({ headers, method, socket, url }: Incoming, bytes: Uint8Array) {
    super({ read: () => undefined })
    const { "transfer-encoding": _chunks, ...others } = headers
    this.method = method
    this.url = url
    this.headers = { ...others, "content-length": String(bytes.length) }
    this.socket = socket
    this.push(bytes)
    this.push(null)
  }
}

const bytesOf = (kept: unknown): Uint8Array | undefined => {
  if (typeof kept === "string") return Buffer.from(kept)
  return kept instanceof Uint8Array ? kept : undefined
}

/** Returns parsed JSON as text again; undefined if the value is not JSON. */
const jsonText = (body: object): string | undefined => {
  try {
    return JSON.stringify(body)
  } catch {
    return undefined
  }
}

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Returns a parsed form as text again; undefined if a field is neither a text nor texts. */
const formText = (body: object): string | undefined => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body) as ReadonlyArray<[string, unknown]>) {
    for (const text of Array.isArray(value) ? (value as ReadonlyArray<unknown>) : [value]) {
      if (typeof text !== "string") return undefined
      form.append(name, text)
    }
  }
  return form.toString()
}

/**
 * Returns the request with a readable body. If a body parser has read the body, its bytes are taken
 * from `rawBody` or `body`. Parsed JSON and forms are serialized again, except for routes that need
 * the signed bytes.
 *
 * Fails with `INTERNAL_ERROR`, which says what the app must change.
 */
export const readable = (
  req: Incoming,
  { body, rawBody }: Parsed,
  use: BodyUse,
): Incoming | Failure<"INTERNAL_ERROR"> => {
  if (!req.readableDidRead || use === "unread") return req
  const bytes = bytesOf(rawBody) ?? bytesOf(body)
  if (bytes !== undefined) return new ReadAgain(req, bytes)
  if (typeof body !== "object" || body === null || use === "bytes") return takenBody()
  const isForm = FORM.test(req.headers["content-type"] ?? "")
  const text = isForm ? formText(body) : jsonText(body)
  return text === undefined ? takenBody() : new ReadAgain(req, Buffer.from(text))
}
