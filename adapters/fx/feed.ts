import { Data, Effect, Option, Schema } from "effect"
import { type Agent, type Dispatcher, request } from "undici"
import { ONE, readRate } from "../../core/shared/Rate.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { readBytes } from "../shared/readBytes.ts"
import type { RateTable } from "./RateTable.ts"

/** The feed gave no rates, with the reason. */
class FeedFailure extends Data.TaggedError("FeedFailure")<{ readonly reason: string }> {}

const MAX_BYTES = 1_024 * 1_024

/**
 * A feed's answer: the units of each currency that one dollar buys, as numbers or decimal strings,
 * and their time in unix seconds.
 */
const Feed = Schema.Struct({
  base: Schema.Literal("USD"),
  timestamp: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 })),
  rates: Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.String])),
})

const decodeFeed = Schema.decodeUnknownOption(Schema.fromJsonString(Feed))

/**
 * Returns the rates as a table. An unusable rate is left out and does not affect the others. The
 * base is in the table, too, since many feeds leave it out.
 */
const tableOf = ({ base, rates, timestamp }: typeof Feed.Type): RateTable => {
  const read = Object.entries(rates).flatMap(([code, written]) => {
    const rate = /^[A-Z]{3}$/.test(code) ? readRate(String(written)) : undefined
    return rate === undefined ? [] : [[code, rate] as const]
  })
  const per_dollar = Object.fromEntries(read)
  return { as_of: timestamp * SECOND, per_dollar: { ...per_dollar, [base]: ONE } }
}

const readBounded = async (body: Dispatcher.ResponseData["body"]): Promise<string> => {
  const bytes = await readBytes(body, MAX_BYTES)
  if (bytes === undefined) throw new FeedFailure({ reason: "its answer is over 1 MiB" })
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
}

const fetchText = async (agent: Agent, url: string, signal: AbortSignal): Promise<string> => {
  const { body, statusCode } = await request(url, {
    dispatcher: agent,
    signal,
    headers: { "User-Agent": "payport", Accept: "application/json", "Accept-Encoding": "identity" },
  })
  if (statusCode === 200) return readBounded(body)
  // A destroyed body emits an error, which has to be handled.
  body.on("error", () => {}).destroy()
  throw new FeedFailure({ reason: `it answered with the status ${statusCode}` })
}

/** Returns our own reason: the HTTP client's message might hold the address, and with it a key. */
const failureOf = (error: unknown): FeedFailure =>
  error instanceof FeedFailure
    ? error
    : new FeedFailure({
        reason:
          error instanceof TypeError ? "its answer could not be read" : "it did not answer in time",
      })

/** Fetches a feed's rates within `timeout` milliseconds, without following redirects. */
export const readFeed = Effect.fnUntraced(function* (agent: Agent, url: string, timeout: number) {
  const text = yield* Effect.tryPromise({
    try: (interrupted) =>
      fetchText(agent, url, AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])),
    catch: failureOf,
  })
  const decoded = decodeFeed(text)
  if (Option.isNone(decoded)) {
    return yield* new FeedFailure({ reason: "its answer is not {base, timestamp, rates}" })
  }
  const table = tableOf(decoded.value)
  const isEmpty = Object.keys(table.per_dollar).every((code) => code === decoded.value.base)
  if (isEmpty) return yield* new FeedFailure({ reason: "it has no rates" })
  return table
})
