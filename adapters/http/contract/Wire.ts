import { Schema } from "effect"

/** `2026-01-31T08:00:00.000Z`: every timestamp that leaves the service. */
export const Timestamp = Schema.String.annotate({
  description: "An ISO 8601 timestamp in UTC.",
  format: "date-time",
  examples: ["2026-01-31T08:00:00.000Z"],
})

/** An amount as answers show it (Money). */
export const Amount = Schema.Struct({
  currency: Schema.String.annotate({ description: "An ISO 4217 code." }),
  value: Schema.Int.annotate({ description: "The amount in minor units." }),
}).annotate({
  identifier: "Money",
  description: "An amount in minor units of a currency.",
  examples: [{ currency: "USD", value: 699 }],
})

/** The one path parameter of most routes. */
export const ById = {
  id: Schema.String.annotate({ description: "The identifier of the resource." }),
}

/** A page of a list that is read from newest to oldest. */
export const page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    has_more: Schema.Boolean.annotate({
      description: "Whether a next page exists; ask for it with `starting_after`.",
    }),
  })

/** A page of a list that says how many there are in all. */
export const counted = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item),
    pagination: Schema.Struct({ total: Schema.Int, limit: Schema.Int, offset: Schema.Int }),
  })

/** The body of what needs no fields. */
export const Nothing = Schema.Struct({}).annotate({
  identifier: "EmptyObject",
  description: "An empty object; the body may also be left out.",
  examples: [{}],
})

/** What became of a resource that was deleted. */
export const Deleted = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate(
  {
    identifier: "Deleted",
    description: "The resource is gone.",
    examples: [{ id: "we_01997d3e-8a00-7000-8000-000000000004", deleted: true }],
  },
)
