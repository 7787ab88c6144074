import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server"
import type { Context } from "effect"
import { callMarket } from "../../core/market/callMarket.ts"
import { MARKET_TOOLS, type MarketTool, marketTool } from "../../core/market/MarketTool.ts"
import { makeRunner, type ToolPorts } from "./runTools.ts"
import { InvalidParams, type Tools, unknownTool } from "./Tools.ts"
import { untilCancelled } from "./Waiters.ts"

const wireTool = ({ description, idempotent, inputSchema, name, reads, title }: MarketTool) => ({
  name,
  title,
  description,
  inputSchema: inputSchema as object as WireTool["inputSchema"],
  annotations: {
    readOnlyHint: reads,
    destructiveHint: !reads,
    idempotentHint: idempotent,
    openWorldHint: true,
  },
})

const LIST = { tools: MARKET_TOOLS.map(wireTool) }

const toolResult = (answer: object): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
})

/** The tools of the market, run in `context`. */
export const marketTools = (context: Context.Context<ToolPorts>): Tools => {
  const { call } = makeRunner(context)
  return {
    list: async (cursor) => {
      if (cursor === undefined) return LIST
      throw new InvalidParams(`No page begins at the cursor ${JSON.stringify(cursor.slice(0, 64))}`)
    },
    call: async (name, args, asking, cancelled) => {
      if (marketTool(name) === undefined) throw unknownTool(name)
      return call(
        asking && { ...asking, patience: untilCancelled(asking.patience, cancelled) },
        (caller) => callMarket(caller, name, args),
        toolResult,
      )
    },
  }
}
