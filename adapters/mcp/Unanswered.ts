import type { JSONRPCMessage } from "@modelcontextprotocol/server"

/** A request for changes, which is answered when it ends. */
const LISTENING = "subscriptions/listen"

const isRequest = (message: JSONRPCMessage) => "method" in message && "id" in message

const cancelledIn = (message: JSONRPCMessage): unknown =>
  "method" in message && message.method === "notifications/cancelled"
    ? message.params?.["requestId"]
    : undefined

/** The requests of a connection that have no answer yet. */
export class Unanswered {
  readonly #ids = new Set<unknown>()
  #waiting: ReadonlyArray<() => void> = []

  /** Notes a message of the client. */
  received(message: JSONRPCMessage): void {
    if (isRequest(message) && message.method !== LISTENING) this.#ids.add(message.id)
    this.#settle(cancelledIn(message))
  }

  /** Notes a message that the client has got. */
  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) this.#settle(message.id)
  }

  /** Resolves when every request so far has an answer. */
  none(): Promise<void> {
    if (this.#ids.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting = [...this.#waiting, resolve]
    })
  }

  #settle(id: unknown): void {
    this.#ids.delete(id)
    if (this.#ids.size > 0) return
    for (const resolve of this.#waiting) resolve()
    this.#waiting = []
  }
}
