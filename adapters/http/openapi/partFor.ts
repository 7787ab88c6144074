import { ANY, BODY, CHANGE, KEYED, ONCE } from "../contract/Errors.ts"
import type { Audience } from "../contract/Route.ts"
import type { Document, Operation, Parameter, Response } from "./Document.ts"
import type { Json } from "./parts.ts"

/** The refusals of most operations, which a part states once. */
const EVERYWHERE = new Set<string>([...ANY, ...KEYED, ...BODY, ...CHANGE, ...ONCE])

const FOR: { readonly [A in Audience]: string } = {
  buyer: "for agents that buy: finding services, paying, subscribing, asking money back.",
  seller: "for sellers: offering services, taking and refunding payments, their books.",
  operator: "for the operators of the installation, and the gateways of its channels.",
  assistant:
    "for apps that people talk to: their words, pictures of codes, what programs ask them, x402.",
  receiver: "for receivers of webhooks: endpoints, deliveries, keys, and every event.",
}

const about = (audience: Audience, description: string): string =>
  [
    `${description} This is the part ${FOR[audience]}`,
    "`/openapi.json` is all of it, with examples.",
    "Amounts are whole minor units of a currency: 699 USD is 6.99. Only the limits of identity",
    "verification are in whole US dollars.",
    "Send an `Idempotency-Key` with every POST that takes one, and repeat a request whose answer",
    "was lost under the same key.",
  ].join(" ")

const REFUSED = "Refused"
const NESTED = "RefusedNested"

const contentOf = (schema: string) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
})

/** The response of a refusal, with the codes that any operation may give. */
const RESPONSES: { readonly [name: string]: Response } = {
  [REFUSED]: {
    description: `A refusal. Its \`code\` may also be one of ${[...EVERYWHERE].join(", ")}.`,
    content: contentOf("Error"),
  },
  [NESTED]: {
    description: `The same as \`${REFUSED}\`, within \`error\`.`,
    content: contentOf("NestedError"),
  },
}

const refusedBy = ({ content }: Response): typeof REFUSED | typeof NESTED | undefined => {
  const named = content?.["application/json"]?.schema?.$ref
  if (named === "#/components/schemas/NestedError") return NESTED
  return named === "#/components/schemas/Error" ? REFUSED : undefined
}

/** Returns successes one by one, and all refusals as one, with the operation's own codes. */
const responsesOf = ({ responses }: Operation): Json => {
  const entries = Object.entries(responses)
  const successes = entries.filter(([, response]) => refusedBy(response) === undefined)
  const refusals = entries.filter(([, response]) => refusedBy(response) !== undefined)
  const own = refusals.flatMap(([status, { description }]) => {
    const codes = description.split(", ").filter((code) => !EVERYWHERE.has(code))
    return codes.length === 0 ? [] : [`${status} ${codes.join(", ")}`]
  })
  const shape = refusals.flatMap(([, response]) => refusedBy(response) ?? [])[0] ?? REFUSED
  const $ref = `#/components/responses/${shape}`
  return {
    ...Object.fromEntries(successes.map(([status, { headers: _, ...said }]) => [status, said])),
    default: { $ref, ...(own.length > 0 && { description: own.join("; ") }) },
  }
}

/** Headers that only the whole document has, because no request needs them. */
const LEFT_OUT = new Set(["#/components/parameters/RequestId", "#/components/parameters/Prefer"])

/** Removes examples. The whole document has one per resource. */
const withoutExamples = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutExamples)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, item]) => key !== "examples" || !Array.isArray(item),
  )
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutExamples(item)]))
}

/** Returns the parameters that several operations share, by name, as components. */
const sharedParameters = (operations: ReadonlyArray<Operation>) => {
  const all = operations.flatMap(({ parameters }) => parameters.filter(({ $ref }) => !$ref))
  const uses = Map.groupBy(all, (parameter) => JSON.stringify(parameter))
  const often = [...uses.values()]
    .filter((same) => same.length > 1)
    .toSorted((a, b) => b.length - a.length)
  const shared = new Map<string, Parameter>()
  for (const [parameter] of often) {
    if (parameter !== undefined && !shared.has(parameter.name)) {
      shared.set(parameter.name, parameter)
    }
  }
  return shared
}

