import { HOUR, MINUTE, SECOND, type Timestamp } from "../../shared/Timestamp.ts"

/** The meaning of an attempt's answer for its delivery. */
export type Verdict =
  | { readonly type: "delivered" }
  | { readonly type: "retry"; readonly due_at: Timestamp }
  | { readonly type: "failed" }

/** How often and when a delivery is tried (Delivery and retry rules). */
export interface Schedule {
  /**
   * The waits after the first attempt, the second and so on. There is one attempt more than waits.
   */
  readonly delays: ReadonlyArray<number>
  /** Returns whether an answer with that status, which is not 2xx, ends the delivery at once. */
  readonly endsAt: (status: number) => boolean
}

/** Returns how many attempts a delivery makes at most. */
export const mostAttempts = ({ delays }: Schedule): number => delays.length + 1

/** Payment events to a service's endpoint: every answer but 2xx is retried. */
export const SERVICE_ENDPOINT: Schedule = {
  delays: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR],
  endsAt: () => false,
}

/** All events to a registered endpoint: a 4xx answer other than 401 is not retried. */
export const REGISTERED_ENDPOINT: Schedule = {
  delays: [
    10 * SECOND,
    MINUTE,
    5 * MINUTE,
    15 * MINUTE,
    HOUR,
    4 * HOUR,
    12 * HOUR,
    24 * HOUR,
    72 * HOUR,
  ],
  endsAt: (status) => status >= 400 && status < 500 && status !== 401,
}

/**
 * Returns what follows attempt number `attempt` (from 1), which ended at `endedAt` with that
 * status. Null is no answer.
 */
export const judge = (
  schedule: Schedule,
  attempt: number,
  status: number | null,
  endedAt: Timestamp,
): Verdict => {
  if (status !== null && status >= 200 && status < 300) return { type: "delivered" }
  const delay = schedule.delays[attempt - 1]
  return delay === undefined || (status !== null && schedule.endsAt(status))
    ? { type: "failed" }
    : { type: "retry", due_at: endedAt + delay }
}
