import { Context, Data } from "effect"
import { DAY, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** How long a reply is kept for retries, in milliseconds. */
export const KEPT_FOR = DAY

/** The longest time for which an installation may keep replies, in milliseconds. */
export const MOST_KEPT_FOR = 30 * DAY

/** How long an installation keeps replies, in milliseconds: at least as long as it promises. */
export const ReplyRetention = Context.Reference<number>("payport/core/idempotency/ReplyRetention", {
  defaultValue: () => KEPT_FOR,
})

/** How long a running request holds its key before a retry may take it over, in milliseconds. */
export const RUNNING_LEASE = 30 * SECOND

/**
 * The reply under an `Idempotency-Key` of an account. While the first request runs, `answer` is
 * null and `holder` identifies that request. A request whose `lease_until` has passed counts as
 * crashed. The request that finds it continues as the same holder. A store accepts a reply if there
 * is none under the key, if the stored one has expired (`expires_at`), or if it is running and has
 * the same holder. Any other request has not seen what the holder began and would do it twice.
 */
export interface Reply {
  readonly account_id: string
  readonly key: string
  /** A keyed hash of method, path and canonical body. */
  readonly fingerprint: string
  readonly holder: string
  /** The sealed answer. */
  readonly answer: string | null
  readonly lease_until: Timestamp
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
}

/** Returns whether a reply may replace the stored one. */
export const mayReplace = (stored: Reply | undefined, next: Reply, now: Timestamp): boolean =>
  stored === undefined ||
  stored.expires_at <= now ||
  (stored.answer === null && stored.holder === next.holder)

/** Another request has stored its answer, or reserved the key, under the same key. */
export class ReplyTaken extends Data.TaggedError("ReplyTaken")<Record<never, never>> {}

/** The state of a request's key. */
export type Verdict =
  | { readonly type: "fresh" }
  | { readonly type: "replay"; readonly answer: string }
  | { readonly type: "mismatch" }
  | { readonly type: "running" }

/** Returns whether a key is unused or expired, answered, used for another request, or running. */
export const judge = (stored: Reply | undefined, fingerprint: string, now: Timestamp): Verdict => {
  if (stored === undefined || stored.expires_at <= now) return { type: "fresh" }
  if (stored.fingerprint !== fingerprint) return { type: "mismatch" }
  if (stored.answer !== null) return { type: "replay", answer: stored.answer }
  return stored.lease_until <= now ? { type: "fresh" } : { type: "running" }
}

declare module "../commits/Records.ts" {
  interface Entries {
    readonly reply: Reply
  }
}

/** The progress of a request: the only part of it that changes while it runs. */
export interface RequestProgress {
  /** The holder of the key: this request, or the earlier one that it continues. */
  holder: string
  /** The holder of an earlier request that ended without an answer; null without one. */
  resumes: string | null
  /** Whether a reply of this request is stored, as its answer or as a reservation. */
  state: "none" | "running" | "answered"
  /** Whether the answer is kept for retries; false while an outcome is open. */
  kept: boolean
}

/** A request that was sent with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly account_id: string
  readonly key: string
  readonly fingerprint: string
  /** The place that its sealed answer is bound to. */
  readonly place: string
  /** How long the answer is kept, in milliseconds. */
  readonly kept_for: number
  /** Returns the answer's text for the result of a verb. */
  readonly render: (view: unknown) => string
  readonly progress: RequestProgress
}

/** The request that a verb serves, set by the edge; null without a key. */
export const CurrentRequest = Context.Reference<IdempotentRequest | null>(
  "payport/core/idempotency/CurrentRequest",
  { defaultValue: () => null },
)

/** The fields of a refusal that decide whether a repetition gets it again. */
interface Refusal {
  readonly code: string
  readonly status: number
  /** In seconds; undefined if waiting does not help. */
  readonly retry_after?: number | undefined
}

/** Refusals that the same request may not get next time: its key stays free. */
const FREE: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 415, 429])

/**
 * Returns whether a refusal is kept under its `Idempotency-Key` and given to every repetition
 * (Request Payment, headers). Refusals about the keys themselves are not kept, nor those with a
 * time to retry.
 */
export const isKeptRefusal = ({ code, retry_after, status }: Refusal): boolean =>
  !FREE.has(status) &&
  status < 500 &&
  retry_after === undefined &&
  code !== "IDEMPOTENCY_KEY_USED" &&
  code !== "IDEMPOTENCY_KEY_IN_PROGRESS"
