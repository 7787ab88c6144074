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
      description: "Whether a next page exists; ask for it with `starting_after`.",
    }),
  })

/** A page of a list with the total. */
export const counted = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    data: Schema.Array(item).annotateKey({ description: "The items of this page." }),
    pagination: Schema.Struct({
      total: Schema.Int.annotateKey({ description: "How many there are in all." }),
      limit: Schema.Int.annotateKey({ description: "How many items a page has at most." }),
      offset: Schema.Int.annotateKey({
        description: "How many items are left out before the page.",
      }),
    }).annotateKey({ description: "Which part of the list this is." }),
  })

/** The body of requests without fields. */
export const Nothing = Schema.Struct({}).annotate({
  identifier: "EmptyObject",
  description: "An empty object; the body may also be left out.",
  examples: [{}],
})
