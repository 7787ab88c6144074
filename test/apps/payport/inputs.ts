import type { Schema } from "effect"
import { HttpApi } from "effect/http-api"
import * as fc from "fast-check"
import { SandboxApi } from "../../../adapters/http/contract/Api.ts"

/** The fields of a method's input, and a correct example if the contract has one. */
interface Input {
  readonly fields: ReadonlyArray<string>
  readonly example: object
}

const inputOf = (schema: Schema.Top | undefined): Input => {
  const fields =
    schema !== undefined && "fields" in schema ? Object.keys(schema.fields as object) : []
  const [example = {}] = (schema?.ast.annotations?.["examples"] ?? []) as ReadonlyArray<object>
  return { fields, example }
}

/** The inputs of all use cases, by their names in the contract. */
const inputs: ReadonlyMap<string, Input> = (() => {
  const found = new Map<string, Input>()
  HttpApi.reflect(SandboxApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const [payload] = endpoint.payload.values()
      const schema = payload?.schemas[0] ?? endpoint.query
      found.set(`${group.identifier}.${endpoint.identifier}`, inputOf(schema))
    },
  })
  return found
})()

class Made {
  amount = { value: 1, currency: "USD" }
}

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

const fails = (): never => {
  throw new Error("no")
}

const throwing = new Proxy({}, { get: fails, ownKeys: fails })

/** Values that a program may pass by mistake or on purpose. */
const HOSTILE: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -500,
  6.99,
  1e308,
  Number.MAX_SAFE_INTEGER + 1,
  10n,
  Symbol("a"),
  "",
  "\u0000",
  "\ud800",
  "\u202e",
  "x".repeat(200_000),
  "pi_00000000-0000-7000-8000-000000000000",
  "'; DROP TABLE accounts; --",
  () => 1,
  new Date(0),
  new Map([["a", 1]]),
  new Made(),
  new Uint8Array(8),
  Promise.resolve(1),
  [],
  Array.from({ length: 3 }),
  Object.assign([], { length: 1_000_000_000 }),
  {},
  cyclic,
  throwing,
  JSON.parse('{"__proto__": {"polluted": true}}') as unknown,
  JSON.parse('{"constructor": {"prototype": {}}}') as unknown,
  Object.create({ inherited: true }) as unknown,
]

/** Anything at all. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.anything({ maxDepth: 2 }),
)

/** A value with one part replaced, at any depth. */
const spoilt = (value: unknown): fc.Arbitrary<unknown> =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0
    ? fc.oneof(
        hostile,
        fc
          .constantFrom(...Object.entries(value))
          .chain(([name, held]) =>
            spoilt(held).map((other) =>
              Array.isArray(value) ? [other] : { ...value, [name]: other },
            ),
          ),
      )
    : hostile

/** Inputs of a use case: anything, any of its fields as anything, and right ones with a flaw. */
export const inputsOf = (name: string): fc.Arbitrary<unknown> => {
  const { example, fields } = inputs.get(name) ?? inputOf(undefined)
  const named = fc.dictionary(fc.constantFrom("none", ...fields), hostile)
  return fc.oneof(hostile, named, spoilt(example), fc.constant(example))
}
