import { Schema } from "effect"
import { CreateIntentInput } from "../payments/IntentInput.ts"
import { CurrencyCode } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"

/** The most characters of a query. */
const MOST_CHARACTERS = 1_000

/** The most queries of a batch (AI-native endpoints). */
const MOST_QUERIES = 100

/** The limit applies to the normalized form, in which one character may become eighteen. */
const Query = Text.block(MOST_CHARACTERS).check(
  Schema.makeFilter((text: string) =>
    [...text.normalize("NFKC")].length > MOST_CHARACTERS
      ? `must be at most ${MOST_CHARACTERS} characters in its normalized form (NFKC)`
      : undefined,
  ),
)

const QueryContext = Schema.Struct({
  service_id: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The service that is meant.",
  }),
  payer: CreateIntentInput.fields.payer.annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
  currency: Schema.optionalKey(CurrencyCode).annotateKey({
    description: "The currency to assume if the text names none.",
  }),
})
/** Values to use where the text does not name them. The text takes precedence. */
export type QueryContext = typeof QueryContext.Type

/** The body of `POST /v1/ai/nlp-payment` (AI-native endpoints). */
export const QueryInput = Schema.Struct({
  query: Query.annotateKey({
    description: "A person's request in their own words, in English or Chinese.",
  }),
  context: Schema.optionalKey(QueryContext).annotateKey({
    description: "Further context, such as the service that is meant.",
  }),
  execute: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether to carry out the understood request under the caller's key.",
  }),
})
export type QueryInput = typeof QueryInput.Type

const Asked = Schema.Struct({
  query: Query.annotateKey({
    description: "A person's request in their own words, in English or Chinese.",
  }),
  context: Schema.optionalKey(QueryContext).annotateKey({
    description: "Further context, such as the service that is meant.",
  }),
})

/** The body of `POST /v1/ai/nlp-batch`. A batch carries out no actions. */
export const BatchInput = Schema.Struct({
  queries: Schema.Array(Schema.Union([Query, Asked]))
    .check(
      Schema.makeFilter((queries: ReadonlyArray<unknown>) =>
        queries.length >= 1 && queries.length <= MOST_QUERIES
          ? undefined
          : `must hold 1 to ${MOST_QUERIES} queries`,
      ),
    )
    .annotateKey({ description: "Up to 100 texts, each answered separately." }),
})
export type BatchInput = typeof BatchInput.Type
