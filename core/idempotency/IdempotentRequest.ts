import { Context } from "effect"

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

/** Where a sealed answer lives. */
export const replyPlace = (accountId: string, key: string): string => `reply:${accountId}:${key}`
