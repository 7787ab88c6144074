import { Cause, Effect, type Layer, Logger, References } from "effect"
import { toIso } from "../../core/shared/Timestamp.ts"

/** The patterns of keys, secrets and signatures anywhere in a text. */
const SECRETS = [
  /\b(?:ag_)?sk_(?:test|live)_[\w-]{8,}/g,
  /\bwhsec_[\w-]{8,}/g,
  /\bBearer\s+[^\s"\\]+/gi,
  /\b[0-9a-f]{64}\b/g,
  /\b(?:postgres(?:ql)?|https?):\/\/[^\s:/@"]+:[^\s@"]+@/g,
]

/** Names of fields whose values are never logged. */
const SECRET_NAMES =
  /(?:authorization|api_?key|admin_?key|master_?key|secret|password|signature|token|otp|cookie)$/i

/** Every secret except a digest contains one of these, so most lines need only this check. */
const SUSPICIOUS = /sk_|whsec_|:\/\/|bearer/i

const DIGEST_LENGTH = 64

const isHex = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 102)

/**
 * Whether the text has a run of hexadecimal digits as long as a digest. Such a run covers a
 * position that is a multiple of its length, so only these positions are checked.
 */
const holdsDigest = (text: string): boolean => {
  for (let at = DIGEST_LENGTH - 1; at < text.length; at += DIGEST_LENGTH) {
    if (!isHex(text.charCodeAt(at))) continue
    let first = at
    let last = at
    while (isHex(text.charCodeAt(first - 1))) first -= 1
    while (isHex(text.charCodeAt(last + 1))) last += 1
    if (last - first + 1 >= DIGEST_LENGTH) return true
  }
  return false
}

const HIDDEN = "[hidden]"

/** Returns the text with secrets replaced. */
export const redactText = (text: string): string =>
  SUSPICIOUS.test(text) || holdsDigest(text)
    ? SECRETS.reduce((shown, secret) => shown.replace(secret, HIDDEN), text)
    : text

/** A replacer for `JSON.stringify` that hides the values of fields with secret names. */
const hideNamed = (name: string, value: unknown): unknown => {
  if (name !== "" && SECRET_NAMES.test(name) && value !== null) return HIDDEN
  if (typeof value === "bigint") return value.toString()
  if (value instanceof Error) return { name: value.name, message: value.message }
  return value
}

const isFlat = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Names of fields that every line may have. None is secret. */
const PLAIN_NAMES = new Set([
  "time",
  "level",
  "message",
  "request_id",
  "account_id",
  "method",
  "route",
  "status",
  "code",
  "duration_ms",
])

/** Returns JSON without secrets. A record of plain values needs no replacer. */
const hiddenJson = (record: { readonly [name: string]: unknown }): string => {
  for (const name in record) {
    const isPlain = isFlat(record[name]) && (PLAIN_NAMES.has(name) || !SECRET_NAMES.test(name))
    if (!isPlain) return JSON.stringify(record, hideNamed)
  }
  return JSON.stringify(record)
}

const plain = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? plain(value[0]) : value

/** A log line: JSON with the time, the level, the message and its annotations. */
const formatLine = Logger.make(({ cause, date, fiber, logLevel, message }): string =>
  redactText(
    hiddenJson({
      time: toIso(date.getTime()),
      level: logLevel.toLowerCase(),
      message: plain(message),
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...(cause.reasons.length > 0 && { cause: Cause.pretty(cause) }),
    }),
  ),
)

/** Writes all lines of one turn of the event loop together. */
const makeBatch = (write: (text: string) => void) => {
  let waiting = ""
  const flush = () => {
    const text = waiting
    waiting = ""
    if (text !== "") write(text)
  }
  const add = (line: string) => {
    if (waiting === "") setImmediate(flush)
    waiting += `${line}\n`
  }
  return { add, flush }
}

const toStderr = (text: string) => void process.stderr.write(text)

/** Logs JSON lines, by default to stderr. */
export const layerJsonLines = (write: (text: string) => void = toStderr): Layer.Layer<never> =>
  Logger.layer([
    Effect.acquireRelease(
      Effect.sync(() => makeBatch(write)),
      (batch) => Effect.sync(batch.flush),
    ).pipe(Effect.map((batch) => Logger.map(formatLine, batch.add))),
  ])
