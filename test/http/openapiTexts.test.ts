import { createConfig, lintFromString } from "@redocly/openapi-core"
import { countTokens } from "gpt-tokenizer"
import { describe, expect, test } from "vitest"
import { Api } from "../../adapters/http/contract/Api.ts"
import { AUDIENCES } from "../../adapters/http/contract/Route.ts"
import { documentsOf } from "../../adapters/http/openapi.ts"

type Json = { readonly [key: string]: unknown }

const documents = documentsOf(Api, "http://payport.test")
const parts = AUDIENCES.map((audience) => [audience, documents.partFor(audience)] as const)
const all = [["whole", documents.whole as Json] as const, ...parts]

const METHODS = new Set(["get", "post", "put", "patch", "delete"])

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const at = (document: unknown, ...path: ReadonlyArray<string>): Json => {
  const found = path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : {}), document)
  return isObject(found) ? found : {}
}

const operationsOf = (document: Json): ReadonlyArray<readonly [string, Json]> =>
  Object.entries(at(document, "paths")).flatMap(([path, item]) =>
    Object.entries(item as Json)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => [`${method} ${path}`, operation as Json] as const),
  )

/** Every schema of a document with its place, those within others too. */
const schemasOf = (document: Json): ReadonlyArray<readonly [string, Json]> => {
  const found: Array<readonly [string, Json]> = []
  const walk = (value: unknown, place: string): void => {
    if (Array.isArray(value)) return value.forEach((item, n) => walk(item, `${place}.${n}`))
    if (!isObject(value)) return
    found.push([place, value])
    for (const [key, item] of Object.entries(value)) {
      if (key !== "examples" && key !== "example") walk(item, `${place}.${key}`)
    }
  }
  walk(document, "")
  return found
}

const resolved = (document: Json, schema: Json): Json => {
  const { $ref } = schema
  if (typeof $ref !== "string") return schema
  return { ...at(document, ...$ref.slice(2).split("/")), ...schema, $ref: undefined }
}

/**
 * Returns the description of a field: its own, or that of its type, or of its type besides null.
 */
const descriptionOf = (document: Json, schema: Json): unknown => {
  const whole = resolved(document, schema)
  if (whole["description"] !== undefined) return whole["description"]
  if (isObject(whole["contentSchema"])) return descriptionOf(document, whole["contentSchema"])
  const variants = Array.isArray(whole["anyOf"]) ? whole["anyOf"].filter(isObject) : []
  return variants.map((one) => descriptionOf(document, one)).find((text) => text !== undefined)
}

const isSentence = (text: unknown): boolean => typeof text === "string" && /[.:…]$/.test(text)

describe.each(all)("the %s document", (_, document) => {
  test("says of every operation when to use it, in a sentence or more", () => {
    const silent = operationsOf(document).filter(([, { description }]) => {
      return !isSentence(description) || String(description).length < 40
    })
    expect(silent.map(([name]) => name)).toEqual([])
  })

  test("says what every field and every parameter means", () => {
    const fields = schemasOf(document).flatMap(([place, { properties }]) =>
      isObject(properties) && !/\.responses\.[45]\d\d\./.test(place)
        ? Object.entries(properties).map(([name, field]) => [`${place}.${name}`, field] as const)
        : [],
    )
    expect(fields.length).toBeGreaterThan(50)
    const silent = fields.filter(([, field]) => !isSentence(descriptionOf(document, field as Json)))
    expect(silent.map(([name]) => name)).toEqual([])
    const parameters = operationsOf(document).flatMap(([name, { parameters }]) =>
      (parameters as ReadonlyArray<Json>).map((one) => [name, resolved(document, one)] as const),
    )
    const unsaid = parameters.filter(([, { description }]) => !isSentence(description))
    expect(unsaid.map(([name, parameter]) => `${name} ${String(parameter["name"])}`)).toEqual([])
  })

  test("gives the unit and the bounds of every amount", () => {
    const amounts = schemasOf(document).flatMap(([place, { properties }]) => {
      if (!isObject(properties) || properties["currency"] === undefined) return []
      return Object.entries(properties)
        .filter(([name]) =>
          /^(?:value|amount|minimum|maximum|gross|net|.*fees.*|refunds)$/.test(name),
        )
        .map(([name, field]) => [`${place}.${name}`, resolved(document, field as Json)] as const)
        .filter(([, { type }]) => type === "integer" || type === "number")
    })
    const flaws = amounts.filter(([, { description, maximum, minimum, type }]) => {
      const unit = /minor units|whole US dollars|major units/i.test(String(description))
      const bounded = typeof minimum === "number" && typeof maximum === "number"
      return !unit || (type === "integer" && !bounded)
    })
    expect(flaws.map(([place]) => place)).toEqual([])
  })

  test("is valid to a linter of OpenAPI", async () => {
    const config = await createConfig({
      extends: ["minimal"],
      rules: {
        struct: "error",
        "no-unresolved-refs": "error",
        "no-unused-components": "off",
        "operation-operationId-unique": "error",
        "operation-parameters-unique": "error",
        "path-parameters-defined": "error",
        "no-ambiguous-paths": "off",
        "no-enum-type-mismatch": "error",
        "no-invalid-schema-examples": "error",
        "security-defined": "error",
      },
    })
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: "payport.json",
      config,
    })
    const errors = problems.filter(({ severity }) => severity === "error")
    expect(
      errors.map(({ location, message }) => `${location[0]?.pointer ?? ""}: ${message}`),
    ).toEqual([])
  })
})

describe("the parts", () => {
  test("have every operation, each in one at least, and no other", () => {
    const named = new Set(parts.flatMap(([, part]) => operationsOf(part).map(([name]) => name)))
    const whole = operationsOf(documents.whole).map(([name]) => name)
    expect([...named].toSorted()).toEqual(whole.toSorted())
  })

  test("hold nothing that they do not need", () => {
    for (const [audience, part] of parts) {
      const text = JSON.stringify(part)
      const unused = Object.entries(at(part, "components")).flatMap(([kind, named]) =>
        Object.keys(named as Json)
          .filter((name) => !text.includes(`"#/components/${kind}/${name}"`))
          .filter(() => kind !== "securitySchemes")
          .map((name) => `${audience} ${kind}/${name}`),
      )
      expect(unused).toEqual([])
    }
  })

  test("keep what an operation refuses, with its status", () => {
    const buyer = documents.partFor("buyer")
    const refused = at(buyer, "paths", "/v1/payments/one-time", "post", "responses", "default")
    expect(refused["$ref"]).toBe("#/components/responses/Refused")
    expect(refused["description"]).toContain("403 INSUFFICIENT_KYC, SPEND_CAP_EXCEEDED")
    const every = at(buyer, "components", "responses", "Refused")["description"]
    expect(every).toContain("RATE_LIMIT_EXCEEDED")
  })

  test("tell receivers of every webhook, and nobody else", () => {
    const told = parts.map(([audience, part]) => [
      audience,
      Object.keys(at(part, "webhooks")).length,
    ])
    expect(Object.fromEntries(told)).toEqual({
      buyer: 0,
      seller: 0,
      operator: 0,
      assistant: 0,
      receiver: Object.keys(documents.whole.webhooks).length,
    })
  })

  test("are small: a buyer's has fewer than 25,000 tokens", () => {
    expect(countTokens(JSON.stringify(documents.partFor("buyer")))).toBeLessThan(25_000)
    for (const [audience, part] of parts) {
      expect(countTokens(JSON.stringify(part)), audience).toBeLessThan(50_000)
    }
  })
})
