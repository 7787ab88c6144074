import { Schema } from "effect"
import { Scenario } from "./Scenario.ts"
import { ScenarioFile } from "./ScenarioFile.ts"

const DIALECT = "https://json-schema.org/draft/2020-12/schema"

/** A value may be a text with a variable instead of what that stands for. */
const VARIABLE = { type: "string", pattern: "\\$\\{\\w+\\}" }

const isSchema = (value: unknown): value is { readonly [keyword: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Numbers and truths, which a text with a variable may stand for. */
const STANDS_FOR = new Set(["number", "integer", "boolean"])

/**
 * The schema with variables, and without fields that nobody knows. What `isMerged` may have the
 * rest of its fields from the scenario that is extended; an item of a list has it not.
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
 * The JSON Schema of a scenario's file, by which editors complete it. A scenario that extends
 * another needs only a name of its own.
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
