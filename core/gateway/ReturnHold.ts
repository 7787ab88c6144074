import { isId } from "../shared/Id.ts"
import { fromIso, type Timestamp } from "../shared/Timestamp.ts"
import type { ChannelRequest } from "./ChannelRequest.ts"

/**
 * Whose money is not given back until an operator has looked at it: that of payments created before
 * a time, such as the first start on a restored database, or that of payments by their ids.
 */
export type ReturnHold =
  | { readonly type: "created_before"; readonly at: Timestamp }
  | { readonly type: "payments"; readonly ids: ReadonlySet<string> }

/** Reads a time (`2026-01-31T12:00:00Z`) or ids with commas between; undefined for another text. */
export const parseReturnHold = (text: string): ReturnHold | undefined => {
  const at = fromIso(text)
  if (at !== undefined) return { type: "created_before", at }
  const ids = text.split(",").map((id) => id.trim())
  return ids.every((id) => isId("pi", id)) ? { type: "payments", ids: new Set(ids) } : undefined
}

/**
 * Returns whether a request gives money back that the service itself decided to give back: a hold,
 * or money that came late or twice. A refund that somebody asked for is none.
 */
export const isReturn = ({ action, refund }: Pick<ChannelRequest, "action" | "refund">): boolean =>
  action === "release" || (action === "refund" && refund === null)

/** Returns whether the returns of a payment wait. */
export const holdsReturnsOf = (
  hold: ReturnHold,
  payment: { readonly id: string; readonly created_at: Timestamp },
): boolean => (hold.type === "payments" ? hold.ids.has(payment.id) : payment.created_at < hold.at)
