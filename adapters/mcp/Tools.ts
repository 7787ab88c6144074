import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/server"

/** The request cannot be served as it is: JSON-RPC's "invalid params". */
export class InvalidParams extends Error {}

/** Tools as the protocol asks for them, wherever they are. */
export interface Tools {
  /** A page of the list. Rejects with {@link InvalidParams} for a cursor that no page gave. */
  readonly list: (cursor: string | undefined) => Promise<ListToolsResult>
  /** Calls a tool. `caller` is what the door that the call came by knows of the caller. */
  readonly call: (name: string, args: object, caller: unknown) => Promise<CallToolResult>
}
