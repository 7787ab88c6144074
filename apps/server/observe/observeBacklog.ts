import { Clock, Effect } from "effect"
import { type Backlog, BacklogReads, busiest } from "../../../adapters/postgres/Backlog.ts"
import { METRICS } from "../../../adapters/shared/metrics/Metrics.ts"
import { settable } from "../../../adapters/shared/metrics/series.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"

/** How many receivers have their own series; all others share one. */
const NAMED_RECEIVERS = 10

type Series = ReadonlyArray<readonly [{ readonly [label: string]: string }, number]>

/** Turns the backlog into the series of gauges. `now` is the service's time. */
export const seriesOfBacklog = (
  { channel_requests, due, receivers }: Backlog,
  now: Timestamp,
): { readonly [gauge in keyof ReturnType<typeof gauges>]: Series } => {
  const secondsSince = (at: Timestamp | null) => (at === null ? 0 : Math.max(0, now - at) / 1_000)
  const labelled = channel_requests.map(
    ({ channel, status, ...rest }) => [{ channel, status }, rest] as const,
  )
  return {
    due: due.map(({ count, kind }) => [{ kind }, count]),
    dueLag: due.map(({ kind, oldest }) => [{ kind }, secondsSince(oldest)]),
    backlog: busiest(receivers, NAMED_RECEIVERS).map(({ count, receiver }) => [
      { receiver },
      count,
    ]),
    channelRequests: labelled.map(([labels, { count }]) => [labels, count]),
    channelRequestAge: labelled.map(([labels, { oldest }]) => [labels, secondsSince(oldest)]),
  }
}

const gauges = () => ({
  due: settable(METRICS.due),
  dueLag: settable(METRICS.dueLag),
  backlog: settable(METRICS.backlog),
  channelRequests: settable(METRICS.channelRequests),
  channelRequestAge: settable(METRICS.channelRequestAge),
})

/** Counts the backlog in the database, and sets the gauges to it. */
export const observeBacklog = Effect.gen(function* () {
  const reads = yield* BacklogReads
  const set = gauges()
  const countedAt = settable(METRICS.countedAt)
  return Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const series = seriesOfBacklog(yield* reads.count(now), now)
    for (const name of Object.keys(set) as ReadonlyArray<keyof typeof set>) set[name](series[name])
    countedAt([[{}, Date.now() / 1_000]])
  })
})
