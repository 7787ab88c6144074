import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server"
import { Context, Effect, Exit, Semaphore } from "effect"
import { byKey } from "../../core/accountLog/logged.ts"
import { noteRefusals } from "../../core/accountLog/noteRefusals.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import { callTool } from "../../core/agents/callTool.ts"
import { listTools } from "../../core/agents/listTools.ts"
import { parseToolName, type Tool } from "../../core/agents/Tool.ts"
import type { ToolAnswer } from "../../core/agents/ToolCall.ts"
import type { Channels } from "../../core/ports/Channels.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { Installation } from "../../core/ports/Installation.ts"
import type { Rates } from "../../core/ports/Rates.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { CurrentDeadline, NO_DEADLINE } from "../../core/shared/CurrentDeadline.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import { errorBody } from "../http/contract/Errors.ts"
import { failureOf } from "../shared/failureOf.ts"
import { tooLate } from "../shared/Intake.ts"
import { type Asking, InvalidParams, type Tools } from "./Tools.ts"

/** The ports that the tools need. */
export type ToolPorts = Store | Vault | Ids | Installation | Channels | Rates

/** The caller, the id of its request for the log, and the refusal of a request over the rate. */
export interface ToolCaller {
  readonly caller: Caller
  readonly request_id: string
  readonly refusal: Failure | null
}

const isToolCaller = (value: unknown): value is ToolCaller =>
  typeof value === "object" && value !== null && "caller" in value && "request_id" in value

const wireTool = ({ idempotent, ...tool }: Tool): WireTool => ({
  ...tool,
  inputSchema: tool.inputSchema as object as WireTool["inputSchema"],
  outputSchema: tool.outputSchema as object as NonNullable<WireTool["outputSchema"]>,
  annotations: {
    title: tool.title,
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: idempotent,
    openWorldHint: true,
  },
})

const toolResult = ({ replayed, view }: ToolAnswer): CallToolResult => {
  const shown = { ...view, ...(replayed && { replayed }) }
  return {
    content: [{ type: "text", text: JSON.stringify(shown) }],
    structuredContent: shown,
    ...(replayed && { _meta: { "payport/replayed": true } }),
  }
}

/** A refusal as a tool's result; its text is the error body that HTTP would send. */
const toolError = (failure: Failure, requestId?: string): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(errorBody(failure, "flat", requestId)) }],
  isError: true,
})

/** Listing needs no key, so it may occupy only two of the connections to the store. */
const LISTS_AT_ONCE = 2

/** The tools of the core, run in `context`. */
export const coreTools = (context: Context.Context<ToolPorts>): Tools => {
  const run = Effect.runPromiseExitWith(context)
  const runFor = (asking: Asking | undefined) => {
    const deadline = asking?.deadline ?? NO_DEADLINE
    const hurried = Effect.runPromiseExitWith(Context.add(context, CurrentDeadline, deadline))
    return <A, E>(effect: Effect.Effect<A, E, ToolPorts>) =>
      hurried(effect, asking && { signal: asking.signal })
  }
  const listing = Semaphore.makeUnsafe(LISTS_AT_ONCE)
  return {
    list: async (cursor, asking) => {
      const exit = await runFor(asking)(listing.withPermit(listTools(cursor)))
      if (Exit.isSuccess(exit)) {
        const { next_cursor, tools } = exit.value
        return {
          tools: tools.map(wireTool),
          ...(next_cursor !== undefined && { nextCursor: next_cursor }),
        }
      }
      const failure = failureOf(exit.cause)
      if (failure.code === "INVALID_QUERY") throw new InvalidParams(failure.message)
      await run(Effect.logWarning("tools could not be listed", exit.cause))
      throw failure
    },
    call: async (name, args, asking) => {
      const by = asking?.caller
      if (!isToolCaller(by)) throw new Error("A tool was called without a caller.")
      if (parseToolName(name) === undefined) {
        throw new InvalidParams(`Unknown tool ${JSON.stringify(name.slice(0, 64))}`)
      }
      if (by.refusal !== null) return toolError(by.refusal)
      const exit = await runFor(asking)(
        noteRefusals(byKey(by.caller), callTool(by.caller, name, args)),
      )
      if (Exit.isSuccess(exit)) return toolResult(exit.value)
      if (asking?.signal.aborted === true) return toolError(tooLate(true))
      const failure = failureOf(exit.cause)
      const isOurs = failure.code === "INTERNAL_ERROR"
      if (isOurs) {
        const log = Effect.logError("a tool failed", exit.cause)
        await run(Effect.annotateLogs(log, "request_id", by.request_id))
      }
      return toolError(failure, isOurs ? by.request_id : undefined)
    },
  }
}
