import { Result, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { expect, test } from "vitest"
import { Api } from "../../adapters/http/contract/Api.ts"
import {
  type Decoder,
  payloadDecoder,
  queryDecoder,
} from "../../adapters/http/contract/decoders.ts"
import { fieldsOf, mutant, VALUES } from "../support/mutants.ts"

/** Words of the decoder, and names of our schemas, which mean nothing to callers. */
const OURS = /Expected|RegExp|readonly|undefined|\|| got |\b[A-Z][a-z]+[A-Z]|\b(?:string|number)\b/

/** A whole number is the number that people know. */
const PLAIN = /\b(?:whole|sequence|finite|a) number\b/g

const QUERIES = ["", " ", "x", "-1", "1.5", "99999999999", "true", "[]", "x".repeat(300)]

/** Returns every text of a refusal. */
const textsOf = (decode: Decoder, input: unknown): ReadonlyArray<string> => {
  const read = decode(input)
  return Result.isSuccess(read) ? [] : [read.failure.message, JSON.stringify(read.failure.details)]
}

/** Everything that a decoder says about wrong values of each field. */
const said = new Map<string, string>()
const note = (where: string, decode: Decoder, input: unknown) =>
  textsOf(decode, input).forEach((text) => said.set(text, where))

HttpApi.reflect(Api, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, mergedAnnotations }) => {
    const { method, path } = endpoint
    const [payload] = endpoint.payload.values()
    const schema: Schema.Top | undefined = payload?.schemas[0]
    const decode = payloadDecoder(endpoint, mergedAnnotations)
    if (schema !== undefined && decode !== undefined) {
      const [example = {}] = (Schema.resolveAnnotations(schema)?.["examples"] ?? []) as Array<{}>
      for (const field of fieldsOf(schema.ast)) {
        for (const [, value] of VALUES) {
          const text = mutant(example, field.path, value)
          const where = `${method} ${path} ${field.path.join(".")}`
          if (!text.includes("__proto__")) note(where, decode, JSON.parse(text))
        }
      }
    }
    const query = queryDecoder(endpoint)
    for (const name of query?.names ?? []) {
      for (const value of QUERIES) {
        if (query) note(`${method} ${path}?${name}`, query.decoder, { [name]: value })
      }
    }
  },
})

test("no refusal of a field speaks as the decoder does", () => {
  expect(said.size).toBeGreaterThan(300)
  const wrong = [...said].filter(([text]) => OURS.test(text.replaceAll(PLAIN, "")))
  expect(wrong.slice(0, 5)).toEqual([])
})
