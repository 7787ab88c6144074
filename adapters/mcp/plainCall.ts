import {
  type CallToolRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  classifyInboundRequest,
  PROTOCOL_VERSION_META_KEY,
} from "@modelcontextprotocol/server"
import type { IncomingHttpHeaders } from "node:http"
import { CREDENTIAL } from "./mpp.ts"
import { PAYMENT } from "./x402.ts"

/** A call of a tool, by the id of its request. */
export interface PlainCall {
  readonly id: string | number
  readonly params: CallToolRequest["params"]
}

/** The revision whose calls are recognized. */
const REVISION = "2026-07-28"
const METHOD = "tools/call"

const PARAMS: ReadonlySet<string> = new Set(["name", "arguments", "_meta"])
const META: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  PAYMENT,
  CREDENTIAL,
])

/** The names that a header repeats without an encoding. */
const NAME = /^\w[\w-]*$/

const hasOnly = (value: unknown, known: ReadonlySet<string>): value is object =>
  typeof value === "object" && value !== null && Object.keys(value).every((key) => known.has(key))

const isOptionalObject = (value: unknown): boolean =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value))

/**
 * Recognizes a call in the usual form of revision 2026-07-28, which the library's server would only
 * pass on. Undefined for any other message: the library serves it or says what is wrong with it.
 */
export const plainCall = (
  headers: IncomingHttpHeaders,
  message: { readonly [name: string]: unknown } | undefined,
): PlainCall | undefined => {
  const name = headers["mcp-name"]
  const params = message?.["params"] as CallToolRequest["params"] | undefined
  const isPlain =
    message?.["method"] === METHOD &&
    headers["mcp-method"] === METHOD &&
    headers["mcp-protocol-version"] === REVISION &&
    hasOnly(params, PARAMS) &&
    hasOnly(params._meta, META) &&
    typeof name === "string" &&
    NAME.test(name) &&
    params.name === name &&
    isOptionalObject(params.arguments)
  if (!isPlain) return undefined
  const said = { protocolVersionHeader: REVISION, mcpMethodHeader: METHOD, body: message }
  const route = classifyInboundRequest({ httpMethod: "POST", ...said })
  const isSound = route.kind === "modern" && route.messageKind === "request"
  return isSound ? { id: route.message.id, params } : undefined
}
