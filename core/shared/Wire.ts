import { Schema } from "effect"

/** `2026-01-31T08:00:00.000Z`: every time that leaves the service. */
export const Time = Schema.String.annotate({
  description: "An ISO 8601 timestamp in UTC.",
  format: "date-time",
  examples: ["2026-01-31T08:00:00.000Z"],
})

/** An amount as answers and events show it (Money). */
export const Amount = Schema.Struct({
  currency: Schema.String.annotate({ description: "An ISO 4217 code." }),
  value: Schema.Int.annotate({ description: "The amount in minor units." }),
}).annotate({
  identifier: "Money",
  description: "An amount in minor units of a currency.",
  examples: [{ currency: "USD", value: 699 }],
})

/** A resource that was deleted. */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate(
  {
    identifier: "Deleted",
    description: "The resource is gone.",
    examples: [{ id: "we_01997d3e-8a00-7000-8000-000000000004", deleted: true }],
  },
)
