import { Effect } from "effect"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { type Tool, TOOL_KINDS, toolOf } from "./Tool.ts"
import {
  parseToolCursor,
  placeBehind,
  placeBehindAll,
  toolCursor,
  type ToolPlace,
} from "./ToolCursor.ts"

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

/**
 * The tools of all active manifests (MCP tool mapping), in the order of the manifests' ids and 100
 * at a time unless another number is asked for. A tool that is there throughout is listed exactly
 * once, whatever comes and goes between two pages.
 *
 * Fails with `INVALID_QUERY` for a cursor that no page gave.
 */
export const listTools = Effect.fn("listTools")(function* (
  cursor?: string,
  limit?: number,
): Effect.fn.Return<ToolPage, Failure<"INVALID_QUERY"> | StoreUnavailable, Store> {
  const place = cursor === undefined ? undefined : parseToolCursor(cursor)
  if (cursor !== undefined && place === undefined) return yield* badCursor(cursor)
  const store = yield* Store
  const most = limit ?? TOOLS_A_PAGE
  const services = yield* store.list("service", {
    by: { status: "active" },
    order: "oldest",
    from: place?.service_id,
    limit: most + 1,
  })
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
  const last = services.length > most ? services.at(-1) : undefined
  const next_cursor = last === undefined ? undefined : toolCursor(placeBehindAll(last.id))
  return { tools, next_cursor }
})
