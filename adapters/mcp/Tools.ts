import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/server"
import type { ToolFilter } from "../../core/agents/ToolFilter.ts"
import type { Patience } from "../../core/market/Patience.ts"
import type { Deadline } from "../../core/shared/CurrentDeadline.ts"

/** The request has invalid parameters: JSON-RPC's -32602. */
export class InvalidParams extends Error {}

/** A call is refused with an error of JSON-RPC's that has data of its own. */
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

/** What an endpoint knows of a request: its caller, where there is one, and until when it waits. */
export interface Asking {
  readonly caller: unknown
  readonly deadline: Deadline
  /** Aborted once the request is over. */
  readonly signal: AbortSignal
  /** What its address says of the tools that are to be listed. */
  readonly filter: ToolFilter
  /** Whether and how it may wait for a change. */
  readonly patience: Patience
  /** Whether its address says that purchases are paid by x402. */
  readonly x402: boolean
  /** Whether it says that they are paid by MPP. */
  readonly mpp: boolean
}

/** A call of a tool. */
export interface Call {
  readonly name: string
  readonly args: object
  /** The payload of x402 that it shows; undefined without one. */
  readonly payment?: unknown
  /** The credential of MPP that it shows; undefined without one. */
  readonly credential?: unknown
}

/** The tools that a server offers: those of this process or of a remote service. */
export interface Tools {
  /** A page of the list. Rejects with {@link InvalidParams} for a cursor that no page gave. */
  readonly list: (cursor?: string, asking?: Asking) => Promise<ListToolsResult>
  /** Calls a tool; `cancelled` is aborted when the client does not wait for the answer any more. */
  readonly call: (call: Call, asking?: Asking, cancelled?: AbortSignal) => Promise<CallToolResult>
}
