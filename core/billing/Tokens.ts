import type { Timestamp } from "../shared/Timestamp.ts"
import {
  type Lease,
  type LeaseRequest,
  type RateClass,
  sliceOf,
  type Standing,
  standingOf,
} from "./RateWindow.ts"

/** The requests that this process may still admit in an account's window, and those that wait. */
export class Bucket<Waiter> {
  readonly account_id: string
  readonly rate_class: RateClass
  readonly window: Timestamp
  readonly limit: number
  /** Leased from the window and not used. */
  held = 0
  /** The rest for all processes when last read. */
  left: number
  /** Whether nothing was left. It stays true until the window ends. */
  spent = false
  waiting: Array<Waiter> = []

  constructor(account_id: string, rate_class: RateClass, window: Timestamp, limit: number) {
    this.account_id = account_id
    this.rate_class = rate_class
    this.window = window
    this.limit = limit
    this.left = limit
  }

  /** Uses one of the leased requests, if there is one. */
  take(): boolean {
    if (this.held === 0) return false
    this.held -= 1
    return true
  }

  /** The key of the bucket; a query to the leases names each key once. */
  get name(): string {
    return `${this.rate_class} ${this.account_id} ${this.window}`
  }

  standing(now: Timestamp): Standing {
    return standingOf(this.window, now, this.limit, this.held + this.left)
  }

  /** Returns the lease to request now. */
  wish(): LeaseRequest {
    const { account_id, left, limit, rate_class, waiting, window } = this
    return { account_id, rate_class, window, limit, wanted: sliceOf(limit, left, waiting.length) }
  }

  /** Records the result of a lease; returns the requests to serve and those to refuse. */
  receive(wanted: number, { granted, left }: Lease) {
    this.held += granted
    this.left = left
    this.spent = granted < wanted
    const served = this.waiting.splice(0, this.held)
    this.held -= served.length
    return { served, refused: this.spent ? this.waiting.splice(0) : [] }
  }
}

/** The buckets of the current window. Buckets of earlier windows are dropped. */
export class Tokens<Waiter> {
  #window: Timestamp = -Infinity
  #buckets = new Map<string, Bucket<Waiter>>()

  bucket(
    account_id: string,
    rate_class: RateClass,
    window: Timestamp,
    limit: number,
  ): Bucket<Waiter> {
    // A clock that is set back does not reopen a window.
    if (window > this.#window) {
      this.#window = window
      this.#buckets = new Map()
    }
    const name = rate_class + account_id
    let bucket = this.#buckets.get(name)
    // After a change of plan, the new bucket starts from what all processes have used.
    if (bucket === undefined || bucket.limit !== limit) {
      bucket = new Bucket<Waiter>(account_id, rate_class, this.#window, limit)
      this.#buckets.set(name, bucket)
    }
    return bucket
  }
}
