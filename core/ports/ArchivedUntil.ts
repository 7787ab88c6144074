import { Context, Effect } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"

/** The kinds of records that an archive takes before they are removed. */
export type ArchivedKind = "event" | "delivery" | "channel_request" | "callback"

/**
 * Returns until when the records of a kind are archived, by the times of their ids. Others are not
 * removed. Without an archive, nothing waits for it.
 */
export const ArchivedUntil = Context.Reference<(kind: ArchivedKind) => Effect.Effect<Timestamp>>(
  "payport/core/ports/ArchivedUntil",
  { defaultValue: () => () => Effect.succeed(Infinity) },
)
