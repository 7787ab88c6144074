import { Effect } from "effect"
import { CurrentRequest, ReplyTaken, type RequestProgress } from "./Reply.ts"
import { Conflict } from "../commits/Commit.ts"
import { Failure } from "../shared/Failure.ts"

const ATTEMPTS = 12

/**
 * Reads, decides and commits again when something changed in between. A contest that goes on for
 * `attempts` rounds ends with `TEMPORARILY_UNAVAILABLE`; an answer that another request stored
 * under the same Idempotency-Key ends it at once, since deciding again would not help.
 */
export const retryConflict = <A, E, R>(
  attempt: Effect.Effect<A, E | Conflict, R>,
  attempts: number = ATTEMPTS,
): Effect.Effect<A, Exclude<E, Conflict> | Failure<"TEMPORARILY_UNAVAILABLE"> | ReplyTaken, R> => {
  const run = (
    left: number,
    progress: RequestProgress | undefined,
    before: RequestProgress["state"],
  ): Effect.Effect<A, Exclude<E, Conflict> | Failure<"TEMPORARILY_UNAVAILABLE"> | ReplyTaken, R> =>
    Effect.catch(attempt, (error) => {
      if (!(error instanceof Conflict)) return Effect.fail(error as Exclude<E, Conflict>)
      // The reply that was to be stored with the refused commit was not.
      if (progress !== undefined) progress.state = before
      if (error.reason.type === "reply_taken") return Effect.fail(new ReplyTaken())
      if (left === 0) return Effect.fail(contended())
      return Effect.andThen(Effect.yieldNow, run(left - 1, progress, before))
    })
  return Effect.flatMap(CurrentRequest, (request) =>
    run(attempts - 1, request?.progress, request?.progress.state ?? "none"),
  )
}

const contended = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many requests change this resource at once. Try again in a second.",
    retry_after: 1,
  })
