import { Effect } from "effect"
import type { RateLeases } from "../../core/ports/RateLeases.ts"
import { METRICS } from "../shared/metrics/Metrics.ts"
import { seriesOf } from "../shared/metrics/series.ts"
import type { GroupFailure } from "./failures.ts"
import type { PoolMeasures } from "./sessions/PoolOptions.ts"

const waits = seriesOf(METRICS.poolWait, "pool")
const failures = seriesOf(METRICS.storeFailures, "pool", "kind")
const groupSize = seriesOf(METRICS.groupSize)()
const groupDuration = seriesOf(METRICS.groupDuration)()
const leases = seriesOf(METRICS.leases, "outcome")
const leaseDuration = seriesOf(METRICS.leaseDuration)()

const since = (began: number): number => (performance.now() - began) / 1_000

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined

/** Returns the kind of a pool's failure: `lock_timeout`, `connection`, `no_answer`. */
export const failureKind = (error: unknown): string => {
  const tag = fieldOf(fieldOf(error, "reason"), "_tag") ?? fieldOf(error, "_tag")
  if (typeof tag !== "string") return "unknown"
  return tag
    .replace(/Error$/, "")
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase()
}

/** Records how long a pool's sessions were waited for, in milliseconds, and their failures. */
export const poolMeasures = (name: string): PoolMeasures => {
  const wait = waits(name)
  return {
    waited: (milliseconds) => wait(milliseconds / 1_000),
    failed: (error) => failures(name, failureKind(error))(1),
  }
}

/** Sends groups of commits, and records their sizes, durations and failures. */
export const measuredGroups =
  <G extends { readonly length: number }, A, R>(
    send: (group: G, careful: boolean) => Effect.Effect<A, GroupFailure, R>,
  ): typeof send =>
  (group, careful) =>
    Effect.suspend(() => {
      const began = performance.now()
      groupSize(group.length)
      return send(group, careful).pipe(
        Effect.tap(() => Effect.sync(() => groupDuration(since(began)))),
        Effect.tapError(({ type }) => Effect.sync(() => failures("commits", type)(1))),
      )
    })

/** Records how long leases took, and how many requests got none. */
export const measuredLeases = ({ lease, ...others }: RateLeases["Service"]) => ({
  ...others,
  lease: (requests: Parameters<typeof lease>[0]) =>
    Effect.suspend(() => {
      const began = performance.now()
      return Effect.tap(lease(requests), (found) =>
        Effect.sync(() => {
          leaseDuration(since(began))
          for (const { granted } of found) leases(granted > 0 ? "granted" : "used_up")(1)
        }),
      )
    }),
})
