import { isUuid } from "../shared/Id.ts"
import { TOOL_KINDS, type ToolName } from "./Tool.ts"

/**
 * A position in the list of all tools: behind a manifest's tools up to a kind. The list is ordered
 * by the manifests' ids, so that a position stays valid when the list changes.
 */
export interface ToolPlace {
  readonly service_id: string
  /** How many of {@link TOOL_KINDS} are before the position. */
  readonly kinds: number
}

/** Returns the position behind a tool. */
export const placeBehind = ({ kind, service_id }: ToolName): ToolPlace => ({
  service_id,
  kinds: TOOL_KINDS.indexOf(kind) + 1,
})

/** Returns the position behind all tools of a manifest. */
export const placeBehindAll = (service_id: string): ToolPlace => ({ service_id, kinds: KINDS })

const KINDS = 9

/** Encodes a position as an opaque cursor. */
export const toolCursor = ({ kinds, service_id }: ToolPlace): string =>
  `${service_id.replaceAll("-", "")}${kinds}`

const CURSOR = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})([1-9])$/

/** Parses a cursor; returns undefined for an invalid one. */
export const parseToolCursor = (cursor: string): ToolPlace | undefined => {
  const parts = CURSOR.exec(cursor)?.slice(1)
  if (parts === undefined) return undefined
  const place = { service_id: parts.slice(0, 5).join("-"), kinds: Number(parts[5]) }
  const known = place.kinds <= TOOL_KINDS.length || place.kinds === KINDS
  return known && isUuid(place.service_id) ? place : undefined
}
