import { connect } from "node:net"
import { Agent, request } from "undici"
import { nameOf } from "../connectionFailure.ts"
import { CannotGrade } from "./runChecks.ts"

/** A request as it is sent, byte for byte. A header with several values is sent several times. */
export interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "PATCH"
  readonly url: URL
  readonly headers: { readonly [name: string]: string | Array<string> }
  readonly body?: string | Uint8Array
  /** Whether it is sent even after the end of the run, because it undoes what the run has done. */
  readonly undoes?: boolean
}

/** A response, or why there was none. */
export type Answer =
  | {
      readonly status: number
      readonly headers: { readonly [name: string]: string }
      /** The beginning of the body, at most as many bytes as were to be read. */
      readonly text: string
      readonly duration_ms: number
    }
  | { readonly status: null; readonly error: string; readonly duration_ms: number }

/** Describes a response for people. */
export const said = (answer: Answer): string =>
  answer.status === null ? answer.error : `status ${answer.status}`

const MOST_TEXT = 262_144

/** Returns the first bytes of a body, as text. */
const firstOf = async (body: AsyncIterable<Uint8Array>, most: number): Promise<string> => {
  const read: Array<Uint8Array> = []
  let length = 0
  for await (const chunk of body) {
    read.push(chunk)
    length += chunk.length
    if (length >= most) break
  }
  return Buffer.concat(read).subarray(0, most).toString("utf8")
}

/** Sends requests to a subject. */
export interface Target {
  /**
   * Sends a request, and waits for the response (5,000 milliseconds by default), of which it reads
   * so many bytes (256 KiB by default). Never rejects.
   */
  readonly send: (sent: Sent, patience?: number, most?: number) => Promise<Answer>
  /** Returns how many requests have been sent. */
  readonly sent: () => number
  readonly close: () => Promise<void>
}

/** How long a subject may take to answer, in milliseconds; the service waits as long. */
export const PATIENCE = 5_000

/**
 * Opens a target that sends requests only to the given origins. It follows no redirect, and refuses
 * other addresses with `CannotGrade`. The signal aborts running requests, except those that undo.
 */
export const openTarget = (allowed: ReadonlyArray<URL>, signal: AbortSignal): Target => {
  const dispatcher = new Agent({ connections: 64, connect: { timeout: PATIENCE } })
  const origins = new Set(allowed.map(({ origin }) => origin))
  let count = 0
  const endOf = (patience: number, undoes: boolean): AbortSignal =>
    undoes
      ? AbortSignal.timeout(signal.aborted ? PATIENCE : patience)
      : AbortSignal.any([signal, AbortSignal.timeout(patience)])
  return {
    send: async (
      { body, headers, method, undoes = false, url },
      patience = PATIENCE,
      most = MOST_TEXT,
    ) => {
      if (!origins.has(url.origin)) throw new CannotGrade(`${url.origin} is not to be asked.`)
      count += 1
      const started = performance.now()
      const since = () => Math.round(performance.now() - started)
      try {
        const answer = await request(url, {
          dispatcher,
          method,
          headers: { ...headers },
          ...(body !== undefined && { body }),
          signal: endOf(patience, undoes),
        })
        const duration_ms = since()
        const pairs = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
        // The status counts even if the body is cut off.
        const text = await firstOf(answer.body, most).catch(() => "")
        const named = Object.fromEntries(pairs) as { readonly [name: string]: string }
        return { status: answer.statusCode, headers: named, text, duration_ms }
      } catch (error) {
        return { status: null, error: nameOf(error), duration_ms: since() }
      }
    },
    sent: () => count,
    close: () => dispatcher.destroy(),
  }
}

const REFUSED = "Start it first, or correct the address."

/** Rejects with `CannotGrade` if nobody listens at the address; it sends nothing. */
export const reach = (url: URL, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const port = Number(url.port === "" ? (url.protocol === "https:" ? 443 : 80) : url.port)
    const socket = connect({ host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port, signal })
    const end = (error: unknown) => {
      socket.destroy()
      const why = `${url.origin} cannot be reached: ${nameOf(error)}.`
      reject(new CannotGrade(`${why} ${REFUSED}`, { cause: error }))
    }
    socket.setTimeout(PATIENCE, () => end(new DOMException("", "TimeoutError")))
    socket.once("error", end).once("connect", () => {
      socket.destroy()
      resolve()
    })
  })
