import type { Timestamp } from "../shared/Timestamp.ts"
import type { ServiceManifest } from "./ServiceManifest.ts"

/** A time in which a service was paused. */
export interface Pause {
  readonly from: Timestamp
  /** When the service was resumed or deprecated; null while it is paused. */
  readonly to: Timestamp | null
}

/** The most pauses that a service keeps. */
export const MOST_PAUSES = 50

/**
 * Joins the two oldest of too many pauses. So nobody is billed for a period that began in one of
 * them, and a seller that pauses that often while no worker comes loses the period between.
 */
const bounded = (pauses: ReadonlyArray<Pause>): ReadonlyArray<Pause> => {
  const [first, second, ...others] = pauses
  return first === undefined || second === undefined || pauses.length <= MOST_PAUSES
    ? pauses
    : [{ from: first.from, to: second.to }, ...others]
}

/** Returns a service's pauses after a move: one that begins, or the end of the last one. */
export const pausesAfter = (
  { pauses, status }: Pick<ServiceManifest, "pauses" | "status">,
  next: ServiceManifest["status"],
  at: Timestamp,
): ReadonlyArray<Pause> => {
  if (next === "paused") return bounded([...pauses, { from: at, to: null }])
  if (status !== "paused") return pauses
  return pauses.map((pause) => (pause.to === null ? { ...pause, to: at } : pause))
}

/** What a service is to its subscribers at a time. */
export type Standing = "offered" | "paused" | "ended"

/**
 * Returns what a service was at a time, whatever has happened to it since. Workers come late after
 * an outage, so that what a period costs must not depend on when one comes. A service that does not
 * exist any more has ended.
 */
export const standingAt = (
  service: Pick<ServiceManifest, "pauses" | "deprecated_at"> | undefined,
  at: Timestamp,
): Standing => {
  if (service === undefined) return "ended"
  const { deprecated_at, pauses } = service
  if (deprecated_at !== null && deprecated_at <= at) return "ended"
  return pauses.some(({ from, to }) => from <= at && (to === null || at < to))
    ? "paused"
    : "offered"
}
