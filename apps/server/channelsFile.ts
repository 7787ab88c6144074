import { Config, Effect, Option, Redacted, Schema, SchemaIssue } from "effect"
import { readFile } from "node:fs/promises"
import {
  GATEWAY_RULES,
  GATEWAY_TIMEOUT,
  type HttpChannel,
} from "../../adapters/channels/http/HttpChannel.ts"
import { type Catalog, find } from "../../core/channels/Channel.ts"
import { fileText } from "../fileText.ts"
import { StartFailure } from "./StartFailure.ts"

const VariableName = Schema.String.check(
  Schema.isPattern(/^[A-Z][A-Z0-9_]{0,127}$/, { expected: "the name of an environment variable" }),
)

/** A value, or the environment variable that holds it. */
const ValueOrVariable = Schema.Union([Schema.String, Schema.Struct({ env: VariableName })])
type ValueOrVariable = typeof ValueOrVariable.Type

const Entry = Schema.Struct({
  base_url: ValueOrVariable,
  key_id: ValueOrVariable,
  secret: ValueOrVariable,
  callback_secret: ValueOrVariable,
  timeout_ms: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: GATEWAY_TIMEOUT.least, maximum: GATEWAY_TIMEOUT.most }),
    ),
  ),
})
type Entry = typeof Entry.Type

const File = Schema.Struct({ channels: Schema.Record(Schema.String, Entry) })

const decodeFile = Schema.decodeUnknownResult(File, { onExcessProperty: "error" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

type Field = keyof typeof GATEWAY_RULES

const failure = (path: string, problem: string): StartFailure =>
  new StartFailure({ message: `PAYPORT_CHANNELS: ${path}: ${problem}` })

const parse = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path).then(fileText),
    catch: (error) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : String(error)
      return failure(path, `the file cannot be read (${code}).`)
    },
  })
  const json = yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => failure(path, "the file has to be JSON."),
  })
  return yield* Effect.mapError(Effect.fromResult(decodeFile(json)), (error) => {
    const [issue] = format(error.issue).issues
    const field = (issue?.path ?? [])
      .map((part) => String(typeof part === "object" ? part.key : part))
      .join(".")
    // A value in the file may be a secret, so the message names only its place.
    const wrong =
      issue?.message === "Missing key"
        ? "is required"
        : "has the wrong form or is not a known field"
    return failure(path, `${field || "the file"} ${wrong}.`)
  })
})

const valueOf = Effect.fnUntraced(function* (path: string, place: string, given: ValueOrVariable) {
  if (typeof given === "string") return given
  const found = yield* Config.option(Config.String(given.env)).pipe(
    Effect.mapError(() => failure(path, `${place}: ${given.env} cannot be read.`)),
  )
  const text = Option.getOrElse(found, () => "").trim()
  return text === "" ? yield* failure(path, `${place} names ${given.env}, which is not set.`) : text
})

const open = Effect.fnUntraced(function* (path: string, channel: string, entry: Entry) {
  const value = Effect.fnUntraced(function* (field: Field) {
    const place = `channels.${channel}.${field}`
    const text = yield* valueOf(path, place, entry[field])
    if (GATEWAY_RULES[field].isRight(text)) return text
    return yield* failure(path, `${place} has to be ${GATEWAY_RULES[field].wanted}.`)
  })
  const secret = yield* value("secret")
  const callback_secret = yield* value("callback_secret")
  if (secret === callback_secret) {
    const place = `channels.${channel}.callback_secret`
    return yield* failure(path, `${place} has to differ from secret.`)
  }
  const opened: HttpChannel = {
    channel,
    base_url: (yield* value("base_url")).replace(/\/+$/, ""),
    key_id: yield* value("key_id"),
    secret: Redacted.make(secret),
    callback_secret: Redacted.make(callback_secret),
    timeout_ms: entry.timeout_ms ?? GATEWAY_TIMEOUT.usual,
  }
  return opened
})

/**
 * Reads the channels from the file at `path`, with the values of their environment variables. Fails
 * with a `StartFailure` for the first error, which names file and field and shows no secret.
 */
export const readChannels = Effect.fnUntraced(function* (path: string, catalog: Catalog) {
  const { channels } = yield* parse(path)
  const entries = Object.entries(channels)
  if (entries.length === 0)
    return yield* failure(path, "channels has to have at least one channel.")
  return yield* Effect.forEach(entries, ([channel, entry]) =>
    find(catalog, channel) === undefined
      ? Effect.fail(
          failure(
            path,
            `channels.${channel.slice(0, 64)} is not a channel. The channels are ` +
              `${catalog.map(({ id }) => id).join(", ")}.`,
          ),
        )
      : open(path, channel, entry),
  )
})
