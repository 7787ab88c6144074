import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { type Failure, isFailure } from "../shared/Failure.ts"
import { utcDay } from "../shared/Timestamp.ts"
import { REFUSAL_COUNTERS } from "./LogEntry.ts"
import { type Actor, logged } from "./logged.ts"

/** So many refusals of a key are entered a day: whoever tries for hours fills no log. */
const MOST_A_DAY = 20

/** Which restriction of a key a failure is for; undefined for every other failure. */
const restrictionIn = ({ code, details }: Failure): string | undefined => {
  const said = { ...details } as { readonly restriction?: unknown; readonly cap?: unknown }
  if (code === "SPEND_CAP_EXCEEDED") return said.cap === "key" ? "budget" : undefined
  if (code !== "FORBIDDEN" || typeof said.restriction !== "string") return undefined
  return said.restriction
}

/**
 * Enters in the account's log that a key was refused for its restriction. Beyond the day's number
 * nothing is written, and what the store cannot take is not waited for: the refusal stands.
 */
export const noteRefusal = Effect.fnUntraced(function* (by: Actor, restriction: string) {
  const day = utcDay(yield* Clock.currentTimeMillis)
  const counter = `${REFUSAL_COUNTERS}${by.actor}:${day}`
  const entry = yield* logged(by, "api_key.refused", by.actor, { restriction })
  const commit = { writes: [entry], reservations: [{ counter, add: 1, limit: MOST_A_DAY }] }
  yield* Effect.ignore((yield* Store).commit(commit))
})

/** What a restricted key does, with an entry for what its restrictions refuse. */
export const noteRefusals = <A, E, R>(by: Actor, doing: Effect.Effect<A, E, R>) =>
  Effect.tapError(doing, (error) => {
    const restriction = isFailure(error) ? restrictionIn(error) : undefined
    return restriction === undefined ? Effect.void : noteRefusal(by, restriction)
  })
