import { Cause, Effect } from "effect"
import { isFailure } from "../shared/Failure.ts"

const hasTag = (error: unknown, tag: string): boolean =>
  typeof error === "object" && error !== null && Reflect.get(error, "_tag") === tag

/** Whether another process wrote in between. */
const isOvertaken = (error: unknown): boolean => hasTag(error, "Conflict")

/** Whether it only has to wait, for an exchange rate for instance. */
const isTooSoon = (error: unknown): boolean =>
  isFailure(error) && error.code === "TEMPORARILY_UNAVAILABLE"

/**
 * Does one piece of work whose failure is nobody else's business: it is written to the log, as an
 * error unless it is foreseen to pass, and the piece is left to fall due again. Returns what the
 * work returns, and false when it failed.
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
        ? Effect.logDebug("Due work was overtaken by another change.")
        : failedBy(isTooSoon)
          ? Effect.logWarning("Due work has to wait and will be tried again.", cause)
          : Effect.logError("Due work failed and will be tried again.", cause)
      return Effect.as(log, false)
    }),
    Effect.annotateLogs({ kind, id }),
  )
