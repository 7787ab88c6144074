import { isAscii } from "node:buffer"
import type { Dispatcher } from "undici"

const MAX_BODY_BYTES = 16 * 1_024
const KEPT_BYTES = 1_024

/** The result of a request: an answer, even a broken one, or why there is none. */
export type Answer =
  | { readonly status: number; readonly response?: string }
  | { readonly status: null; readonly cause: unknown }

/** Enough of the body was read, or nobody waits for the answer any more. */
const ENOUGH = new Error("The rest is not read.")

/**
 * Decodes a text, without a character that the limit has cut. Compressed bytes are no text, and are
 * not decompressed. A NUL cannot be stored as text.
 */
const textOf = (chunks: ReadonlyArray<Buffer>): string => {
  const [first] = chunks
  if (first === undefined) return ""
  const bytes = chunks.length === 1 ? first : Buffer.concat(chunks)
  const text = isAscii(bytes)
    ? bytes.toString("latin1")
    : new TextDecoder().decode(bytes, { stream: true })
  return text.replaceAll("\0", "\ufffd")
}

/**
 * Reads the answer to one request directly from the connection. undici's own `request` makes a
 * stream per body and a signal per request, which cost more than the reading. Reads at most 16 KiB
 * of a body, and keeps the first KiB as text. A broken answer counts, because it has a status.
 */
export class Answering implements Dispatcher.DispatchHandler {
  readonly #answer: (answer: Answer) => void
  readonly #chunks: Array<Buffer> = []
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #isText = true
  #read = 0
  #kept = 0
  #isOver = false

  /** `answer` is called once. */
  constructor(answer: (answer: Answer) => void) {
    this.#answer = answer
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The request was given up while it waited for a connection.
    if (this.#isOver) controller.abort(ENOUGH)
    else this.#controller = controller
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: { readonly [name: string]: unknown },
  ): void {
    // An informational status says nothing about the delivery.
    if (status < 200) return
    this.#status = status
    this.#isText = headers["content-encoding"] === undefined
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    if (this.#isText && this.#kept < KEPT_BYTES) {
      const part = chunk.subarray(0, KEPT_BYTES - this.#kept)
      this.#chunks.push(part)
      this.#kept += part.length
    }
    this.#read += chunk.length
    if (this.#read < MAX_BODY_BYTES) return
    this.#end(ENOUGH)
    controller.abort(ENOUGH)
  }

  onResponseEnd(): void {
    this.#end(ENOUGH)
  }

  onResponseError(_: unknown, error: Error): void {
    this.#end(error)
  }

  /** Gives up waiting, and closes the connection if there is one. */
  stop(reason: Error): void {
    this.#end(reason)
    this.#controller?.abort(reason)
  }

  #end(cause: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    const status = this.#status
    if (status === null) return this.#answer({ status, cause })
    const response = textOf(this.#chunks)
    this.#answer(response === "" ? { status } : { status, response })
  }
}
