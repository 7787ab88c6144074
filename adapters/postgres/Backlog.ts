import { Context } from "effect"
import type { DueKind } from "../../core/commits/Records.ts"
import type { Read } from "../../core/ports/Store.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** The number of records of a kind that are due, and the time at which the first became due. */
export interface DueCount {
  readonly kind: DueKind
  readonly count: number
  readonly oldest: Timestamp | null
}

/** The number of unfinished deliveries of one receiver: an endpoint or a service. */
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

/** The work that waits in the database. Each count ends at `MOST_COUNTED`, longest due first. */
export interface Backlog {
  readonly due: ReadonlyArray<DueCount>
  readonly receivers: ReadonlyArray<ReceiverCount>
  readonly channel_requests: ReadonlyArray<ChannelRequestCount>
}

/** The highest count of rows of one kind. A higher number is already an alarm. */
export const MOST_COUNTED = 10_000

/** The name under which all receivers that are not listed are counted. */
const OTHERS = "others"

/** Returns the receivers with the most deliveries, and the sum of all other receivers. */
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

/** Counts the work that waits in the database, with one statement per part. */
export class BacklogReads extends Context.Service<
  BacklogReads,
  { readonly count: (now: Timestamp) => Read<Backlog> }
>()("payport/adapters/postgres/Backlog") {}
