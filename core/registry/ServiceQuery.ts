import { Schema } from "effect"
import { integer } from "../shared/Page.ts"

/** The query of `GET /v1/services` as its text arrives (Service registry). */
export const ServiceQuery = Schema.Struct({
  q: Schema.optionalKey(Schema.String).annotateKey({
    description: "Words to search in names, descriptions and tags.",
  }),
  channel: Schema.optionalKey(Schema.String).annotateKey({
    description: "Only services that accept this channel.",
  }),
  payment_method: Schema.optionalKey(
    Schema.Literals(["one_time", "cumulative", "subscription"]),
  ).annotateKey({ description: "Only services with this payment method." }),
  status: Schema.optionalKey(
    Schema.Literals(["draft", "active", "paused", "deprecated", "deleted"]),
  ).annotateKey({
    description:
      "Only services in this state. Only the seller sees services that are not `active`.",
  }),
  own: Schema.optionalKey(Schema.Literals(["true", "false"])).annotateKey({
    description:
      "`true`: only your own services, whatever others offer; none with a key that is restricted " +
      "to agents.",
  }),
  limit: integer(1, 100, 20).annotateKey({ description: "The maximum number of items per page." }),
  offset: integer(0, 999_999_999_999_999, 0).annotateKey({
    description: "The number of items to skip before the page.",
  }),
})
/** A decoded search. */
export type ServiceQuery = typeof ServiceQuery.Type

const MAX_CHARACTERS = 256
const NOT_TEXT = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu

/**
 * Returns the words to search for; no text is refused. Control characters separate words, and the
 * text is cut after 256 characters. Undefined when nothing is left.
 */
export const searchWords = (q: string | undefined): string | undefined => {
  const words = (q ?? "").replace(NOT_TEXT, " ").trim().replace(/\s+/g, " ")
  const cut = [...words].slice(0, MAX_CHARACTERS).join("").trim()
  return cut === "" ? undefined : cut
}
