import { Cause, Effect } from "effect"

const hasTag = (error: unknown, tag: string): boolean =>
  typeof error === "object" && error !== null && Reflect.get(error, "_tag") === tag

/**
 * Does one piece of work whose failure is nobody else's business: it is written to the log, and the
 * piece is left to fall due again. Returns what the work returns, and false when it failed.
 */
export const attempt = <E, R>(
  kind: string,
  id: string,
  work: Effect.Effect<boolean, E, R>,
): Effect.Effect<boolean, never, R> =>
  work.pipe(
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.succeed(false)
      const moved = cause.reasons.every(
        (reason) => reason._tag === "Fail" && hasTag(reason.error, "Conflict"),
      )
      const said = moved
        ? Effect.logDebug("Due work was overtaken by another change.")
        : Effect.logError("Due work failed and will be tried again.", cause)
      return Effect.as(said, false)
    }),
    Effect.annotateLogs({ kind, id }),
  )
