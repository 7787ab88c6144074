import { Exit } from "effect"
import type { Incoming, Outgoing } from "./Exchange.ts"
import { failureOf } from "./failureOf.ts"

/** How often the keys of open streams are checked, in milliseconds. */
const TRIED_EVERY = 400

/** The refusals after which a key's streams end. */
const ENDED = new Set(["UNAUTHORIZED", "INVALID_API_KEY", "ACCOUNT_SUSPENDED", "FORBIDDEN"])

/** The holder of streams: the header with the key, and the client's address. */
interface Holder {
  readonly authorization: string
  readonly address: string
  readonly ends: Set<() => void>
}

type Authenticate = (
  holder: Pick<Holder, "address" | "authorization">,
  then: (exit: Exit.Exit<unknown, unknown>) => void,
) => void

/**
 * Ends the streams of keys that were revoked or suspended, or have expired. One check covers all
 * streams of a key at an address. A store mostly answers it from memory. Without an answer the
 * streams stay open.
 */
export class KeyedStreams {
  readonly #authenticate: Authenticate
  readonly #holders = new Map<string, Holder>()
  #trying: NodeJS.Timeout | undefined

  constructor(authenticate: Authenticate) {
    this.#authenticate = authenticate
  }

  /** Calls `end` once the request's key is no longer valid. Without a key it does nothing. */
  watch(req: Incoming, res: Outgoing, address: string, end: () => void): void {
    const { authorization } = req.headers
    if (authorization === undefined) return
    const name = `${address} ${authorization}`
    const holder = this.#holders.get(name) ?? { address, authorization, ends: new Set() }
    this.#holders.set(name, holder)
    holder.ends.add(end)
    this.#trying ??= setInterval(() => this.#try(), TRIED_EVERY).unref()
    res.once("close", () => {
      holder.ends.delete(end)
      if (holder.ends.size === 0 && this.#holders.get(name) === holder) this.#holders.delete(name)
      if (this.#holders.size > 0) return
      clearInterval(this.#trying)
      this.#trying = undefined
    })
  }

  #try(): void {
    for (const holder of this.#holders.values()) {
      this.#authenticate(holder, (exit) => {
        if (Exit.isSuccess(exit) || !ENDED.has(failureOf(exit.cause).code)) return
        for (const end of holder.ends) end()
      })
    }
  }
}
