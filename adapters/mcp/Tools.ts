import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/server"
import type { ToolFilter } from "../../core/agents/ToolFilter.ts"
import type { Patience } from "../../core/market/Patience.ts"
import type { Deadline } from "../../core/shared/CurrentDeadline.ts"

/** The request has invalid parameters: JSON-RPC's -32602. */
export class InvalidParams extends Error {}

/** A refusal by a JSON-RPC error with its own data. */
export class RpcError extends Error {
  readonly code: number
  readonly data: object

  constructor(code: number, message: string, data: object) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A call names a tool that no list has. */
export const unknownTool = (name: string): InvalidParams =>
  new InvalidParams(`Unknown tool ${JSON.stringify(name.slice(0, 64))}`)

/** The facts about a request: its caller, if any, and its limits. */
export interface Asking {
  readonly caller: unknown
  readonly deadline: Deadline
  /** Aborted once the request is over. */
  readonly signal: AbortSignal
  /** The filter of listed tools, from the address. */
  readonly filter: ToolFilter
  /** Whether and how long it may wait for a change. */
  readonly patience: Patience
  /** Whether the address says that purchases are paid by x402. */
  readonly x402: boolean
  /** Whether the address says that purchases are paid by MPP. */
  readonly mpp: boolean
}

/** A call of a tool. */
export interface Call {
  readonly name: string
  readonly args: object
  /** The payload of x402 in the call; undefined without one. */
  readonly payment?: unknown
  /** The credential of MPP in the call; undefined without one. */
  readonly credential?: unknown
}

/** The tools of a server: those of this process or of a remote service. */
export interface Tools {
  /** Returns a page of the list. Rejects with {@link InvalidParams} for an unknown cursor. */
  readonly list: (cursor?: string, asking?: Asking) => Promise<ListToolsResult>
  /** Calls a tool. `cancelled` aborts when the client no longer waits for the answer. */
  readonly call: (call: Call, asking?: Asking, cancelled?: AbortSignal) => Promise<CallToolResult>
}
