import { Config, Effect, Option, Redacted, Schema, SchemaIssue } from "effect"
import { readFile } from "node:fs/promises"
import type { HttpChannel } from "../../adapters/channels/http/HttpChannel.ts"
import { type Catalog, find } from "../../core/channels/Channel.ts"
import { isPrivateUrl, StartFailure } from "./address.ts"

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
    Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 9_000 })),
  ),
})
type Entry = typeof Entry.Type

const File = Schema.Struct({ channels: Schema.Record(Schema.String, Entry) })

const decodeFile = Schema.decodeUnknownResult(File, { onExcessProperty: "error" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** A job of a worker has 10 seconds. */
const TIMEOUT_MS = 8_000

/** The check of a value, and what the value has to be. */
interface Rule {
  readonly wanted: string
  readonly isRight: (text: string) => boolean
}

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.search === "" && url.hash === "" && isPrivateUrl(text)
}

const isSecret = (text: string): boolean =>
  /^[\x21-\x7e]{16,256}$/.test(text) && new Set(text).size >= 4

const rules = {
  base_url: {
    wanted: "an https URL without user name, query and fragment; http reaches this machine only",
    isRight: isBaseUrl,
  },
  key_id: {
    wanted: "1 to 128 visible ASCII characters",
    isRight: (text: string) => /^[\x21-\x7e]{1,128}$/.test(text),
  },
  secret: { wanted: "a random secret of 16 to 256 visible ASCII characters", isRight: isSecret },
  callback_secret: {
    wanted: "a random secret of 16 to 256 visible ASCII characters",
    isRight: isSecret,
  },
} satisfies { readonly [field: string]: Rule }

type Field = keyof typeof rules

const failure = (path: string, problem: string): StartFailure =>
  new StartFailure({ message: `PAYPORT_CHANNELS: ${path}: ${problem}` })

const parse = Effect.fnUntraced(function* (path: string) {
  const text = yield* Effect.tryPromise({
    try: () => readFile(path, "utf8"),
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
    // A value in the file may be a secret: the message names only its place.
    const wrong =
      issue?.message === "Missing key" ? "is required" : "is not what it has to be, or not known"
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
    if (rules[field].isRight(text)) return text
    return yield* failure(path, `${place} has to be ${rules[field].wanted}.`)
  })
  const secret = yield* value("secret")
  const callback_secret = yield* value("callback_secret")
  if (secret === callback_secret) {
    const place = `channels.${channel}.callback_secret`
    return yield* failure(path, `${place} has to be another one than secret.`)
  }
  const opened: HttpChannel = {
    channel,
    base_url: (yield* value("base_url")).replace(/\/+$/, ""),
    key_id: yield* value("key_id"),
    secret: Redacted.make(secret),
    callback_secret: Redacted.make(callback_secret),
    timeout_ms: entry.timeout_ms ?? TIMEOUT_MS,
  }
  return opened
})

/**
 * The channels of the file at `path`, with the values of their environment variables. Fails with a
 * `StartFailure` for the first error, which names file and field and shows no secret.
 */
export const readChannels = Effect.fnUntraced(function* (path: string, catalog: Catalog) {
  const { channels } = yield* parse(path)
  const entries = Object.entries(channels)
  if (entries.length === 0) return yield* failure(path, "channels has to name one at least.")
  return yield* Effect.forEach(entries, ([channel, entry]) =>
    find(catalog, channel) === undefined
      ? Effect.fail(
          failure(
            path,
            `channels.${channel.slice(0, 64)} is no channel; there are ` +
              `${catalog.map(({ id }) => id).join(", ")}.`,
          ),
        )
      : open(path, channel, entry),
  )
})
