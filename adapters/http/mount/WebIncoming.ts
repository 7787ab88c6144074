import type { IncomingHttpHeaders } from "node:http"
import { Readable } from "node:stream"
import type { Incoming } from "../../shared/Exchange.ts"

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Returns the headers with Node's names, and with the host of the request's address. */
const headersOf = (request: Request, hasBody: boolean): IncomingHttpHeaders => {
  const headers: { [name: string]: string } = Object.fromEntries(request.headers)
  headers["host"] ??= URL.parse(request.url)?.host ?? ""
  if (!hasBody) {
    delete headers["content-length"]
    delete headers["transfer-encoding"]
  } else if (headers["content-length"] === undefined) headers["transfer-encoding"] = "chunked"
  return headers
}

/** Reads the beginning of a body. Rejects once the caller has gone, even without an end. */
const beginning = async (reader: Reader, signal: AbortSignal) => {
  const gone = Promise.withResolvers<never>()
  const leave = () => gone.reject(signal.reason)
  signal.addEventListener("abort", leave, { once: true })
  if (signal.aborted) leave()
  try {
    return await Promise.race([reader.read(), gone.promise])
  } catch (error) {
    void reader.cancel().catch(() => undefined)
    throw error
  } finally {
    signal.removeEventListener("abort", leave)
  }
}

/** A `Request` of the fetch API in the form that the interface reads. */
export class WebIncoming extends Readable implements Incoming {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress: string | undefined }
  complete: boolean
  readonly #reader: Reader | undefined
  #first: Uint8Array | undefined

  private constructor(
    request: Request,
    address: string | undefined,
    reader: Reader | undefined,
    first: Uint8Array | undefined,
  ) {
    super()
    this.method = request.method
    this.url = request.url
    this.headers = headersOf(request, reader !== undefined)
    this.socket = { remoteAddress: address }
    this.complete = reader === undefined
    this.#reader = reader
    this.#first = first
  }

  /**
   * `address` is the caller's. A body without a length is read at once: some hosts give every
   * `POST` a stream, and an empty stream counts as no body.
   */
  static async of(request: Request, address: string | undefined): Promise<WebIncoming> {
    const body = request.body as ReadableStream<Uint8Array> | null
    if (body === null || request.headers.get("content-length") === "0") {
      return new WebIncoming(request, address, undefined, undefined)
    }
    const reader = body.getReader()
    if (request.headers.has("content-length")) {
      return new WebIncoming(request, address, reader, undefined)
    }
    const { done, value } = await beginning(reader, request.signal)
    return new WebIncoming(request, address, done ? undefined : reader, value)
  }

  override _read(): void {
    if (this.#reader === undefined) this.push(null)
    else void this.#next(this.#reader)
  }

  async #next(reader: Reader): Promise<void> {
    const first = this.#first
    this.#first = undefined
    if (first !== undefined) {
      this.push(first)
      return
    }
    try {
      const { done, value } = await reader.read()
      if (done) this.complete = true
      this.push(done ? null : value)
    } catch {
      // The rest will never come, so the received part is not the request.
      this.destroy()
    }
  }

  override _destroy(_error: Error | null, then: () => void): void {
    void this.#reader?.cancel().catch(() => undefined)
    then()
  }
}
