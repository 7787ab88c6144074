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

/** Default number of tools on a page. */
const TOOLS_A_PAGE = 100

const badCursor = (cursor: string) =>
  new Failure({
    code: "INVALID_QUERY",
    message:
      `The cursor ${JSON.stringify(cursor.slice(0, 64))} is not valid. Send the cursor of the ` +
      "previous page, or none for the first page.",
    field: "cursor",
  })

/** A page of the list of all tools. */
export interface ToolPage {
  readonly tools: ReadonlyArray<Tool>
  /** The cursor of the next page; undefined on the last one. */
  readonly next_cursor: string | undefined
}

/** The services of a page, ordered by their ids. */
interface Source {
  readonly services: ReadonlyArray<ServiceManifest>
  /** The id of the last service that was read, if there may be more behind it. */
  readonly last: string | undefined
}

/** The most services that are read for a page, and the most at a time. */
const LOOKED_AT = 2_000
const AT_A_TIME = 500

/** The most installs of an account that are read. */
const MOST_INSTALLS = 1_000

const activeFrom = Effect.fnUntraced(function* (from: string | undefined, limit: number) {
  const by = { status: "active" } as const
  return yield* (yield* Store).list("service", { by, order: "oldest", from, limit })
})

/** Reads active services from a position on, and keeps those with the tag. */
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

/** Reads the named services, or those of the caller's key that its agents have installed. */
const named = Effect.fnUntraced(function* (
  from: string | undefined,
  { ids, installed, tag }: ToolFilter,
  caller: Caller | undefined,
) {
  const store = yield* Store
  const account_id = caller?.account.id ?? ""
  const { agents, services: allowed } = caller?.restrictions ?? {}
  const own =
    installed === true && account_id !== ""
      ? yield* store.list("install", { by: { account_id }, limit: MOST_INSTALLS })
      : []
  const theirs = own.filter(
    ({ agent_id, service_id }) =>
      (agents === undefined || agents.includes(agent_id)) &&
      (allowed === undefined || allowed.includes(service_id)),
  )
  const has = new Set(theirs.map(({ service_id }) => service_id))
  const wanted = (ids ?? [...has]).filter((id) => installed !== true || has.has(id))
  const found = yield* store.findMany("service", wanted)
  const services = found
    .filter((one) => one.status === "active" && one.id >= (from ?? "") && hasTag(one, tag))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { services, last: undefined } satisfies Source
})

/** The length of a page, and the filter of the list. */
export interface ListOptions {
  readonly limit?: number
  readonly filter?: ToolFilter
  /** The caller. Without one, a list of installed services is empty. */
  readonly caller?: Caller | undefined
}

/**
 * Lists the tools of all active manifests (MCP tool mapping), or of those that match a filter,
 * ordered by the manifests' ids; 100 a page by default. A tool that exists throughout is listed
 * exactly once, whatever changes between two pages. A page filtered by a tag may have fewer tools,
 * or none.
 *
 * Fails with `INVALID_QUERY` for an invalid cursor.
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
