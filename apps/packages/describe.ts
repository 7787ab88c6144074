import { Context, SchemaAST } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import { Api } from "../../adapters/http/contract/Api.ts"
import { METHODS, SANDBOX_METHODS } from "../payport/methods.ts"
import { OPTIONAL, read, writable } from "./optional.ts"
import { type Declared, docstring, typeOf } from "./printType.ts"

type Called = string | readonly [name: string, accept: string]

/** The method that streams a payment's changes. */
const WATCH = { intents: { watch: "paymentIntents.events" } }

/** Every method of the SDK by its resource: the library's, and one that follows a payment. */
export const methodsOf = (): ReadonlyArray<readonly [resource: string, method: string, Called]> => {
  const tables: ReadonlyArray<{ readonly [r: string]: { readonly [m: string]: Called } }> = [
    METHODS,
    SANDBOX_METHODS,
    WATCH,
  ]
  const all = new Map<string, Array<readonly [string, string, Called]>>()
  for (const table of tables) {
    for (const [resource, methods] of Object.entries(table)) {
      const rows = Object.entries(methods).map(
        ([name, called]) => [resource, name, called] as const,
      )
      all.set(resource, [...(all.get(resource) ?? []), ...rows])
    }
  }
  return [...all.values()].flat()
}

const endpointOf = (name: string): HttpApiEndpoint.Top => {
  const groups: { readonly [group: string]: { readonly endpoints: object } } = Api.groups
  const [group = "", endpoint = ""] = name.split(".")
  const found: unknown = Reflect.get(groups[group]?.endpoints ?? {}, endpoint)
  if (found === undefined) throw new Error(`The contract has no ${name}.`)
  return found as HttpApiEndpoint.Top
}

/** How a list continues: after the id of its last item, or at an offset. */
type Pages = "cursor" | "offset"

/** A method as it is called and as it is sent. */
export interface Described {
  readonly resource: string
  readonly method: string
  readonly about: string
  readonly verb: string
  readonly path: string
  readonly input: "body" | "query" | undefined
  readonly pages: Pages | undefined
  /** The field with the id of a listed item, if that is not `id`. */
  readonly cursor: string | undefined
  readonly accept: string | undefined
  /** The types of its arguments and of its result in TypeScript. */
  readonly args: ReadonlyArray<string>
  readonly gives: string
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const camel = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const fieldsOf = (ast: SchemaAST.AST) => (ast._tag === "Objects" ? ast.propertySignatures : [])

/** A query as a program writes it: numbers and booleans where the URL has their letters. */
const queryType = (ast: SchemaAST.AST, name: string, about: string, declared: Declared): string => {
  const types = new Map(fieldsOf(SchemaAST.toType(ast)).map((field) => [field.name, field.type]))
  const fields = fieldsOf(SchemaAST.toEncoded(ast)).map((field) => {
    const type = typeOf(types.get(field.name) ?? field.type, declared)
    const shown = type === '"true" | "false"' ? "boolean" : type
    const [mark, end] = SchemaAST.isOptional(field.type) ? ["?", OPTIONAL] : ["", ""]
    return `readonly ${String(field.name)}${mark}: ${shown}${end}`
  })
  declared.set(name, `${docstring(about)}export interface ${name} {\n${fields.join("\n")}\n}\n`)
  return name
}

const isOptionalInput = (ast: SchemaAST.AST): boolean =>
  fieldsOf(SchemaAST.toEncoded(ast)).every(({ type }) => SchemaAST.isOptional(type))

const pagesOf = (names: ReadonlyArray<PropertyKey>): Pages | undefined => {
  if (names.includes("starting_after")) return "cursor"
  return names.includes("offset") ? "offset" : undefined
}

/**
 * Whether an answer is one of our pages, with its items in `data`. x402's own pages are different.
 */
const isPaged = (endpoint: HttpApiEndpoint.Top): boolean =>
  [...endpoint.success].some(({ ast }) =>
    fieldsOf(SchemaAST.toType(ast)).some(({ name }) => name === "data"),
  )

/** Returns the type of a page's items; undefined for other answers. */
const itemOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  const data = fieldsOf(ast).find(({ name }) => name === "data")
  return data?.type._tag === "Arrays" ? data.type.rest[0] : undefined
}

