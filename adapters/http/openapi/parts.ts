import type { OpenApi } from "effect/http-api"

/** A JSON object of an OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

type Parameter = OpenApi.OpenAPISpecParameter

/** Query parameters that are integers. A query string holds only texts. */
export const INTEGERS: { readonly [name: string]: Json } = {
  limit: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 20,
    description: "The maximum number of items per page.",
  },
  offset: {
    type: "integer",
    minimum: 0,
    default: 0,
    description: "The number of items to skip before the page.",
  },
}

/** Headers that many operations accept. */
export const PARAMETERS: { readonly [name: string]: Parameter } = {
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    schema: { type: "string", maxLength: 128 },
    description: "Names the request; without it, the service does.",
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    description: [
      "Makes repetitions harmless: for 24 hours they get the first answer. Send one with every",
      "POST. Without it, a request whose answer was lost, or was `OUTCOME_UNKNOWN`, may be done",
      "twice when it is repeated: look first for what it was to make.",
    ].join(" "),
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    required: false,
    schema: { type: "string", examples: ["handling=strict"] },
    description:
      "`handling=strict` (RFC 7240) refuses fields of the body that the route does not know, with" +
      " the nearest known name. Otherwise they are ignored and named in `Payport-Ignored-Fields`.",
  },
}

const header = (description: string, type = "string") => ({ description, schema: { type } })

/** Headers of answers. */
export const HEADERS = {
  RequestId: header("Names the request."),
  RetryAfter: header("Seconds to wait before the next attempt.", "integer"),
  Challenge: header("How to authenticate: Bearer."),
  IdempotencyKey: header("The key of the request."),
  Replayed: header("`true` when the answer was given before."),
  DataAge: header(
    "How old what is shown may be, in seconds: a replica answered. What the caller has written is" +
      " in it all the same. Without it the answer is of now.",
    "number",
  ),
  IgnoredFields: header(
    "The fields of the body that the route does not know, percent-encoded, with commas between.",
  ),
}

/** A reference to one of {@link HEADERS}. */
export const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` })
/** A reference to one of {@link PARAMETERS}. */
export const parameterRef = (name: string) => ({ $ref: `#/components/parameters/${name}` })
