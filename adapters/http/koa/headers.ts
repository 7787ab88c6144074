import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { Failure } from "../../../core/shared/Failure.ts"

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
const JSON_MEDIA =
  /^application\/(?:json|[\w!#$&^.+-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** The form of `X-Operator`: no e-mail addresses, since the audit log keeps them for ever. */
const OPERATOR_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The value of a header; undefined without it. `wanted` is the form that its values have. */
const readHeader = (
  { headers }: IncomingMessage,
  name: string,
  form: RegExp,
  wanted: string,
): Result.Result<string | undefined, Failure> => {
  const value = headers[name.toLowerCase()]
  if (value === undefined) return Result.succeed(undefined)
  if (typeof value === "string" && form.test(value)) return Result.succeed(value)
  const reason = `must be ${wanted}`
  return Result.fail(
    new Failure({
      code: "INVALID_REQUEST",
      message: `The header ${name} is not valid: ${reason}.`,
      field: name,
      details: [{ field: name, reason }],
    }),
  )
}

/**
 * The `Idempotency-Key` of a request; undefined when it has none.
 *
 * Fails with `INVALID_REQUEST` for a key that is not 1 to 255 visible ASCII characters.
 */
export const idempotencyKey = (req: IncomingMessage) =>
  readHeader(req, "Idempotency-Key", IDEMPOTENCY_KEY, "1 to 255 visible ASCII characters")

/**
 * The actor of an operator's request for the audit log: `operator`, with the name in `X-Operator`
 * behind a colon where there is one.
 *
 * Fails with `INVALID_REQUEST` for a name that is not of the allowed form.
 */
export const operatorName = (req: IncomingMessage): Result.Result<string, Failure> =>
  Result.map(
    readHeader(
      req,
      "X-Operator",
      OPERATOR_NAME,
      "1 to 64 letters, digits, dots, hyphens and underscores",
    ),
    (name) => (name === undefined ? "operator" : `operator:${name}`),
  )

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
