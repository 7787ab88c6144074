import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { isUuid } from "../shared/Id.ts"
import { cumulativeTool } from "./CumulativeTool.ts"
import { oneTimeTool } from "./OneTimeTool.ts"
import { subscribeTool } from "./SubscribeTool.ts"

/** The JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object"
  readonly properties: { readonly [name: string]: { readonly [keyword: string]: unknown } }
  readonly required: ReadonlyArray<string>
}

/** A tool as models see it; the seller's texts are in it as quoted data. */
export interface ToolDescription {
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /** Whether repeating a call with the same arguments, at any later time, has no further effect. */
  readonly idempotent: boolean
}

/** A way to pay a service, as a tool for agents (MCP tool mapping). */
export interface Tool extends ToolDescription {
  /** `<manifest_id>__pay_one_time` and so on: at most 52 characters. */
  readonly name: string
}

/** The kinds of tools, in the order in which a manifest's tools are listed. */
export const TOOL_KINDS = ["pay_one_time", "pay_cumulative", "pay_subscribe"] as const
/** The kind of a tool. */
export type ToolKind = (typeof TOOL_KINDS)[number]

/** Tells whether a service accepts that kind of payment. */
export const isOffered = (
  { payment_methods, pricing }: ServiceManifest,
  kind: ToolKind,
): boolean => {
  switch (kind) {
    case "pay_one_time":
      return payment_methods.one_time === true
    case "pay_cumulative":
      return payment_methods.cumulative === true && pricing.cumulative !== undefined
    case "pay_subscribe":
      return payment_methods.subscription === true
  }
}

/** Describes a manifest's tool of each kind; undefined where the service is not paid that way. */
const DESCRIBE: {
  readonly [K in ToolKind]: (manifest: ServiceManifest) => ToolDescription | undefined
} = {
  pay_one_time: oneTimeTool,
  pay_cumulative: cumulativeTool,
  pay_subscribe: subscribeTool,
}

/** The parts of a tool's name: the service that it pays, and its kind. */
export interface ToolName {
  readonly service_id: string
  readonly kind: ToolKind
}

/** Returns the name of a manifest's tool. */
const toolName = ({ kind, service_id }: ToolName): string => `${service_id}__${kind}`

/** Parses a tool's name; returns undefined for an invalid name. */
export const parseToolName = (name: string): ToolName | undefined => {
  const [service_id = "", ...rest] = name.split("__")
  const kind = TOOL_KINDS.find((known) => known === rest.join("__"))
  return kind !== undefined && isUuid(service_id) ? { service_id, kind } : undefined
}

/** Returns the manifest's tool of that kind; undefined where the service is not paid that way. */
export const toolOf = (manifest: ServiceManifest, kind: ToolKind): Tool | undefined => {
  const described = isOffered(manifest, kind) ? DESCRIBE[kind](manifest) : undefined
  return described === undefined
    ? undefined
    : { name: toolName({ service_id: manifest.id, kind }), ...described }
}

/** Returns the tools of a manifest (MCP tool mapping). An inactive manifest has none. */
export const toolsOf = (manifest: ServiceManifest): ReadonlyArray<Tool> =>
  manifest.status === "active" ? TOOL_KINDS.flatMap((kind) => toolOf(manifest, kind) ?? []) : []
