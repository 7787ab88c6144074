import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { type Failure, isFailure } from "../shared/Failure.ts"
import { utcDay } from "../shared/Timestamp.ts"
import { REFUSAL_COUNTERS } from "./LogEntry.ts"
import { type Actor, logged } from "./logged.ts"

/** The most refusals of a key that are logged a day, so that repeated tries do not fill the log. */
const MOST_A_DAY = 20

/** Returns the restriction that a failure is about; undefined for other failures. */
const restrictionIn = ({ code, details }: Failure): string | undefined => {
  const said = { ...details } as { readonly restriction?: unknown; readonly cap?: unknown }
  if (code === "SPEND_CAP_EXCEEDED") return said.cap === "key" ? "budget" : undefined
  if (code !== "FORBIDDEN" || typeof said.restriction !== "string") return undefined
  return said.restriction
}

/**
 * Logs that a key was refused because of its restriction. Writes nothing beyond the day's limit,
 * and ignores errors of the store, since the refusal does not depend on the log.
 */
export const noteRefusal = Effect.fnUntraced(function* (by: Actor, restriction: string) {
  const day = utcDay(yield* Clock.currentTimeMillis)
  const counter = `${REFUSAL_COUNTERS}${by.actor}:${day}`
  const entry = yield* logged(by, "api_key.refused", by.actor, { restriction })
  const commit = { writes: [entry], reservations: [{ counter, add: 1, limit: MOST_A_DAY }] }
  yield* Effect.ignore((yield* Store).commit(commit))
})

/** Runs an effect of a restricted key, and logs a failure because of its restrictions. */
export const noteRefusals = <A, E, R>(by: Actor, doing: Effect.Effect<A, E, R>) =>
  Effect.tapError(doing, (error) => {
    const restriction = isFailure(error) ? restrictionIn(error) : undefined
    return restriction === undefined ? Effect.void : noteRefusal(by, restriction)
  })
