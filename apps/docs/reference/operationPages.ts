import { exampleOf } from "../examples/exampleOf.ts"
import { type Page, slug } from "../Page.ts"
import { prettyJson } from "../render/pretty.ts"
import { bounds, componentFields, type LinkOf, typeName } from "./fields.ts"
import { document, type Operation, operations, refName, type SchemaNode } from "./OpenApi.ts"
import { TAG_TEXTS } from "./tagTexts.ts"

const pathOf = (tag: string): string => `api/${slug(tag)}`

const TYPES = "api/types"

/** A stream has the same content as a response, encoded in the text of an event. */
const ENCODED = "Encoded"

const ERRORS = new Set(["Error", "NestedError"])

/** Collects the names of all components that a value refers to. */
const referred = (value: unknown, found: Set<string> = new Set()): Set<string> => {
  if (typeof value !== "object" || value === null) return found
  for (const [key, item] of Object.entries(value)) {
    const name = key === "$ref" ? String(item) : ""
    if (!name.startsWith("#/components/schemas/")) referred(item, found)
    else if (!found.has(refName(name))) {
      found.add(refName(name))
      referred(document.components.schemas[refName(name)], found)
    }
  }
  return found
}

const bodySchema = ({ requestBody }: Operation): SchemaNode | undefined =>
  Object.values(requestBody?.content ?? {})[0]?.schema

/** A type that only one operation takes is described at that operation. */
const inputs = new Set(
  operations.flatMap((operation) => {
    const reference = bodySchema(operation)?.$ref
    return reference === undefined ? [] : [refName(reference)]
  }),
)

/** Returns the components that a response is, or is a page of. */
const answeredBy = ({ responses }: Operation): ReadonlyArray<string> =>
  Object.values(responses).flatMap(({ content }) =>
    Object.values(content ?? {}).flatMap(({ schema }) => {
      const reference = schema?.$ref ?? schema?.properties?.["data"]?.items?.$ref
      return reference === undefined ? [] : [refName(reference)]
    }),
  )

/**
 * The page of each component: the first whose operations respond with it, the only one that needs
 * it, or the page of common types.
 */
const homes: ReadonlyMap<string, string> = (() => {
  const answering = new Map<string, string>()
  const users = new Map<string, Set<string>>()
  for (const tag of Object.keys(TAG_TEXTS)) {
    for (const operation of operations.filter(({ tags }) => tags[0] === tag)) {
      for (const name of answeredBy(operation)) {
        if (!answering.has(name)) answering.set(name, pathOf(tag))
      }
      for (const name of referred(operation)) {
        users.set(name, (users.get(name) ?? new Set()).add(pathOf(tag)))
      }
    }
  }
  const names = Object.keys(document.components.schemas).filter((name) => !name.endsWith(ENCODED))
  return new Map(
    names.map((name) => {
      const [first, ...others] = users.get(name) ?? []
      const isCommon = first === undefined || others.length > 0 || ERRORS.has(name)
      return [
        name,
        (ERRORS.has(name) ? undefined : answering.get(name)) ?? (isCommon ? TYPES : first),
      ]
    }),
  )
})()

/** Returns links to components for a page: to its own sections, or to another page's. */
const linksFrom =
  (page: string): LinkOf =>
  (named) => {
    const name = named.endsWith(ENCODED) ? named.slice(0, -ENCODED.length) : named
    if (inputs.has(name) && bodyOnly(name)) return name
    const home = homes.get(name) ?? TYPES
    return `[${name}](${home === page ? "" : `/${home}`}#${slug(name)})`
  }

const answered = new Set(operations.flatMap(({ responses }) => [...referred(responses)]))
const bodyOnly = (name: string): boolean => inputs.has(name) && !answered.has(name)

const resolved = (schema: SchemaNode): SchemaNode =>
  schema.$ref === undefined ? schema : (document.components.schemas[refName(schema.$ref)] ?? schema)

const json = (value: unknown): string => `\`\`\`json\n${prettyJson(value)}\n\`\`\``

const ACCESS: { readonly [scheme: string]: string } = {
  account_key: "an account's key",
  admin_key: "an operator's key",
}

const access = ({ security }: Operation): string => {
  const scheme = Object.keys(security[0] ?? {})[0]
  return scheme === undefined ? "no key" : (ACCESS[scheme] ?? scheme)
}

const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ $ref }) => $ref === "#/components/parameters/IdempotencyKey")

const parameterList = (operation: Operation, place: string, linkOf: LinkOf): string => {
  const own = operation.parameters.filter((parameter) => parameter.in === place)
  return own
    .map(({ description, name, required, schema }) => {
      const facts = [
        typeName(schema, linkOf),
        ...(required === true ? ["required"] : []),
        ...bounds(schema),
      ]
      return `- \`${name}\` *${facts.join(", ")}*: ${description}`
    })
    .join("\n")
}

const titled = (title: string, text: string): ReadonlyArray<string> =>
  text === "" ? [] : [`### ${title}`, text]

const bodyPart = (operation: Operation, linkOf: LinkOf): ReadonlyArray<string> => {
  const schema = bodySchema(operation)
  if (schema === undefined) return []
  const whole = resolved(schema)
  const optional = operation.requestBody?.required === false ? " It may be left out." : ""
  const fields = componentFields(whole, linkOf).join("\n")
  if (fields === "" && optional !== "") return []
  return [...titled("Body", `${whole.description ?? ""}${optional}`), fields]
}

