// Written independently of core/market on purpose: see Model.ts.

import type { Timestamp } from "../../../core/shared/Timestamp.ts"

/** A refund request, or a refund. */
export interface Asked {
  readonly id: string
  readonly status: string
  readonly amount: object
  readonly expires_at: Timestamp
  readonly created_at: Timestamp
  readonly decline_reason?: string
}

/** Returns the words with which a next step begins, for what has become of a paid payment. */
export const paidNext = (asked: Asked | undefined, given: Asked | undefined): string => {
  const isLater = given !== undefined && given.created_at > (asked?.created_at ?? 0)
  if (asked !== undefined && asked.status !== "approved" && !isLater) {
    const words: { readonly [status: string]: string } = {
      open: "The seller has not decided about the refund yet",
      declined: "The seller declined the refund",
      withdrawn: "The refund request was withdrawn",
      expired: "The seller did not decide in time",
    }
    return words[asked.status] ?? asked.status
  }
  if (given === undefined) return "Paid: nothing more to do"
  if (given.status === "succeeded") return "The refund succeeded"
  return given.status === "failed" ? "The refund failed" : "The refund is in progress"
}
