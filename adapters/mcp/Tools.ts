import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/server"

/** The request has invalid parameters: JSON-RPC's -32602. */
export class InvalidParams extends Error {}

/** The tools that a server offers: those of this process or of a remote service. */
export interface Tools {
  /** A page of the list. Rejects with {@link InvalidParams} for a cursor that no page gave. */
  readonly list: (cursor: string | undefined) => Promise<ListToolsResult>
  /** Calls a tool. `caller` is what the endpoint knows of the caller. */
  readonly call: (name: string, args: object, caller: unknown) => Promise<CallToolResult>
}
