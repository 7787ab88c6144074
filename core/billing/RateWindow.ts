import type { Plan } from "../accounts/Account.ts"
import { Failure } from "../shared/Failure.ts"
import { MINUTE, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import type { PlanTable, PlanTerms } from "./Plan.ts"

/**
 * The classes of requests. Requests that finish a payment, captures and refunds, have a reserve for
 * when the account has used up the standard requests.
 */
export const RATE_CLASSES = ["standard", "reserve"] as const
/** One of {@link RATE_CLASSES}. */
export type RateClass = (typeof RATE_CLASSES)[number]

/** Returns the start of the window that contains `at`. Windows are whole minutes. */
export const windowOf = (at: Timestamp): Timestamp => Math.floor(at / MINUTE) * MINUTE

/** Returns how many requests of a class an account of the plan may make in a window. */
export const rateLimit = ({ rate_limit }: PlanTerms, rate_class: RateClass): number =>
  rate_class === "standard" ? rate_limit : Math.floor(rate_limit / 5)

/** A slice is at most this part of the limit, and at most this part of the rest. */
const SLICES = 25
const SLICES_LEFT = 4

/**
 * Returns how many requests a process leases from a window at once, with `waiting` requests and
 * `left` in the window when last read. The waiting requests use their part immediately. So less
 * than a twenty-fifth of the limit can be unused in one process while another process refuses, and
 * less the fuller the window is.
 */
export const sliceOf = (limit: number, left: number, waiting: number): number => {
  const slice = Math.min(Math.floor(limit / SLICES), Math.floor(left / SLICES_LEFT))
  return Math.max(1, slice, waiting)
}

/** The rest of an account's window, which every response shows. */
export interface Standing {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/** Returns the standing at a time in a window. */
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

/** Makes the failure of a request of an account that has used up its window. */
export const tooManyRequests = (plans: PlanTable, plan: Plan, { limit, reset }: Standing) =>
  new Failure({
    code: "RATE_LIMIT_EXCEEDED",
    message:
      `The ${plan} plan allows ${plans[plan].rate_limit} requests a minute. ` +
      `Try again in ${reset} seconds.`,
    details: { plan, limit, retry_after_seconds: reset },
    retry_after: reset,
  })

/** A request to lease a part of an account's window, which this process hands out. */
export interface LeaseRequest {
  readonly account_id: string
  readonly rate_class: RateClass
  /** The start of the window. */
  readonly window: Timestamp
  readonly wanted: number
  /** The most that all processes may hand out in the window. */
  readonly limit: number
}

/** The granted part, and the rest of the window for all processes. */
export interface Lease {
  readonly granted: number
  readonly left: number
}
