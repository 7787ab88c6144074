import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { isUuid } from "../shared/Id.ts"
import { cumulativeTool } from "./CumulativeTool.ts"
import { oneTimeTool } from "./OneTimeTool.ts"
import { subscribeTool } from "./SubscribeTool.ts"

/** JSON Schema of an object. */
export interface ObjectSchema {
  readonly type: "object"
  readonly properties: { readonly [name: string]: { readonly [keyword: string]: unknown } }
  readonly required: ReadonlyArray<string>
}

/** What a tool is to the model that chooses it; the seller's words are in it as data. */
export interface ToolDescription {
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema: ObjectSchema
  /** Whether a call again, with the same arguments and at any later time, has no further effect. */
  readonly idempotent: boolean
}

/** A way to pay a service, as an agent's tool (MCP tool mapping). */
export interface Tool extends ToolDescription {
  /** `<manifest_id>__pay_one_time` and so on: at most 52 characters. */
  readonly name: string
}

/** What tools do, in the order in which a manifest's are listed. */
export const TOOL_KINDS = ["pay_one_time", "pay_cumulative", "pay_subscribe"] as const
/** What a tool does. */
export type ToolKind = (typeof TOOL_KINDS)[number]

/** Whether a service is paid in the way of that kind. */
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

/** By kind, the tool of a manifest whose service is paid that way. */
const DESCRIBE: {
  readonly [K in ToolKind]: (manifest: ServiceManifest) => ToolDescription | undefined
} = {
  pay_one_time: oneTimeTool,
  pay_cumulative: cumulativeTool,
  pay_subscribe: subscribeTool,
}

/** What a tool's name says: which service it pays, and how. */
export interface ToolName {
  readonly service_id: string
  readonly kind: ToolKind
}

/** The name of a manifest's tool. */
const toolName = ({ kind, service_id }: ToolName): string => `${service_id}__${kind}`

/** Reads a tool's name; undefined for a name that no tool can have. */
export const parseToolName = (name: string): ToolName | undefined => {
  const [service_id = "", ...rest] = name.split("__")
  const kind = TOOL_KINDS.find((known) => known === rest.join("__"))
  return kind !== undefined && isUuid(service_id) ? { service_id, kind } : undefined
}

/** The manifest's tool of that kind; undefined where the service is not paid that way. */
export const toolOf = (manifest: ServiceManifest, kind: ToolKind): Tool | undefined => {
  const described = isOffered(manifest, kind) ? DESCRIBE[kind](manifest) : undefined
  return described === undefined
    ? undefined
    : { name: toolName({ service_id: manifest.id, kind }), ...described }
}

/** The tools of a manifest (MCP tool mapping). One that is not active has none. */
export const toolsOf = (manifest: ServiceManifest): ReadonlyArray<Tool> =>
  manifest.status === "active" ? TOOL_KINDS.flatMap((kind) => toolOf(manifest, kind) ?? []) : []