const shortened = (operation: Operation, shared: ReadonlyMap<string, Parameter>): Json => ({
  ...operation,
  parameters: operation.parameters
    .filter(({ $ref = "" }) => !LEFT_OUT.has($ref))
    .map((parameter) =>
      JSON.stringify(shared.get(parameter.name)) === JSON.stringify(parameter)
        ? { $ref: `#/components/parameters/${parameter.name}` }
        : parameter,
    ),
  responses: responsesOf(operation),
})

const REFERENCE = /^#\/components\/(\w+)\/(.+)$/

/** Returns the components that a value refers to, also indirectly, such as `schemas/Money`. */
const referred = (
  value: unknown,
  components: { readonly [kind: string]: { readonly [name: string]: unknown } | undefined },
  found: Set<string> = new Set(),
): Set<string> => {
  if (typeof value !== "object" || value === null) return found
  for (const [key, item] of Object.entries(value)) {
    const [, kind = "", name = ""] =
      key === "$ref" && typeof item === "string" ? (REFERENCE.exec(item) ?? []) : []
    if (kind === "") referred(item, components, found)
    else if (!found.has(`${kind}/${name}`)) {
      found.add(`${kind}/${name}`)
      referred(components[kind]?.[name], components, found)
    }
  }
  return found
}

const kept = <A>(
  kind: string,
  all: { readonly [name: string]: A },
  needed: ReadonlySet<string>,
): { readonly [name: string]: A } =>
  Object.fromEntries(Object.entries(all).filter(([name]) => needed.has(`${kind}/${name}`)))

type Found = readonly [path: string, method: string, operation: Operation]

const operationsOf = (
  { paths }: Document,
  isWanted: (operation: string) => boolean,
): ReadonlyArray<Found> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => isWanted(`${method} ${path}`))
      .map(([method, operation]): Found => [path, method, operation]),
  )

/**
 * Returns the part of a document with the operations for which `isWanted` holds, by method and
 * path, and the components that they need. It is small enough to be read as a whole. It states
 * common refusals once, and leaves examples and unneeded headers to the whole document.
 */
export const partFor = (
  audience: Audience,
  document: Document,
  isWanted: (operation: string) => boolean,
): Json => {
  const { components, info, tags, webhooks, ...rest } = document
  const found = operationsOf(document, isWanted)
  const operations = found.map(([, , operation]) => operation)
  const shared = sharedParameters(operations)
  const paths = Object.fromEntries(
    [...Map.groupBy(found, ([path]) => path)].map(([path, own]) => [
      path,
      Object.fromEntries(own.map(([, method, each]) => [method, shortened(each, shared)])),
    ]),
  )
  const told = audience === "receiver" ? webhooks : {}
  const tellers = Object.values(told).map(({ post }) => post)
  const all = {
    ...components,
    parameters: { ...components.parameters, ...Object.fromEntries(shared) },
    responses: RESPONSES,
  }
  const needed = referred([paths, told], all)
  const schemes = new Set(operations.flatMap(({ security }) => security.flatMap(Object.keys)))
  const named = new Set([...operations, ...tellers].flatMap((operation) => operation.tags))
  return withoutExamples({
    ...rest,
    info: {
      ...info,
      title: `${info.title}: ${audience}`,
      description: about(audience, info.description ?? ""),
    },
    paths,
    ...(tellers.length > 0 && { webhooks: told }),
    tags: tags.filter(({ name }) => named.has(name)),
    components: {
      schemas: kept("schemas", all.schemas, needed),
      parameters: kept("parameters", all.parameters, needed),
      headers: kept("headers", all.headers, needed),
      responses: kept("responses", all.responses, needed),
      securitySchemes: Object.fromEntries(
        Object.entries(all.securitySchemes).filter(([name]) => schemes.has(name)),
      ),
    },
  }) as Json
}
