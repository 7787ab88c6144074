import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { Failure } from "../../../core/shared/Failure.ts"

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
const JSON_MEDIA =
  /^application\/(?:json|[\w!#$&^.+-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/**
 * The `Idempotency-Key` of a request; undefined when it has none.
 *
 * Fails with `INVALID_REQUEST` for a key that is not 1 to 255 visible ASCII characters.
 */
export const idempotencyKey = (
  req: IncomingMessage,
): Result.Result<string | undefined, Failure> => {
  const key = req.headers["idempotency-key"]
  if (key === undefined) return Result.succeed(undefined)
  if (typeof key === "string" && IDEMPOTENCY_KEY.test(key)) return Result.succeed(key)
  const reason = "must be 1 to 255 visible ASCII characters"
  return Result.fail(
    new Failure({
      code: "INVALID_REQUEST",
      message: `The header Idempotency-Key is not valid: ${reason}.`,
      field: "Idempotency-Key",
      details: [{ field: "Idempotency-Key", reason }],
    }),
  )
}

const unsupported = (message: string) => new Failure({ code: "UNSUPPORTED_MEDIA_TYPE", message })

/** The refusal of a body whose headers do not announce plain JSON; undefined when they do. */
export const mediaFlaw = (req: IncomingMessage, hasBody: boolean) => {
  if (req.headers["content-encoding"] !== undefined) {
    return unsupported("Send the body without a Content-Encoding.")
  }
  return hasBody && !JSON_MEDIA.test(req.headers["content-type"] ?? "")
    ? unsupported("Send JSON with Content-Type: application/json.")
    : undefined
}
