import { Effect, Result } from "effect"
import { ChannelRefusal } from "../../../core/ports/Channels.ts"
import type { WallClock } from "../../../core/ports/WallClock.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { makeAdmission, type Refused } from "../Admission.ts"
import { thrownReason } from "../../shared/thrownReason.ts"
import { LONGEST } from "../http/retryAfter.ts"
import type { Asked } from "./OwnChannel.ts"

const broken = (reason: "down" | "nonsense", message: string): Refused => ({
  broken: true,
  refusal: new ChannelRefusal({ reason, message }),
})

const REASONS = ["rate_limited", "down", "credentials", "generation_failed"] as const

/** Returns a thrown `ChannelRefusal`. A host's proxy may throw where it is asked what it is. */
const refusalIn = (error: unknown): ChannelRefusal | undefined =>
  Result.getOrUndefined(Result.try(() => (error instanceof ChannelRefusal ? error : undefined)))

/** Maps a thrown value: a `ChannelRefusal`, or anything else. */
const thrown = (channel: string, name: string, error: unknown): Refused => {
  const message = `${name} of ${channel} failed: ${thrownReason(error)}`
  const chosen = refusalIn(error)
  const reason = REASONS.find((known) => known === chosen?.reason) ?? "down"
  if (reason !== "rate_limited") {
    return { broken: reason === "down", refusal: new ChannelRefusal({ reason, message }) }
  }
  const retry_after = Math.min(Math.max(Math.ceil(chosen?.retry_after ?? 1) || 1, 1), LONGEST)
  return { broken: false, refusal: new ChannelRefusal({ reason, message, retry_after }) }
}

/**
 * Runs a function of the host with a time limit and returns its result, which may be a promise or
 * an effect. Fails with what the function throws, never with a defect. Later work is not awaited.
 */
export const given = <Question>(
  run: Asked<Question, unknown>,
  question: Question,
  timeout: number,
): Effect.Effect<unknown, { readonly thrown: unknown }> =>
  Effect.flatMap(Effect.context(), (context) =>
    Effect.tryPromise({
      try: async (signal) => {
        const answer = await run(question, { signal })
        return Effect.isEffect(answer)
          ? await Effect.runPromiseWith(context)(answer as Effect.Effect<unknown, unknown>, {
              signal,
            })
          : answer
      },
      catch: (error) => ({ thrown: error }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => Effect.fail({ thrown: new Error(`no answer within ${timeout} ms`) }),
      }),
    ),
  )

/** Returns functions that call one channel while it answers. */
export const makeAsk = (channel: string, timeout: number, clock: WallClock["Service"]) => {
  const admission = makeAdmission(channel)

  const note = Effect.fnUntraced(function* (refused: Refused | undefined) {
    admission.note(refused, yield* clock.now)
    if (refused === undefined) return
    const { message, reason } = refused.refusal
    const text = "A channel refused a request or did not answer."
    yield* Effect.logWarning(text, { channel, reason, message })
  })

  return {
    health: Effect.map(clock.now, admission.health),

    /** Calls once, and decodes the answer. After a failure the effect is unknown. */
    ask: <Question, Answer>(
      name: string,
      run: Asked<Question, unknown>,
      read: (answer: unknown) => Result.Result<Answer, Failure>,
    ) =>
      Effect.fnUntraced(function* (question: Question) {
        const refusal = admission.refusal(yield* clock.now)
        if (refusal !== undefined) return yield* refusal
        const answered = yield* given(run, question, timeout).pipe(
          Effect.mapError(({ thrown: error }) => thrown(channel, name, error)),
          Effect.flatMap((answer) =>
            Effect.fromResult(
              Result.mapError(read(answer), ({ message }) =>
                broken("nonsense", `The answer of ${name} of ${channel} is not valid: ${message}`),
              ),
            ),
          ),
          Effect.result,
        )
        if (Result.isFailure(answered)) {
          yield* note(answered.failure)
          return yield* answered.failure.refusal
        }
        yield* note(undefined)
        return answered.success
      }),
  }
}
