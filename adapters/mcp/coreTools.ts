import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server"
import { type Context, Effect, Exit, Semaphore } from "effect"
import { callTool, callToolProven, demandOfTool, repeatTool } from "../../core/agents/callTool.ts"
import { provenTool } from "../../core/agents/Demand.ts"
import { listTools } from "../../core/agents/listTools.ts"
import { parseToolName, type Tool } from "../../core/agents/Tool.ts"
import type { ToolAnswer } from "../../core/agents/ToolCall.ts"
import { failureOf } from "../shared/failureOf.ts"
import { makeRunner, toolCaller, type ToolPorts } from "./runTools.ts"
import { callByMpp, resultOrError } from "./mpp.ts"
import { InvalidParams, type Tools, unknownTool } from "./Tools.ts"
import { callPaid, type PaidTool } from "./x402.ts"

const wireTool = ({
  idempotent,
  outputSchema,
  ...tool
}: Omit<Tool, "outputSchema"> & Partial<Tool>): WireTool => ({
  ...tool,
  inputSchema: tool.inputSchema as object as WireTool["inputSchema"],
  ...(outputSchema !== undefined && {
    outputSchema: outputSchema as object as NonNullable<WireTool["outputSchema"]>,
  }),
  annotations: {
    title: tool.title,
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: idempotent,
    openWorldHint: true,
  },
})

const takesProofs = (name: string): boolean => parseToolName(name)?.kind === "pay_one_time"

/** Returns a tool as listed at an address where purchases are paid by x402. */
const paidTool = (tool: Tool): WireTool =>
  wireTool(takesProofs(tool.name) ? provenTool(tool) : tool)

const toolResult = ({ replayed, view }: ToolAnswer): CallToolResult => {
  const shown = { ...view, ...(replayed && { replayed }) }
  return {
    content: [{ type: "text", text: JSON.stringify(shown) }],
    structuredContent: shown,
    ...(replayed && { _meta: { "payport/replayed": true } }),
  }
}

/** The most lists at the same time. Listing needs no key, so it may use only two connections. */
const LISTS_AT_ONCE = 2

/** Returns the tools of the core's services, run in `context`. */
export const coreTools = (context: Context.Context<ToolPorts>): Tools => {
  const { call, run, runFor } = makeRunner(context)
  const listing = Semaphore.makeUnsafe(LISTS_AT_ONCE)
  return {
    list: async (cursor, asking) => {
      const options = { filter: asking?.filter ?? {}, caller: toolCaller(asking)?.caller }
      const exit = await runFor(asking, listing.withPermit(listTools(cursor, options)))
      if (Exit.isSuccess(exit)) {
        const { next_cursor, tools } = exit.value
        return {
          tools: tools.map(asking?.x402 === true ? paidTool : wireTool),
          ...(next_cursor !== undefined && { nextCursor: next_cursor }),
        }
      }
      const failure = failureOf(exit.cause)
      if (failure.code === "INVALID_QUERY") throw new InvalidParams(failure.message)
      await run(Effect.logWarning("tools could not be listed", exit.cause))
      throw failure
    },
    call: async ({ args, credential, name, payment }, asking) => {
      if (parseToolName(name) === undefined) throw unknownTool(name)
      const isPaid = asking?.x402 === true && takesProofs(name)
      const isByMpp = credential !== undefined || (asking?.mpp === true && takesProofs(name))
      const paid: PaidTool<ToolAnswer, unknown, ToolPorts> = {
        demand: (caller) => demandOfTool(caller, name, args),
        pay: (caller, proof) => callToolProven(caller, name, args, proof),
        repeat: (caller, shown) => repeatTool(caller, name, args, shown),
        shown: toolResult,
      }
      if (payment !== undefined || isPaid) {
        const pay = callPaid({ payload: payment, structured: isPaid }, paid)
        return call(asking, pay, (result) => result)
      }
      return isByMpp
        ? call(asking, callByMpp(credential, paid), resultOrError)
        : call(asking, (caller) => callTool(caller, name, args), toolResult)
    },
  }
}
