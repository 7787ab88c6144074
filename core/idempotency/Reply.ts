import { Context, Data } from "effect"
import { DAY, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** How long a reply is kept for retries. */
export const KEPT_FOR = DAY

/** How long an installation keeps replies, in milliseconds: never shorter than it promises. */
export const ReplyRetention = Context.Reference<number>("payport/core/idempotency/ReplyRetention", {
  defaultValue: () => KEPT_FOR,
})

/** How long a running request holds its key before a retry may take it over. */
export const RUNNING_LEASE = 30 * SECOND

/**
 * What is kept under an `Idempotency-Key` of an account. While the first request runs, `answer` is
 * null and `holder` says which request that is; a request whose `lease_until` has passed is taken
 * for crashed, and whoever finds it so goes on with it as the same holder. A store accepts a reply
 * when there is none under the key, when the one there is over (`expires_at`), or when it runs and
 * has the same holder: whoever has not seen it would do once more what it has begun.
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

/** Whether a store may put a reply of that holder over what is stored. */
export const mayReplace = (stored: Reply | undefined, next: Reply, now: Timestamp): boolean =>
  stored === undefined ||
  stored.expires_at <= now ||
  (stored.answer === null && stored.holder === next.holder)

/** Another request has stored its answer, or holds the place for it, under the same key. */
export class ReplyTaken extends Data.TaggedError("ReplyTaken")<Record<never, never>> {}

/** What a request finds under its key. */
export type Verdict =
  | { readonly type: "fresh" }
  | { readonly type: "replay"; readonly answer: string }
  | { readonly type: "mismatch" }
  | { readonly type: "running" }

/** The three answers to a key that was used before, and the fourth: that it was not. */
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

/** How far a request has come, which is all that changes about it while it runs. */
export interface RequestProgress {
  /** Who holds the key: this request, or the earlier one that it goes on with. */
  holder: string
  /** The holder of an earlier such request, which ended without an answer; null without one. */
  resumes: string | null
  /** Whether a reply of this request is stored, and whether it is the answer or a place for it. */
  state: "none" | "running" | "answered"
  /** Whether the answer may be given to retries; false while an outcome is still open. */
  kept: boolean
}

/** A request that was sent with an `Idempotency-Key`. */
export interface IdempotentRequest {
  readonly account_id: string
  readonly key: string
  readonly fingerprint: string
  /** Where its sealed answer lives. */
  readonly place: string
  /** How long the answer is kept, in milliseconds. */
  readonly kept_for: number
  /** The answer's text for what a verb returns. */
  readonly render: (view: unknown) => string
  readonly progress: RequestProgress
}

/** The request that a verb serves, set by the edge; null when it has no key. */
export const CurrentRequest = Context.Reference<IdempotentRequest | null>(
  "payport/core/idempotency/CurrentRequest",
  { defaultValue: () => null },
)

/** A refusal as far as it decides whether a repetition is given it again. */
interface Refusal {
  readonly code: string
  readonly status: number
  /** In seconds; undefined where nothing is gained by waiting. */
  readonly retry_after?: number | undefined
}

/** The same request may be answered otherwise next time: its key stays free. */
const FREE: ReadonlySet<number> = new Set([400, 401, 403, 404, 413, 415, 429])

/**
 * Whether a refusal is kept under its `Idempotency-Key` and given to every repetition (Request
 * Payment, headers). Those of the keys themselves are not, nor is one that says when to come back.
 */
export const isKeptRefusal = ({ code, retry_after, status }: Refusal): boolean =>
  !FREE.has(status) &&
  status < 500 &&
  retry_after === undefined &&
  code !== "IDEMPOTENCY_KEY_USED" &&
  code !== "IDEMPOTENCY_KEY_IN_PROGRESS"
