import { Schema } from "effect"
import { Scenario } from "./Scenario.ts"
import { ScenarioFile } from "./ScenarioFile.ts"

const DIALECT = "https://json-schema.org/draft/2020-12/schema"

/** A value may be a string with a variable instead of the variable's value. */
const VARIABLE = { type: "string", pattern: "\\$\\{\\w+\\}" }

const isSchema = (value: unknown): value is { readonly [keyword: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The types that a string with a variable may replace. */
const STANDS_FOR = new Set(["number", "integer", "boolean"])

/**
 * Returns the schema with variables, and without unknown fields. If `isMerged`, the extended
 * scenario may have the remaining fields; this is not so for an item of a list.
 */
const asWritten = (schema: unknown, isMerged: boolean): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => asWritten(one, isMerged))
  if (!isSchema(schema)) return schema
  const inner = Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (keyword === "required" && isMerged) return []
      return [[keyword, asWritten(value, isMerged && keyword !== "items")]]
    }),
  )
  const { description, ...rest } = inner
  if (typeof schema["type"] === "string" && STANDS_FOR.has(schema["type"])) {
    return { ...(description !== undefined && { description }), anyOf: [rest, VARIABLE] }
  }
  const isOpen = "properties" in schema && schema["additionalProperties"] === undefined
  return isOpen ? { ...inner, additionalProperties: false } : inner
}

/**
 * Returns the JSON Schema of a scenario file, for completion in editors. A scenario that extends
 * another needs only its own name.
 */
export const scenarioSchema = (): object => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(ScenarioFile)
  const whole = Schema.toJsonSchemaDocument(Scenario).schema
  const required = isSchema(whole) ? whole["required"] : []
  const { variables, ...properties } = schema["properties"] as { readonly [field: string]: unknown }
  return {
    $schema: DIALECT,
    title: "A scenario of payport simulate",
    ...schema,
    properties: { ...(asWritten(properties, true) as object), variables },
    additionalProperties: false,
    required: ["name"],
    anyOf: [{ required: ["extends"] }, { required }],
    ...(Object.keys(definitions).length > 0 && { $defs: asWritten(definitions, true) }),
  }
}