const answerPart = (operation: Operation, linkOf: LinkOf): ReadonlyArray<string> => {
  const good = Object.entries(operation.responses).filter(([status]) => status < "400")
  const lines = good.map(([status, { content, description }]) => {
    const types = Object.entries(content ?? {}).map(([media, { schema = {} }]) =>
      media === "application/json" ? typeName(schema, linkOf) : `\`${media}\``,
    )
    const nothing = description === "<No Content>" ? "nothing" : description
    const said = types.length === 0 ? nothing : types.join(", or ")
    return `- \`${status}\` ${said}`
  })
  const schema = good[0]?.[1].content?.["application/json"]?.schema
  const sample = schema === undefined ? undefined : sampleOf(schema)
  return [...titled("Answer", lines.join("\n")), ...(sample === undefined ? [] : [json(sample)])]
}

/** Returns an example of a value: the contract's, or one made from its fields' examples. */
const sampleOf = (schema: SchemaNode): unknown => {
  const whole = resolved(schema)
  if (whole.examples?.[0] !== undefined) return whole.examples[0]
  if (whole.type === "array" && whole.items !== undefined) {
    const item = sampleOf(whole.items)
    return item === undefined ? [] : [item]
  }
  if (whole.properties === undefined) {
    return whole.anyOf === undefined ? plainSample(whole) : sampleOf(whole.anyOf[0] ?? {})
  }
  const fields = Object.entries(whole.properties).map(([name, field]) => [name, sampleOf(field)])
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
}

const plainSample = ({ enum: values, type }: SchemaNode): unknown => {
  if (values !== undefined) return values[0]
  if (type === "boolean") return false
  return type === "integer" || type === "number" ? 1 : undefined
}

/** Codes that most operations can return; only the page of errors lists them. */
const EVERYWHERE = new Set([
  "UNAUTHORIZED",
  "INVALID_API_KEY",
  "ACCOUNT_SUSPENDED",
  "INVALID_QUERY",
  "RATE_LIMIT_EXCEEDED",
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "IDEMPOTENCY_KEY_USED",
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "INTERNAL_ERROR",
  "TEMPORARILY_UNAVAILABLE",
  "OVERLOADED",
  "OUTCOME_UNKNOWN",
])

/** The status of a body that did not arrive in time, which only the page of errors lists, too. */
const STALLED = "408"

/** Returns the error codes of an operation, by status. */
export const refusalsOf = ({ responses }: Operation): ReadonlyArray<readonly [string, string]> =>
  Object.entries(responses)
    .filter(([status, { description }]) => status >= "400" && /^[\w, ]+$/.test(description))
    .flatMap(([status, { description }]) =>
      description.split(", ").map((code) => [status, code] as const),
    )

const errorPart = (operation: Operation): ReadonlyArray<string> => {
  const own = refusalsOf(operation).filter(
    ([status, code]) => status !== STALLED && !EVERYWHERE.has(code),
  )
  const lines = own.map(([status, code]) => `- \`${status}\` [${code}](/errors#${slug(code)})`)
  const rest = "- and what [every operation](/errors#everywhere) may answer"
  return titled("Refusals", [...lines, rest].join("\n"))
}

const operationText = (operation: Operation, linkOf: LinkOf): string => {
  const keyed = takesKey(operation) ? ", takes an `Idempotency-Key`" : ""
  return [
    `## ${operation.summary}`,
    `\`${operation.method} ${operation.path}\` · ${access(operation)}${keyed}`,
    ...(operation.description === undefined ? [] : [operation.description]),
    ...exampleOf(operation),
    ...titled("Path", parameterList(operation, "path", linkOf)),
    ...titled("Query", parameterList(operation, "query", linkOf)),
    ...bodyPart(operation, linkOf),
    ...answerPart(operation, linkOf),
    ...errorPart(operation),
  ].join("\n\n")
}

const typeText = (name: string, linkOf: LinkOf): string => {
  const schema = document.components.schemas[name] ?? {}
  const fields = componentFields(schema, linkOf).join("\n")
  return [
    `## ${name}`,
    schema.description ?? "",
    fields === "" ? `*${typeName(schema, linkOf)}*` : fields,
  ].join("\n\n")
}

const typesOn = (page: string): ReadonlyArray<string> =>
  [...homes]
    .filter(([name, home]) => home === page && !bodyOnly(name))
    .map(([name]) => typeText(name, linksFrom(page)))

const tagPage = (tag: string): Page => {
  const path = pathOf(tag)
  const about = TAG_TEXTS[tag] ?? ""
  const own = operations.filter(({ tags }) => tags[0] === tag)
  const linkOf = linksFrom(path)
  const index = own.map(
    ({ method, path: route, summary }) =>
      `| [${summary}](#${slug(summary)}) | \`${method} ${route}\` |`,
  )
  return {
    path,
    title: tag,
    about,
    part: "API",
    markdown: [
      `# ${tag}`,
      about,
      ["| operation | request |", "|---|---|", ...index].join("\n"),
      ...own.map((operation) => operationText(operation, linkOf)),
      ...typesOn(path),
    ].join("\n\n"),
  }
}

/** Returns the reference of the HTTP API: a page for each group of operations, and one of types. */
export const operationPages = (): ReadonlyArray<Page> => {
  const about = "The types that answers of several groups of operations have in common."
  return [
    ...Object.keys(TAG_TEXTS).map(tagPage),
    {
      path: TYPES,
      title: "Common types",
      about,
      part: "API",
      markdown: ["# Common types", about, ...typesOn(TYPES)].join("\n\n"),
    },
  ]
}
