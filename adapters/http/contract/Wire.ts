import { Schema } from "effect"

/** The one path parameter of most routes. */
export const ById = {
  id: Schema.String.annotate({ description: "The identifier of the resource." }),
}

/** A page of a list that is read from newest to oldest. */
export const page = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item).annotateKey({ description: "The items of this page." }),
    has_more: Schema.Boolean.annotate({
      description: "Whether there is a next page. Request it with `starting_after`.",
    }),
  })

/** The position of a page in a list with a total. */
export const Pagination = Schema.Struct({
  total: Schema.Int.annotateKey({ description: "The total number of items." }),
  limit: Schema.Int.annotateKey({ description: "The maximum number of items per page." }),
  offset: Schema.Int.annotateKey({ description: "The number of skipped items before the page." }),
}).annotate({ examples: [{ total: 1, limit: 10, offset: 0 }] })

/** A page of a list with the total. */
export const counted = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item).annotateKey({ description: "The items of this page." }),
    pagination: Pagination.annotateKey({ description: "The position of this page in the list." }),
  })

/** The body of requests without fields. */
export const Nothing = Schema.Struct({}).annotate({
  identifier: "EmptyObject",
  description: "An empty object. The body can also be omitted.",
  examples: [{}],
})
