import { Effect, Layer } from "effect"
import { QrReader, type ReadImage } from "../../core/ports/QrReader.ts"
import { Failure } from "../../core/shared/Failure.ts"
import * as limits from "./limits.ts"
import type { Refusal } from "./messages.ts"
import { type Outcome, ReaderProcess, type ProcessLimits } from "./ReaderProcess.ts"

const invalid = (message: string) => new Failure({ code: "INVALID_IMAGE", message, field: "image" })

const tooLarge = (message: string, limit: object) =>
  new Failure({ code: "PAYLOAD_TOO_LARGE", message, field: "image", details: limit })

const tooSlow = () => invalid("The image takes too long to decode. Send a smaller one.")

const refuse = (refusal: Refusal) => {
  switch (refusal) {
    case "not_base64":
      return invalid("The image is not in base64. Send base64, or data:image/png;base64,…")
    case "not_image":
      return invalid("The image is not a PNG, JPEG, WebP or GIF.")
    case "broken_image":
      return invalid("The image is damaged: it could not be decoded.")
    case "slow_image":
      return tooSlow()
    case "too_many_bytes":
      return tooLarge("The image is larger than 8 MiB.", { limit: limits.MOST_BYTES })
    case "too_many_pixels":
      return tooLarge("The image has more than 40 megapixels.", {
        limit_pixels: limits.MOST_PIXELS,
      })
    case "too_long_side":
      return tooLarge(`The image is longer or wider than ${limits.MOST_SIDE} pixels.`, {
        limit_side: limits.MOST_SIDE,
      })
  }
}

const busy = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many images are waiting. Send the image again in a few seconds.",
    retry_after: 3,
  })

const DEFAULTS: ProcessLimits = {
  startWithin: limits.START_WITHIN,
  readWithin: limits.READ_WITHIN,
  waitWithin: limits.WAIT_WITHIN,
  idleFor: limits.IDLE_FOR,
  mostWaiting: limits.MOST_WAITING,
  mostOfOne: limits.MOST_OF_ONE,
}

const answer = (
  outcome: Outcome,
): Effect.Effect<
  ReadImage,
  Failure<"INVALID_IMAGE" | "PAYLOAD_TOO_LARGE" | "TEMPORARILY_UNAVAILABLE">
> => {
  switch (outcome.type) {
    case "read":
      return Effect.succeed(outcome.image)
    case "refused":
      return Effect.fail(refuse(outcome.refusal))
    case "busy":
      return Effect.fail(busy())
    case "too_slow":
      return Effect.fail(tooSlow())
    case "crashed":
      return Effect.fail(invalid("The image could not be decoded."))
    case "no_process":
      return Effect.andThen(
        Effect.logError("the reader of images does not start", outcome.cause),
        Effect.fail(busy()),
      )
  }
}

/**
 * Reads images in a separate process, one at a time. Accounts take turns. Without images it costs
 * nothing.
 */
export const layer = (given: Partial<ProcessLimits> = {}): Layer.Layer<QrReader> =>
  Layer.effect(
    QrReader,
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => new ReaderProcess({ ...DEFAULTS, ...given })),
        (process) => Effect.promise(() => process.close()),
      ),
      (process) => ({
        read: (base64: string, account_id: string) =>
          Effect.flatMap(
            Effect.callback<Outcome>((resume) => {
              const done = (outcome: Outcome) => resume(Effect.succeed(outcome))
              return Effect.sync(process.read(base64, account_id, done))
            }),
            answer,
          ),
      }),
    ),
  )
