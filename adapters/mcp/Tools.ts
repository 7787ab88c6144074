import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/server"
import type { Deadline } from "../../core/shared/CurrentDeadline.ts"

/** The request has invalid parameters: JSON-RPC's -32602. */
export class InvalidParams extends Error {}

/** What an endpoint knows of a request: its caller, where there is one, and until when it waits. */
export interface Asking {
  readonly caller: unknown
  readonly deadline: Deadline
  /** Aborted once the request is over. */
  readonly signal: AbortSignal
}

/** The tools that a server offers: those of this process or of a remote service. */
export interface Tools {
  /** A page of the list. Rejects with {@link InvalidParams} for a cursor that no page gave. */
  readonly list: (cursor?: string, asking?: Asking) => Promise<ListToolsResult>
  /** Calls a tool. */
  readonly call: (name: string, args: object, asking?: Asking) => Promise<CallToolResult>
}
