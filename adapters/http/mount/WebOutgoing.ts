import { Writable } from "node:stream"
import type { Outgoing } from "../../shared/Exchange.ts"

/** The most bytes that wait for a reader before a writer has to wait. */
const BUFFERED = 64 * 1024

/** Statuses of answers without a body, whatever is written. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

/** Headers of a connection, which belongs to the host. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(["connection", "keep-alive"])

/** Returns the error for a request that was given up before its answer. */
const given = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error("The request was given up before it was answered.")

/** Makes a `Response` of the fetch API from what the interface writes, as it is written. */
export class WebOutgoing extends Writable implements Outgoing {
  /** Rejects if the request is given up, with the reason. */
  readonly response: Promise<Response>
  readonly #settle = Promise.withResolvers<Response>()
  readonly #isHead: boolean
  readonly #body: ReadableStream<Uint8Array>
  #controller!: ReadableStreamDefaultController<Uint8Array>
  #goOn: (() => void) | undefined
  #isBodiless = false

  constructor(method: string) {
    super()
    this.#isHead = method === "HEAD"
    this.response = this.#settle.promise
    this.#body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: () => this.#continue(),
        cancel: () => void this.destroy(),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED }),
    )
  }

  writeHead(status: number, raw: Array<string>): this {
    const headers = new Headers()
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const [name = "", value = ""] = raw.slice(at, at + 2)
      if (!OF_CONNECTIONS.has(name.toLowerCase())) headers.append(name, value)
    }
    this.#isBodiless = this.#isHead || BODILESS.has(status)
    this.#settle.resolve(new Response(this.#isBodiless ? null : this.#body, { status, headers }))
    return this
  }

  flushHeaders(): void {}

  /** Gives the request up, with the caller's reason. */
  abort(reason: unknown): void {
    this.destroy(given(reason))
  }

  override _write(chunk: Uint8Array, _encoding: string, then: () => void): void {
    if (this.#isBodiless) return then()
    this.#controller.enqueue(chunk)
    if ((this.#controller.desiredSize ?? 0) > 0) then()
    else this.#goOn = then
  }

  override _final(then: () => void): void {
    this.#controller.close()
    then()
  }

  override _destroy(error: Error | null, then: () => void): void {
    this.#settle.reject(given(error))
    if (!this.writableFinished) {
      try {
        this.#controller.error(given(error))
      } catch {
        // The reader has gone already.
      }
    }
    then()
  }

  #continue(): void {
    const goOn = this.#goOn
    this.#goOn = undefined
    goOn?.()
  }
}
