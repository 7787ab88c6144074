import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
import { type Tool, TOOL_KINDS, toolOf } from "./Tool.ts"
import {
  parseToolCursor,
  placeBehind,
  placeBehindAll,
  toolCursor,
  type ToolPlace,
} from "./ToolCursor.ts"
import { hasTag, type ToolFilter } from "./ToolFilter.ts"

/** Tools on a page. */
const TOOLS_A_PAGE = 100

const badCursor = (cursor: string) =>
  new Failure({
    code: "INVALID_QUERY",
    message: `No page begins at the cursor ${JSON.stringify(cursor.slice(0, 64))}.`,
    field: "cursor",
  })

/** A page of the list of all tools. */
export interface ToolPage {
  readonly tools: ReadonlyArray<Tool>
  /** Where the next page begins; undefined on the last one. */
  readonly next_cursor: string | undefined
}

/** The services of which a page is made, in the order of their ids from a place on. */
interface Source {
  readonly services: ReadonlyArray<ServiceManifest>
  /** The last one that was looked at, where there may be more behind it. */
  readonly last: string | undefined
}

/** So many services are looked at for a page at most, so many at a time. */
const LOOKED_AT = 2_000
const AT_A_TIME = 500

/** So many installs of an account are looked at. */
const MOST_INSTALLS = 1_000

const activeFrom = Effect.fnUntraced(function* (from: string | undefined, limit: number) {
  const by = { status: "active" } as const
  return yield* (yield* Store).list("service", { by, order: "oldest", from, limit })
})

/** Active services from a place on, of which only those with a tag are given. */
const tagged = Effect.fnUntraced(function* (
  from: string | undefined,
  most: number,
  filter: ToolFilter,
) {
  if (filter.tag === undefined) {
    const services = yield* activeFrom(from, most + 1)
    const last = services.length > most ? services.at(-1)?.id : undefined
    return { services, last } satisfies Source
  }
  const services: Array<ServiceManifest> = []
  let last = from
  for (let seen = 0; seen < LOOKED_AT; seen += AT_A_TIME) {
    const some = yield* activeFrom(last, AT_A_TIME)
    const fresh = seen === 0 ? some : some.slice(1)
    services.push(...fresh.filter((service) => hasTag(service, filter.tag)))
    last = some.at(-1)?.id
    if (some.length < AT_A_TIME) return { services, last: undefined } satisfies Source
    if (services.length > most) break
  }
  return { services, last } satisfies Source
})

/** The named services, or those that the caller's agents have installed. */
const named = Effect.fnUntraced(function* (
  from: string | undefined,
  { ids, installed, tag }: ToolFilter,
  caller: Caller | undefined,
) {
  const store = yield* Store
  const account_id = caller?.account.id ?? ""
  const agents = caller?.restrictions?.agents
  const own =
    installed === true && account_id !== ""
      ? yield* store.list("install", { by: { account_id }, limit: MOST_INSTALLS })
      : []
  const theirs = own.filter(({ agent_id }) => agents === undefined || agents.includes(agent_id))
  const has = new Set(theirs.map(({ service_id }) => service_id))
  const wanted = (ids ?? [...has]).filter((id) => installed !== true || has.has(id))
  const found = yield* store.findMany("service", wanted)
  const services = found
    .filter((one) => one.status === "active" && one.id >= (from ?? "") && hasTag(one, tag))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { services, last: undefined } satisfies Source
})

/** What a list is asked for: tools on a page, and which ones. */
export interface ListOptions {
  readonly limit?: number
  readonly filter?: ToolFilter
  /** Who asks; a list of what is installed is empty without it. */
  readonly caller?: Caller | undefined
}

/**
 * The tools of all active manifests (MCP tool mapping), or of those that a filter lets through, in
 * the order of the manifests' ids and 100 at a time unless another number is asked for. A tool that
 * is there throughout is listed exactly once, whatever comes and goes between two pages. A page of
 * what has a tag may hold fewer tools than fit, and none.
 *
 * Fails with `INVALID_QUERY` for a cursor that no page gave.
 */
export const listTools = Effect.fn("listTools")(function* (
  cursor?: string,
  { caller, filter = {}, limit: most = TOOLS_A_PAGE }: ListOptions = {},
): Effect.fn.Return<ToolPage, Failure<"INVALID_QUERY"> | StoreUnavailable, Store> {
  const place = cursor === undefined ? undefined : parseToolCursor(cursor)
  if (cursor !== undefined && place === undefined) return yield* badCursor(cursor)
  const isNamed = filter.ids !== undefined || filter.installed === true
  const from = place?.service_id
  const { last, services } = yield* isNamed
    ? named(from, filter, caller)
    : tagged(from, most, filter)
  const tools: Array<Tool> = []
  let behind: ToolPlace | undefined
  for (const service of services) {
    for (const [before, kind] of TOOL_KINDS.entries()) {
      if (service.id === place?.service_id && before < place.kinds) continue
      const tool = toolOf(service, kind)
      if (tool === undefined) continue
      if (tools.length === most && behind !== undefined) {
        return { tools, next_cursor: toolCursor(behind) }
      }
      tools.push(tool)
      behind = placeBehind({ service_id: service.id, kind })
    }
  }
  return { tools, next_cursor: last === undefined ? undefined : toolCursor(placeBehindAll(last)) }
})
