import { Context } from "effect"
import type { DueKind } from "../../core/commits/Records.ts"
import type { Read } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** Records of a kind whose time has come, and since when the first of them waits. */
export interface DueCount {
  readonly kind: DueKind
  readonly count: number
  readonly oldest: Timestamp | null
}

/** Deliveries that have not ended, by whom they are for: an endpoint or a service. */
export interface ReceiverCount {
  readonly receiver: string
  readonly count: number
}

/** Requests to a channel without a final answer. */
export interface ChannelRequestCount {
  readonly channel: string
  readonly status: string
  readonly count: number
  readonly oldest: Timestamp
}

/** What waits in the database. Each count goes as far as `MOST_COUNTED`, the longest due first. */
export interface Backlog {
  readonly due: ReadonlyArray<DueCount>
  readonly receivers: ReadonlyArray<ReceiverCount>
  readonly channel_requests: ReadonlyArray<ChannelRequestCount>
}

/** So many rows of a kind are counted: more are an alarm already. */
export const MOST_COUNTED = 10_000

/** What receivers that are not named are counted under. */
const OTHERS = "others"

/** The receivers with the most deliveries, and all others together. */
export const busiest = (
  receivers: ReadonlyArray<ReceiverCount>,
  most: number,
): ReadonlyArray<ReceiverCount> => {
  const sorted = receivers.toSorted(
    (a, b) => b.count - a.count || (a.receiver < b.receiver ? -1 : 1),
  )
  const rest = sorted.slice(most).reduce((sum, { count }) => sum + count, 0)
  const named = sorted.slice(0, most)
  return rest === 0 ? named : [...named, { receiver: OTHERS, count: rest }]
}

/** Counts what waits in the database, by one statement for each part. */
export class BacklogReads extends Context.Service<
  BacklogReads,
  { readonly count: (now: Timestamp) => Read<Backlog> }
>()("payport/adapters/postgres/Backlog") {}
