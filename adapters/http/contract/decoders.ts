import { Context, type Result, Schema } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import {
  decode,
  type FieldRules,
  type FindUnknown,
  type InputSchema,
  unknownFieldsOf,
} from "../../../core/shared/Decode.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { Rules } from "./Route.ts"

/** Decodes a part of a request, or fails with its flaw. */
export type Decoder = (input: unknown) => Result.Result<unknown, Failure>

const hasFields = (schema: object | undefined): schema is InputSchema =>
  schema !== undefined && "fields" in schema

/** Returns the decoder of an endpoint's fields; undefined if its body has none. */
export const payloadDecoder = (
  endpoint: HttpApiEndpoint.Top,
  annotations: Context.Context<never>,
): Decoder | undefined => {
  const [payload] = endpoint.payload.values()
  const schema: object | undefined = payload?.schemas[0]
  return hasFields(schema) ? decode(schema, Context.get(annotations, Rules)) : undefined
}

const EMPTY = Schema.Struct({})

/** Returns a function that finds ignored fields of a body: all of them if it takes none. */
export const unknownPayload = (endpoint: HttpApiEndpoint.Top): FindUnknown => {
  const [payload] = endpoint.payload.values()
  return unknownFieldsOf(payload?.schemas[0] ?? EMPTY)
}

const queryRules = (names: ReadonlyArray<string>): FieldRules => ({
  codes: Object.fromEntries(names.map((name) => [name, "INVALID_QUERY" as const])),
})

/** Returns the names and the decoder of an endpoint's query parameters; undefined without any. */
export const queryDecoder = (
  endpoint: HttpApiEndpoint.Top,
): { readonly names: ReadonlyArray<string>; readonly decoder: Decoder } | undefined => {
  if (!hasFields(endpoint.query)) return undefined
  const names = Object.keys(endpoint.query.fields)
  return { names, decoder: decode(endpoint.query, queryRules(names)) }
}
