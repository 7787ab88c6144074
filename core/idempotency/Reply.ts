import { Data } from "effect"
import { DAY, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** How long a reply is kept for retries. */
export const KEPT_FOR = DAY

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