/**
 * Returns the field that holds the id of a listed item, if that is not `id`: `appeal_id` of the
 * list at `/v1/kyc/appeals`.
 */
const cursorOf = (endpoint: HttpApiEndpoint.Top): string | undefined => {
  const item = [...endpoint.success].flatMap(({ ast }) => itemOf(SchemaAST.toType(ast)) ?? [])[0]
  const names = (item === undefined ? [] : fieldsOf(item)).map(({ name }) => String(name))
  if (names.includes("id")) return undefined
  const own = `${endpoint.path.split("/").at(-1)?.replace(/s$/, "")}_id`
  if (!names.includes(own))
    throw new Error(`The items of ${endpoint.path} have neither id nor ${own}.`)
  return own
}

const pageType = (ast: SchemaAST.AST, declared: Declared): string => {
  const fields = fieldsOf(ast)
  const rest = fields[1]
  const item = fields.length === 2 && fields[0]?.name === "data" ? itemOf(ast) : undefined
  if (item === undefined) return typeOf(ast, declared)
  if (rest?.name === "has_more") return `Page<${typeOf(item, declared)}>`
  if (rest?.name === "pagination") return `CountedPage<${typeOf(item, declared)}>`
  return typeOf(ast, declared)
}

const givenAs = (accept: string): string => (accept === "image/png" ? "Uint8Array" : "string")

const answerType = (endpoint: HttpApiEndpoint.Top, declared: Declared): string => {
  const views = [...endpoint.success].map(({ ast }) => SchemaAST.toType(ast))
  const json = views.filter(({ _tag }) => _tag !== "String" && _tag !== "Declaration")
  return [...new Set(json.map((ast) => pageType(ast, declared)))].join(" | ")
}

const pathArguments = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => `${camel(name)}: string`)

/** Describes a method by the contract. The types that it names are added to `declared`. */
export const describe = (
  [resource, method, called]: readonly [string, string, Called],
  declared: Declared,
): Described => {
  const [name, accept] = typeof called === "string" ? [called, undefined] : called
  const endpoint = endpointOf(name)
  const { path, query } = endpoint
  const payload = [...endpoint.payload.values()][0]?.schemas[0]
  const hasBody = payload !== undefined && fieldsOf(SchemaAST.toEncoded(payload.ast)).length > 0
  const names = query === undefined ? [] : fieldsOf(query.ast).map((field) => field.name)
  const inputs = (() => {
    if (hasBody) {
      const type = typeOf(SchemaAST.toEncoded(payload.ast), declared)
      return [`input${isOptionalInput(payload.ast) ? "?" : ""}: ${type}`]
    }
    if (query === undefined) return []
    const own = `${pascal(resource)}${pascal(method)}Query`
    const type = queryType(query.ast, own, `What \`${resource}.${method}\` takes.`, declared)
    return [`query${isOptionalInput(query.ast) ? "?" : ""}: ${type}`]
  })()
  const pages = isPaged(endpoint) ? pagesOf(names) : undefined
  const answer = accept === undefined ? answerType(endpoint, declared) : givenAs(accept)
  const isStream = method === "watch"
  const single = isStream ? "AsyncIterable<PaymentIntent>" : `Promise<${answer}>`
  return {
    resource,
    method,
    about: Context.getOrElse(endpoint.annotations, OpenApi.Summary, () => ""),
    verb: endpoint.method,
    path,
    input: hasBody ? "body" : query && "query",
    pages: isStream ? undefined : pages,
    cursor: pages === "cursor" ? cursorOf(endpoint) : undefined,
    accept: isStream ? "text/event-stream" : accept,
    args: [...pathArguments(path), ...inputs, "options?: RequestOptions"],
    gives: pages === undefined ? single : `Listing<${answer}>`,
  }
}

/** The text of a method's type. */
export const methodText = ({ about, args, gives, method }: Described): string =>
  `${docstring(`${about}.`)}readonly ${method}: (${writable(args.join(", "))}) => ${read(gives)}`
