import { Effect } from "effect"
import { sliceOf } from "../../../core/billing/RateWindow.ts"
import type { RateLeases } from "../../../core/ports/RateLeases.ts"
import { uuidOfName } from "../../../core/shared/Id.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** The part of one second's rate that this process has. */
interface Held {
  second: Timestamp
  /** The granted and unused requests. */
  granted: number
  /** The last known remaining requests of all processes. */
  left: number
}

/**
 * Limits all processes with the same leases to a common rate. Each process leases a few requests of
 * every second at a time. `name` is the name of the rate. `sha256` returns lower-case hex.
 */
export class SharedSecond {
  readonly #account_id: string
  readonly #limit: number
  readonly #leases: RateLeases["Service"]
  readonly #held: Held

  constructor(
    name: string,
    limit: number,
    leases: RateLeases["Service"],
    sha256: (text: string) => string,
  ) {
    this.#account_id = `acct_${uuidOfName(`rate of ${name}`, sha256)}`
    this.#limit = limit
    this.#leases = leases
    this.#held = { second: -Infinity, granted: 0, left: limit }
  }

  #turn(now: Timestamp): Held {
    const second = Math.floor(now / SECOND) * SECOND
    const held = this.#held
    if (held.second !== second) Object.assign(held, { second, granted: 0, left: this.#limit })
    return held
  }

  /** Whether the second has requests left, as far as this process knows. */
  isFree(now: Timestamp): boolean {
    const { granted, left } = this.#turn(now)
    return granted > 0 || left > 0
  }

  /**
   * Takes one request of the second. Returns false if the second is used up. While the leases are
   * unavailable, only the process's own rate limits it.
   */
  take(now: Timestamp): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const held = this.#turn(now)
      if (held.granted > 0) {
        held.granted -= 1
        return Effect.succeed(true)
      }
      if (held.left === 0) return Effect.succeed(false)
      const request = {
        account_id: this.#account_id,
        rate_class: "standard",
        window: held.second,
        wanted: sliceOf(this.#limit, held.left, 1),
        limit: this.#limit,
      } as const
      return this.#leases.lease([request]).pipe(
        Effect.map(([lease = { granted: 0, left: 0 }]) => {
          if (held.second !== request.window) return lease.granted > 0
          held.left = lease.left
          held.granted += lease.granted
          // A grant to a concurrent call can be used as well.
          const taken = held.granted > 0
          if (taken) held.granted -= 1
          return taken
        }),
        Effect.catchTag("StoreUnavailable", () => Effect.succeed(true)),
      )
    })
  }
}
