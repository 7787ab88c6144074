import { SchemaAST } from "effect"
import { EVENT_DATA } from "../../adapters/http/contract/webhooks.ts"
import type { EventType } from "../../core/webhooks/events/Event.ts"
import { STATUSES } from "../../core/shared/Failure.ts"
import { describe, type Described, methodsOf, methodText } from "./describe.ts"
import { inherit } from "./inherit.ts"
import { EVENT_TEXTS } from "../docs/reference/eventTexts.ts"
import { decideOptional, namesIn, read } from "./optional.ts"
import { type Declared, docstring, typeOf } from "./printType.ts"

const HEAD = `// Written by npm run generate from the contract: change that, and write it anew.
`

const JSON_TYPE = `/** What JSON can hold. */
export type Json =
  | string | number | boolean | null | ReadonlyArray<Json> | { readonly [name: string]: Json }
`

const PAGES = `/** A page of a list, from newest to oldest. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  /** Whether a next page exists. */
  readonly has_more: boolean
}

/** A page of a list that says how many there are in all. */
export interface CountedPage<Item> {
  readonly data: ReadonlyArray<Item>
  readonly pagination: {
    readonly total: number
    readonly limit: number
    readonly offset: number
  }
}
`

const union = (names: ReadonlyArray<string>): string =>
  names.map((name) => JSON.stringify(name)).join(" | ")

const codes = (): string =>
  `/** Every code that the service refuses a request with. */
export type ErrorCode = ${union(Object.keys(STATUSES))}
`

const resourcesText = (methods: ReadonlyArray<Described>, declared: Declared): string => {
  const types = decideOptional(
    declared,
    methods.flatMap(({ args }) => args),
  )
  return [HEAD, JSON_TYPE, PAGES, codes(), ...inherit(types).values()].join("\n")
}

const methodsText = (methods: ReadonlyArray<Described>, declared: Declared): string => {
  const resources = Map.groupBy(methods, ({ resource }) => resource)
  const fields = [...resources].map(
    ([resource, own]) => `readonly ${resource}: {\n${own.map(methodText).join("\n")}\n}`,
  )
  const body = fields.join("\n")
  const pages: Declared = new Map([...declared, ["Page", ""], ["CountedPage", ""]])
  return `${HEAD}
import type { Listing } from "./Listing.ts"
import type { RequestOptions } from "./RequestOptions.ts"
import type { ${namesIn(body, pages).toSorted().join(", ")} } from "./Resources.ts"

/** A method for each route of the service, by what it is about. */
export interface Methods {
${body}
}
`
}

const routesText = (methods: ReadonlyArray<Described>): string => {
  const resources = Map.groupBy(methods, ({ resource }) => resource)
  const rows = [...resources].map(([resource, own]) => {
    const routes = own.map(({ accept, cursor, gives, input, method, pages, path, verb }) => {
      const deletes = gives === "Promise<Deleted>" ? true : undefined
      const facts = { verb, path, input, pages, cursor, accept, deletes }
      return `${method}: ${JSON.stringify(facts)},`
    })
    return `${resource}: {\n${routes.join("\n")}\n},`
  })
  return `${HEAD}
/** How a method is sent. */
export interface Route {
  readonly verb: string
  /** With a colon before each parameter. */
  readonly path: string
  /** Where its input goes. */
  readonly input?: "body" | "query"
  /** How a list goes on: after the last of its items, or at a number. */
  readonly pages?: "cursor" | "offset"
  /** The field with the id of a listed item, if that is not \`id\`. */
  readonly cursor?: string
  /** What it asks for, where that is not JSON. */
  readonly accept?: string
  /** Whether it deletes a record, and answers only that it has. */
  readonly deletes?: true
}

/** The route of each method, by resource. */
export const ROUTES: { readonly [resource: string]: { readonly [method: string]: Route } } = {
${rows.join("\n")}
}
`
}

const eventsText = (): string => {
  const declared: Declared = new Map()
  /** The first event with each type of data; later events with the same data refer to it. */
  const firsts = new Map<string, string>()
  const events = Object.entries(EVENT_DATA).map(([type, { ast }]) => {
    const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    const name = `${words.join("")}Event`
    const data = typeOf(SchemaAST.toType(ast), declared)
    const first = firsts.get(data)
    if (first === undefined) firsts.set(data, name)
    const about = docstring(EVENT_TEXTS[type as EventType].when)
    const told = first === undefined ? data : `${first}["data"]`
    const of = `EventOf<${JSON.stringify(type)}, ${told}>`
    return [name, `${about}export type ${name} = ${of}\n`] as const
  })
  return `${HEAD}
interface EventOf<Type extends string, Data> {
  /** \`evt_…\`; the same in every delivery of this event. */
  readonly id: string
  readonly type: Type
  readonly data: Data
  /** Unix seconds. */
  readonly created: number
}

/** What is told, the same for every envelope (Events). Later versions have further types. */
export type WebhookEvent =
${events.map(([name]) => `| ${name}`).join("\n")}

${read([...events.map(([, text]) => text), ...declared.values()].join("\n"))}`
}

/** The SDK's written files, by their paths in the project. */
export const sdkFiles = (): { readonly [path: string]: string } => {
  const declared: Declared = new Map()
  const methods = methodsOf().map((method) => describe(method, declared))
  const folder = "adapters/http/client"
  return {
    [`${folder}/Resources.ts`]: resourcesText(methods, declared),
    [`${folder}/Methods.ts`]: methodsText(methods, declared),
    [`${folder}/routes.ts`]: routesText(methods),
    "adapters/receiver/Events.ts": eventsText(),
  }
}
