import { Schema } from "effect"
import { CreateIntentInput } from "../payments/IntentInput.ts"
import { CurrencyCode } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"

/** A question is at most this long, in characters. */
const MOST_CHARACTERS = 1_000

/** A batch holds at most this many questions (AI-native endpoints). */
const MOST_QUERIES = 100

/** Texts are read in their normalized form, in which one character may become eighteen. */
const Query = Text.block(MOST_CHARACTERS).check(
  Schema.makeFilter((text: string) =>
    [...text.normalize("NFKC")].length > MOST_CHARACTERS
      ? `must be at most ${MOST_CHARACTERS} characters in its normalized form (NFKC)`
      : undefined,
  ),
)

const QueryContext = Schema.Struct({
  service_id: Schema.optionalKey(Text.line(64)),
  payer: CreateIntentInput.fields.payer,
  currency: Schema.optionalKey(CurrencyCode),
})
/** What is known without the text saying so; the text wins where it says otherwise. */
export type QueryContext = typeof QueryContext.Type

/** The body of `POST /v1/ai/nlp-payment` (AI-native endpoints). */
export const QueryInput = Schema.Struct({
  query: Query,
  context: Schema.optionalKey(QueryContext),
  execute: Schema.optionalKey(Schema.Boolean),
})
export type QueryInput = typeof QueryInput.Type

const Asked = Schema.Struct({ query: Query, context: Schema.optionalKey(QueryContext) })

/** The body of `POST /v1/ai/nlp-batch`: nothing of a batch is ever carried out. */
export const BatchInput = Schema.Struct({
  queries: Schema.Array(Schema.Union([Query, Asked])).check(
    Schema.makeFilter((queries: ReadonlyArray<unknown>) =>
      queries.length >= 1 && queries.length <= MOST_QUERIES
        ? undefined
        : `must hold 1 to ${MOST_QUERIES} queries`,
    ),
  ),
})
export type BatchInput = typeof BatchInput.Type
