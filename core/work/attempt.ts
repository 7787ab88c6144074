import { Cause, Effect } from "effect"
import { isFailure } from "../shared/Failure.ts"

const hasTag = (error: unknown, tag: string): boolean =>
  typeof error === "object" && error !== null && Reflect.get(error, "_tag") === tag

/** Returns whether another process wrote in between. */
const isOvertaken = (error: unknown): boolean => hasTag(error, "Conflict")

/** Returns whether the work only has to wait, for example for an exchange rate. */
const isTooSoon = (error: unknown): boolean =>
  isFailure(error) && error.code === "TEMPORARILY_UNAVAILABLE"

/**
 * Runs one piece of work so that its failure affects nothing else. A failure is logged, as an error
 * unless it is expected to pass, and the piece falls due again. Returns what the work returns, or
 * false if it failed.
 */
export const attempt = <E, R>(
  kind: string,
  id: string,
  work: Effect.Effect<boolean, E, R>,
): Effect.Effect<boolean, never, R> =>
  work.pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.succeed(false)
      const failedBy = (is: (error: unknown) => boolean) =>
        cause.reasons.every((reason) => reason._tag === "Fail" && is(reason.error))
      const log = failedBy(isOvertaken)
        ? Effect.logDebug("Another change has already done this due work.")
        : failedBy(isTooSoon)
          ? Effect.logWarning("Due work has to wait and will be tried again.", cause)
          : Effect.logError("Due work failed and will be tried again.", cause)
      return Effect.as(log, false)
    }),
    Effect.annotateLogs({ kind, id }),
  )
