import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream/promises"
import { readHeaders } from "../../../adapters/receiver/headers.ts"
import { readRawBody } from "../../../adapters/receiver/readRawBody.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"

/** A receiver's reaction to a webhook. */
export type Answer = Answered | "hangs" | "resets"

/** A response with a status. */
interface Answered {
  readonly status: number
  /** The target of a redirection. */
  readonly location?: string
  /** Whether it sends a far too long body. */
  readonly pours?: boolean
}

/** A received webhook. */
export interface Received {
  /** The name of the receiver: the last part of its URL. */
  readonly place: string
  readonly headers: { readonly [name: string]: string }
  readonly body: Uint8Array
  /** The times by this machine's clock, and by the service's: the earliest and the latest. */
  readonly at: number
  readonly service_at: Timestamp
  readonly service_latest: Timestamp
  readonly answer: Answer
}

/** The time of the service: at the earliest and at the latest. */
export interface Time {
  readonly now: () => Timestamp
  readonly latest: () => Timestamp
}

/** Returns how a receiver with that name answers now. */
export type Habit = (place: string) => Answer

const HOOKS = "/hook/"

const POURED = Buffer.alloc(1_048_576, "a")
const POURS = 10

/** Sends until the sender has read enough and disconnects. */
const pour = (response: ServerResponse): Promise<void> =>
  pipeline(
    Array.from({ length: POURS }, () => POURED),
    response,
  ).catch(() => undefined)

/**
 * Receivers of webhooks on loopback, in one server, each with its own path. They keep what they
 * receive and answer as configured; the webhooks are judged later.
 */
export class Receiver {
  readonly received: Array<Received> = []
  readonly #server: Server
  readonly #habit: Habit
  readonly #time: Time
  readonly #prefix: string
  #base: string | undefined

  /**
   * `now` is the service's time. `base` is the URL at which the service reaches it; loopback by
   * default. Requests outside `prefix` get 404 and are not kept.
   */
  constructor(habit: Habit, time: Time, base?: string, prefix = HOOKS) {
    this.#prefix = prefix
    this.#habit = habit
    this.#time = time
    this.#base = base
    this.#server = createServer((request, response) => {
      void this.#take(request, response).catch(() => response.destroy())
    })
  }

  /** Listens on loopback; port 0 is a free one. */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(port, "127.0.0.1", resolve)
    })
    this.#base ??= `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  urlOf(place: string): string {
    return `${this.#base ?? ""}${this.#prefix}${place}`
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readRawBody(request)
    const path = request.url ?? ""
    if (request.method !== "POST" || !path.includes(this.#prefix)) {
      response.writeHead(404).end()
      return
    }
    const place = path.slice(path.indexOf(this.#prefix) + this.#prefix.length)
    const answer = this.#habit(place)
    this.received.push({
      place,
      headers: Object.fromEntries(readHeaders(request.headers)),
      body,
      at: Date.now(),
      service_at: this.#time.now(),
      service_latest: this.#time.latest(),
      answer,
    })
    if (answer === "resets") request.socket.destroy()
    // A hanging receiver sends nothing until the sender gives up.
    if (typeof answer === "string") return
    const { location, pours = false, status } = answer
    response.writeHead(status, location === undefined ? {} : { Location: location })
    if (pours) await pour(response)
    else response.end()
  }
}
