import { Effect, Schema, SchemaTransformation } from "effect"
import { Failure } from "./Failure.ts"

const DIGITS = /^\d{1,15}$/

/** Decodes a whole number of a query string, in plain digits; `fallback` if it is absent. */
export const integer = (minimum: number, maximum: number, fallback: number, description?: string) =>
  Schema.String.check(
    Schema.makeFilter(
      (text: string) =>
        DIGITS.test(text) ? undefined : `must be a whole number from ${minimum} to ${maximum}`,
      { description, toJsonSchema: () => [{ pattern: DIGITS.source }, true] },
    ),
  ).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum, maximum })),
      SchemaTransformation.numberFromString,
    ),
    Schema.withDecodingDefaultKey(Effect.succeed(String(fallback))),
  )

/** The page of a list from newest to oldest: 20 items by default, at most 100. */
export const PageQuery = Schema.Struct({
  limit: integer(1, 100, 20),
  starting_after: Schema.optionalKey(Schema.NonEmptyString).annotateKey({
    description: "The id of the last item of the previous page.",
  }),
})
/** A decoded page of a list. */
export type PageQuery = typeof PageQuery.Type
/** Returns the failure for a `starting_after` that is not in the list. */
export const badCursor = (what: string) =>
  new Failure({
    code: "INVALID_QUERY",
    message: `starting_after must be the id of an existing ${what}, such as the last of a page.`,
    field: "starting_after",
  })

/** A page of a list with the total number of items. */
export interface Found<A> {
  readonly data: ReadonlyArray<A>
  readonly total: number
}
