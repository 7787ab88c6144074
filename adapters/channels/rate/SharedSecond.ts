import { Effect } from "effect"
import { sliceOf } from "../../../core/billing/RateWindow.ts"
import type { RateLeases } from "../../../core/ports/RateLeases.ts"
import { uuidOfName } from "../../../core/shared/Id.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** A rate's part of one second, as far as this process has it. */
interface Held {
  second: Timestamp
  /** What was granted and not used. */
  granted: number
  /** What all processes together had left when it was last seen. */
  left: number
}

/**
 * Keeps all processes on the same leases together within a rate: each takes a few requests of every
 * second at a time. `name` is what the rate is of; `sha256` returns lower-case hex.
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

  /** Whether some of the second is left, as far as this process knows. */
  isFree(now: Timestamp): boolean {
    const { granted, left } = this.#turn(now)
    return granted > 0 || left > 0
  }

  /**
   * Takes one request of the second; false where it is used up. While the leases cannot be asked,
   * the process has its own rate to keep to, and no other.
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
          // What another question was granted meanwhile is as good as what this one was.
          const taken = held.granted > 0
          if (taken) held.granted -= 1
          return taken
        }),
        Effect.catchTag("StoreUnavailable", () => Effect.succeed(true)),
      )
    })
  }
}
