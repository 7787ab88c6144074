import type { Plan } from "../accounts/Account.ts"
import { Failure } from "../shared/Failure.ts"
import { MINUTE, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import type { PlanTable, PlanTerms } from "./Plan.ts"

/**
 * What a request is counted as. Requests that finish what was begun, captures and refunds, have a
 * reserve of their own for when the account has used up the rest.
 */
export const RATE_CLASSES = ["standard", "reserve"] as const
/** One of {@link RATE_CLASSES}. */
export type RateClass = (typeof RATE_CLASSES)[number]

/** When the window begins that a moment belongs to: windows are whole minutes. */
export const windowOf = (at: Timestamp): Timestamp => Math.floor(at / MINUTE) * MINUTE

/** So many requests of a class an account of the plan may make in a window. */
export const rateLimit = ({ rate_limit }: PlanTerms, rate_class: RateClass): number =>
  rate_class === "standard" ? rate_limit : Math.floor(rate_limit / 5)

/** Parts of a window that a slice is one of, and parts of what is left of it. */
const SLICES = 25
const SLICES_LEFT = 4

/**
 * How many requests to take from a window at once, for a process in which so many wait and with
 * `left` in it when last seen. Whoever waits uses what is taken, so only what is taken beyond that
 * can be left over in one process while another one refuses: less than a twenty-fifth of the limit,
 * and less and less as the window fills up.
 */
export const sliceOf = (limit: number, left: number, waiting: number): number => {
  const slice = Math.min(Math.floor(limit / SLICES), Math.floor(left / SLICES_LEFT))
  return Math.max(1, slice, waiting)
}

/** How an account stands in a window: what every answer to it tells. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/** The standing at a time in a window. */
export const standingOf = (
  window: Timestamp,
  now: Timestamp,
  limit: number,
  remaining: number,
): Standing => ({
  limit,
  remaining,
  reset: Math.max(1, Math.ceil((window + MINUTE - now) / SECOND)),
})

/** Refuses a request of an account that has made all of a window's. */
export const tooManyRequests = (plans: PlanTable, plan: Plan, { limit, reset }: Standing) =>
  new Failure({
    code: "RATE_LIMIT_EXCEEDED",
    message:
      `The ${plan} plan allows ${plans[plan].rate_limit} requests a minute. ` +
      `Try again in ${reset} seconds.`,
    details: { plan, limit, retry_after_seconds: reset },
    retry_after: reset,
  })

/** Asks for requests of an account's window, to be handed out by this process. */
export interface LeaseRequest {
  readonly account_id: string
  readonly rate_class: RateClass
  /** When the window begins. */
  readonly window: Timestamp
  readonly wanted: number
  /** What all processes may hand out in the window together. */
  readonly limit: number
}

/** What was given, and what is left of the window for everybody. */
export interface Lease {
  readonly granted: number
  readonly left: number
}
