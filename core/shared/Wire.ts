import { Schema } from "effect"

/** The form of every time that leaves the service: `2026-01-31T08:00:00.000Z`. */
export const Time = Schema.String.annotate({
  description: "An ISO 8601 timestamp in UTC.",
  format: "date-time",
  examples: ["2026-01-31T08:00:00.000Z"],
})

/** An amount as answers and events show it (Money). */
export const Amount = Schema.Struct({
  currency: Schema.String.annotate({
    description: "An ISO 4217 currency code, or a stablecoin's code.",
  }),
  value: Schema.Int.annotate({ description: "In minor units: 699 USD is 6.99." }),
}).annotate({
  identifier: "Money",
  description: "An amount in minor units of a currency.",
  examples: [{ currency: "USD", value: 699 }],
})

/** A resource that was deleted. */
export const Deleted = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The id of the deleted resource." }),
  deleted: Schema.Literal(true).annotateKey({ description: "Always `true`." }),
}).annotate({
  identifier: "Deleted",
  description: "The resource was deleted.",
  examples: [{ id: "we_01997d3e-8a00-7000-8000-000000000004", deleted: true }],
})
