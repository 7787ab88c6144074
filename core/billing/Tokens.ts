import type { Timestamp } from "../shared/Timestamp.ts"
import {
  type Lease,
  type LeaseRequest,
  type RateClass,
  sliceOf,
  type Standing,
  standingOf,
} from "./RateWindow.ts"

/** What this process may still hand out of an account's window, and the requests that wait. */
export class Bucket<Waiter> {
  readonly account_id: string
  readonly rate_class: RateClass
  readonly window: Timestamp
  readonly limit: number
  /** Taken from the window and not handed out. */
  held = 0
  /** What was left for everybody when last seen. */
  left: number
  /** Whether nothing was left: what is used up stays so until the window ends. */
  spent = false
  waiting: Array<Waiter> = []

  constructor(account_id: string, rate_class: RateClass, window: Timestamp, limit: number) {
    this.account_id = account_id
    this.rate_class = rate_class
    this.window = window
    this.limit = limit
    this.left = limit
  }

  /** Hands out one that this process holds, if it holds any. */
  take(): boolean {
    if (this.held === 0) return false
    this.held -= 1
    return true
  }

  /** What no two questions at once may be about. */
  get name(): string {
    return `${this.rate_class} ${this.account_id} ${this.window}`
  }

  standing(now: Timestamp): Standing {
    return standingOf(this.window, now, this.limit, this.held + this.left)
  }

  /** What is to be asked for now. */
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

/** The buckets of the window that it is. Those of earlier ones are forgotten. */
export class Tokens<Waiter> {
  #window: Timestamp = -Infinity
  #buckets = new Map<string, Bucket<Waiter>>()

  bucket(
    account_id: string,
    rate_class: RateClass,
    window: Timestamp,
    limit: number,
  ): Bucket<Waiter> {
    // A clock that is set back does not open a window again.
    if (window > this.#window) {
      this.#window = window
      this.#buckets = new Map()
    }
    const name = rate_class + account_id
    let bucket = this.#buckets.get(name)
    // An account that has moved to another plan meanwhile goes on from what all have taken.
    if (bucket === undefined || bucket.limit !== limit) {
      bucket = new Bucket<Waiter>(account_id, rate_class, this.#window, limit)
      this.#buckets.set(name, bucket)
    }
    return bucket
  }
}
