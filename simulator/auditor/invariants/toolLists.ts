// Written independently of core/agents on purpose: see Model.ts.

import type { Install } from "../../../core/installs/Install.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Model } from "../Model.ts"
import type { Observations, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"

/** The query of a list of tools, as its address has it. */
export type ToolQuery = ReadonlyArray<readonly [name: string, value: string]>

declare module "../Observation.ts" {
  interface Observations {
    /** All pages of a list of tools at rest, or the field for which it is refused. */
    readonly tools_listed: {
      readonly query: ToolQuery
      /** A cursor that nobody has given; undefined for the first page. */
      readonly cursor: string | undefined
      readonly account: string | undefined
      /** What the reader's key is restricted to. */
      readonly agents: ReadonlyArray<string> | undefined
      readonly services: ReadonlyArray<string> | undefined
      readonly limit: number
      readonly pages: ReadonlyArray<ReadonlyArray<string>>
      readonly refused: string | undefined
    }
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Returns the ids in a text as a list has them: without spaces, in small letters, each once. */
const idsIn = (text: string): ReadonlyArray<string> => [
  ...new Set(text.toLowerCase().replaceAll(" ", "").split(",")),
]

/** Whether a parameter is one of those that there are, with a value that it may have. */
const isRight = ([name, value]: readonly [string, string]): boolean => {
  if (name === "tag") return value.trim().length > 0
  if (name === "installed") return value === "" || value === "true"
  const ids = idsIn(value)
  return name === "ids" && ids.length <= 100 && ids.every((id) => UUID.test(id))
}

/** Returns the first parameter that is wrong, or sent again. */
const wrongIn = (query: ToolQuery): string | undefined =>
  query.find((one, n) => {
    const isAgain = query.slice(0, n).some(([name]) => name === one[0])
    return isAgain || !isRight(one)
  })?.[0]

const recordsOf = (kind: "service" | "install", model: Model): ReadonlyArray<object> =>
  [...(model.know(kept).get(kind)?.values() ?? [])].flatMap((record) => record ?? [])

const toolsOf = ({ id, payment_methods: sold, pricing }: ServiceManifest) => [
  ...(sold.one_time === true ? [`${id}__pay_one_time`] : []),
  ...(sold.cumulative === true && pricing.cumulative ? [`${id}__pay_cumulative`] : []),
  ...(sold.subscription === true ? [`${id}__pay_subscribe`] : []),
]

/** Returns the services whose tools are listed. */
const wanted = (seen: Observations["tools_listed"], model: Model) => {
  const { account, agents, query, services } = seen
  const asked = new Map(query)
  const tag = asked.get("tag")?.trim().toLowerCase()
  const ids = asked.get("ids")
  const named = ids === undefined ? undefined : idsIn(ids)
  const installed = (recordsOf("install", model) as ReadonlyArray<Install>)
    .filter(({ account_id }) => account_id === account)
    .filter(({ agent_id }) => agents === undefined || agents.includes(agent_id))
    .filter(({ service_id }) => services === undefined || services.includes(service_id))
    .map(({ service_id }) => service_id)
  return (recordsOf("service", model) as ReadonlyArray<ServiceManifest>)
    .filter(({ status }) => status === "active")
    .filter(({ id }) => named === undefined || named.includes(id))
    .filter(({ id }) => !asked.has("installed") || installed.includes(id))
    .filter(({ tags }) => tag === undefined || tags.some((one) => one.toLowerCase() === tag))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Checks that a list has each tool that is asked for once, in order, on full pages. */
const listed: Rule<"tools_listed"> = (seen, model) => {
  const { cursor, limit, pages, query, refused } = seen
  const wrong = wrongIn(query) ?? (cursor === undefined ? undefined : "cursor")
  if (wrong !== refused) return `is refused for ${refused}, not for ${wrong}: ${String(query)}`
  if (wrong !== undefined) return undefined
  const expected = wanted(seen, model).flatMap(toolsOf)
  const differs = difference(expected, pages.flat())
  if (differs !== undefined) return `lists tools with ${differs}, for ${String(query)}`
  // A page that is filtered by a tag may be shorter.
  const isWhole = !query.some(([name]) => name === "tag")
  const most = pages.find((page) => page.length > limit)
  if (most !== undefined) return `has a page of ${most.length} tools, not of ${limit}`
  const short = pages.slice(0, -1).find((page) => isWhole && page.length !== limit)
  return short === undefined ? undefined : `has a page of ${short.length} tools before its last`
}

/** The rules about lists of tools. */
export const toolListRules: Rulebook = { 136: { tools_listed: listed } }
