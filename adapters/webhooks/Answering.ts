import { isAscii } from "node:buffer"
import type { Dispatcher } from "undici"

const MAX_BODY_BYTES = 16 * 1_024
const KEPT_BYTES = 1_024

/** What came of a request: an answer, even one that broke off, or why there was none. */
export type Answer =
  | { readonly status: number; readonly response?: string }
  | { readonly status: null; readonly cause: unknown }

/** Enough was read of a body, or nobody waits for the answer any more. */
const ENOUGH = new Error("The rest is not read.")

/**
 * Leaves out a character that the limit cut in two. Encoded bytes are no text, and nothing is
 * decompressed here. A NUL cannot be stored as text.
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
 * Reads the answer to one request as the connection hands it over: undici's own `request` makes a
 * stream of each body and a signal of each request, which cost more than all else that is read.
 * Reads 16 KiB of a body at most, and keeps the first KiB as text. An answer that breaks off
 * counts: it has a status.
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
    // It waited for a connection for so long that it was given up.
    if (this.#isOver) controller.abort(ENOUGH)
    else this.#controller = controller
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: { readonly [name: string]: unknown },
  ): void {
    // What comes before the answer says nothing of the delivery.
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

  /** Gives up waiting, and closes the connection if the request has one. */
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
