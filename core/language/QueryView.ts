import { Schema } from "effect"
import { INVOICE_STATUSES } from "../invoices/Invoice.ts"
import { INTERVALS } from "../shared/Period.ts"
import { Amount } from "../shared/Wire.ts"
import { MISSING } from "./Question.ts"
import { INTENTS } from "./Understanding.ts"

const optional = Schema.optionalKey

const example = {
  id: "nlq_01997d3e-8a00-7000-8000-000000000060",
  intent: "pay",
  confidence: 0.93,
  entities: {
    amount: { currency: "USD", value: 499 },
    currency: "USD",
    service: "Weather report",
    service_id: "01997d3e-8a00-7000-8000-000000000010",
  },
  action: {
    method: "POST",
    path: "/v1/payment-intents",
    body: {
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      type: "one_time",
      amount: { currency: "USD", value: 499 },
      description: "Weather report",
    },
  },
  missing: [],
  summary: 'Pay 4.99 USD to "Weather report".',
} as const

/** How a text was understood (AI-native endpoints). */
export const QueryView = Schema.Struct({
  id: Schema.String.annotate({ description: "`nlq_` and a UUIDv7." }),
  intent: Schema.Literals([...INTENTS, "unknown"]).annotateKey({
    description: "The kind of request; `unknown` if it is not clear.",
  }),
  confidence: Schema.Finite.annotate({
    description: "How certain the interpretation is, from 0 to 1.",
  }),
  entities: Schema.Struct({
    amount: optional(Amount).annotateKey({ description: "The amount that is meant." }),
    currency: optional(Schema.String).annotateKey({ description: "The currency that is meant." }),
    service: optional(Schema.String).annotate({
      description: "The service's name, or the words taken for a name while no service is found.",
    }),
    service_id: optional(Schema.String).annotateKey({ description: "The service that is meant." }),
    plan_id: optional(Schema.String).annotateKey({
      description: "The plan's id within its service.",
    }),
    interval: optional(Schema.Literals(INTERVALS)).annotateKey({
      description: "The length of a plan's period.",
    }),
    status: optional(Schema.Literals(INVOICE_STATUSES)).annotateKey({
      description: "The state of the invoices that are meant.",
    }),
    payment_intent: optional(Schema.String).annotateKey({ description: "The payment's id." }),
    reason: optional(Schema.String).annotateKey({ description: "Why a refund is asked for." }),
  }).annotateKey({ description: "The details that the text names." }),
  action: Schema.NullOr(
    Schema.Struct({
      method: Schema.Literals(["GET", "POST"]).annotateKey({
        description: "The request's method.",
      }),
      path: Schema.String.annotateKey({ description: "The request's path." }),
      body: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
        description: "The body to send; null for none.",
      }),
    }),
  )
    .annotate({
      description:
        "The API request that does what the text asks for; null while a detail is missing.",
    })
    .annotateKey({ description: "The request for the action." }),
  missing: Schema.Array(Schema.Literals(MISSING)).annotateKey({
    description: "The details that are still missing.",
  }),
  summary: optional(Schema.String).annotate({
    description: "Everything that the action does, in one sentence in the text's language.",
  }),
  unread: optional(Schema.Array(Schema.String)).annotate({
    description:
      "The words of the text that were not understood. While there are any, nothing is " +
      "carried out.",
  }),
  clarification: optional(Schema.String).annotate({
    description: "A question about the first missing detail, in the text's language.",
  }),
})
export type QueryView = typeof QueryView.Type

/** How a text was understood, with the result where the action was carried out. */
export const AnsweredQueryView = Schema.Struct({
  ...QueryView.fields,
  result: optional(Schema.Unknown).annotateKey({
    description: "The answer to the action, if it was carried out.",
  }),
}).annotate({
  identifier: "Understood",
  description: "How a text was understood, and the API request that does it.",
  examples: [example],
})

/** How the texts of a batch were understood, in their order. */
export const QueryBatchView = Schema.Struct({
  results: Schema.Array(AnsweredQueryView).annotateKey({
    description: "The answers, in the order of the texts.",
  }),
}).annotate({
  identifier: "UnderstoodBatch",
  description: "How each text was understood, in the order of the queries.",
  examples: [{ results: [example] }],
})
