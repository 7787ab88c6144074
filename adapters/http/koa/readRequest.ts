import { Effect, Result } from "effect"
import type { Incoming } from "../../shared/Exchange.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import type { UnknownField } from "../../../core/shared/Decode.ts"
import { parseJson } from "../../shared/parseJson.ts"
import { announcedLength, type CallerGone, readBody } from "../../shared/readBody.ts"
import type { HeldBytes } from "./BodyBudget.ts"
import type { Route } from "./Route.ts"

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
const JSON_MEDIA =
  /^application\/(?:json|[\w!#$&^.+-]+\+json)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

/** The form of `X-Operator`. It allows no e-mail addresses: the audit log keeps them for ever. */
const OPERATOR_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const flawed = (name: string, reason: string) =>
  Result.fail(
    new Failure({
      code: "INVALID_REQUEST",
      message: `The header ${name} is not valid: ${reason}.`,
      field: name,
      details: [{ field: name, reason }],
    }),
  )

/** Reads a header; undefined without it. `wanted` describes the form of its values. */
const readHeader = (
  { headers }: Incoming,
  name: string,
  form: RegExp,
  wanted: string,
): Result.Result<string | undefined, Failure> => {
  const value = headers[name.toLowerCase()]
  if (value === undefined) return Result.succeed(undefined)
  if (typeof value === "string" && form.test(value)) return Result.succeed(value)
  return flawed(name, `must be ${wanted}`)
}

/**
 * Reads the `Idempotency-Key` of a request; undefined without one.
 *
 * Fails with `INVALID_REQUEST` for a key that is not 1 to 255 visible ASCII characters.
 */
export const idempotencyKey = (req: Incoming) =>
  readHeader(req, "Idempotency-Key", IDEMPOTENCY_KEY, "1 to 255 visible ASCII characters")

/**
 * Returns the actor of an operator's request for the audit log: `operator`, with a colon and the
 * name in `X-Operator` if there is one.
 *
 * Fails with `INVALID_REQUEST` for a name that has another form, or is one of `taken`.
 */
export const operatorName = (
  req: Incoming,
  taken: ReadonlySet<string | null>,
): Result.Result<string, Failure> =>
  Result.flatMap(
    readHeader(
      req,
      "X-Operator",
      OPERATOR_NAME,
      "1 to 64 letters, digits, dots, hyphens and underscores",
    ),
    (name) => {
      if (name === undefined) return Result.succeed("operator")
      if (!taken.has(name)) return Result.succeed(`operator:${name}`)
      return flawed("X-Operator", "must not be the name of an operator with a key of their own")
    },
  )

const STRICT = /(?:^|[,;\s])handling\s*=\s*"?strict"?\s*(?:$|[,;])/i

/** Whether the caller wants unknown fields refused: `Prefer: handling=strict` (RFC 7240). */
export const prefersStrict = ({ headers: { prefer } }: Incoming): boolean =>
  prefer !== undefined && STRICT.test(String(prefer))

/** The longest header with the names of ignored fields. */
const MOST_IGNORED = 2_048

/** Returns the names of ignored fields for a header: percent-encoded, as many as fit. */
export const ignoredFields = (unknown: ReadonlyArray<UnknownField>): string | null => {
  let text = ""
  for (const { field } of unknown) {
    const more = `${text === "" ? "" : ", "}${encodeURIComponent(field)}`
    if (text.length + more.length > MOST_IGNORED) break
    text += more
  }
  return text === "" ? null : text
}

const unsupported = (message: string) => new Failure({ code: "UNSUPPORTED_MEDIA_TYPE", message })

/** Most callers send exactly this, which needs no regular expression. */
const isJson = (type: string): boolean => type === "application/json" || JSON_MEDIA.test(type)

/** Returns the refusal of a body whose headers do not announce plain JSON; undefined otherwise. */
const mediaFlaw = (req: Incoming, hasJson: boolean) => {
  if (req.headers["content-encoding"] !== undefined) {
    return unsupported("Send the body without a Content-Encoding.")
  }
  return hasJson && !isJson(req.headers["content-type"] ?? "")
    ? unsupported("Send JSON with Content-Type: application/json.")
    : undefined
}

const refuse = (message: string, field?: string) =>
  Result.fail(
    new Failure({
      code: "INVALID_QUERY",
      message,
      ...(field !== undefined && { field, details: { field } }),
    }),
  )

const decodePart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** A name of another form may be a secret, so the refusal does not repeat it. */
const NAME = /^[a-z_]{1,32}$/

/** A search accepts any text (Service registry). */
const SEARCHED: ReadonlySet<string> = new Set(["q"])

const NONE = Result.succeed({})

/** Parses a query string. Each parameter may occur once, and only the given names. */
export const parseQuery = (
  query: string,
  names: ReadonlySet<string>,
): Result.Result<{ readonly [name: string]: string }, Failure> => {
  if (query === "") return NONE
  const found: { [name: string]: string } = {}
  for (const pair of query.split("&")) {
    if (pair === "") continue
    const [rawName = "", ...rest] = pair.split("=")
    const name = decodePart(rawName)
    if (name === undefined) {
      return refuse("The name of a query parameter is not valid percent-encoding of UTF-8.")
    }
    if (!names.has(name)) {
      const known = names.size === 0 ? "none" : [...names].join(", ")
      const given = NAME.test(name) ? ` ${name}` : " of this name"
      return refuse(`There is no query parameter${given}. The known ones are: ${known}.`)
    }
    const value = decodePart(rest.join("="))
    if (value === undefined) {
      const wrong = "is not valid percent-encoding of UTF-8. Write a percent sign as %25."
      return refuse(`The value of the query parameter ${name} ${wrong}`, name)
    }
    if (value.includes("\u0000") && !SEARCHED.has(name)) {
      return refuse(`The query parameter ${name} must not contain NUL.`, name)
    }
    if (Object.hasOwn(found, name))
      return refuse(`The query parameter ${name} is there twice. Send it once.`, name)
    found[name] = value
  }
  return Result.succeed(found)
}

const missingBody = () =>
  new Failure({ code: "INVALID_JSON", message: "Send the fields as a JSON object." })

/** Reads the body of the request: its fields, its bytes, or an empty object without a body. */
export const readInput = <R>(
  route: Route<R>,
  req: Incoming,
  held: HeldBytes | undefined,
): Effect.Effect<unknown, Failure | CallerGone> => {
  if (route.body === "unread") return Effect.succeed({})
  const length = announcedLength(req)
  // The handler decides what bytes mean: a bank's callback may be a form.
  const isJsonDue = length !== 0 && route.body !== "bytes"
  // Without a length, a body that may be missing has a media type only once bytes have come.
  const isCheckedLater = length === undefined && route.bodyOptional
  const flaw = mediaFlaw(req, isJsonDue && !isCheckedLater)
  if (flaw !== undefined) return Effect.fail(flaw)
  const reading = readBody(req, route.limit, held)
  if (route.body === "bytes") return reading
  return Effect.flatMap(reading, (bytes): Effect.Effect<unknown, Failure> => {
    if (bytes.length === 0) {
      return route.bodyOptional ? Effect.succeed({}) : Effect.fail(missingBody())
    }
    const late = mediaFlaw(req, isCheckedLater)
    return late === undefined ? Effect.fromResult(parseJson(bytes)) : Effect.fail(late)
  })
}

/** A request's target: the path as sent, and the query. */
export interface Target {
  readonly path: string
  readonly query: string
}

/** Returns the target of a URL, without the origin that a proxy may send. */
export const targetOf = (url = "/"): Target => {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, "")
  const mark = target.indexOf("?")
  return mark < 0
    ? { path: target, query: "" }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}
