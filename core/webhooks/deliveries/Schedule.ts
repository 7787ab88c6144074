import { HOUR, MINUTE, SECOND, type Timestamp } from "../../shared/Timestamp.ts"

/** What an attempt's answer means for its delivery. */
export type Verdict =
  | { readonly type: "delivered" }
  | { readonly type: "retry"; readonly due_at: Timestamp }
  | { readonly type: "failed" }

/** How often and when a delivery is tried (Delivery and retry rules). */
export interface Schedule {
  /** The waits after the first attempt, the second and so on: one attempt more than there are. */
  readonly delays: ReadonlyArray<number>
  /** Whether an answer with that status, which is not 2xx, ends the delivery at once. */
  readonly endsAt: (status: number) => boolean
}

/** Payment events to a service's endpoint: whatever is not 2xx is tried again. */
export const SERVICE_ENDPOINT: Schedule = {
  delays: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR],
  endsAt: () => false,
}

/** Everything to a registered endpoint: what it refuses, but by 401, is not sent again. */
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
 * What follows attempt number `attempt` (from 1), which ended at `endedAt` with that status; null
 * is no answer at all.
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
