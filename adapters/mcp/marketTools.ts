import type { CallToolResult, Tool as WireTool } from "@modelcontextprotocol/server"
import type { Context } from "effect"
import { PROVEN } from "../../core/agents/Demand.ts"
import {
  callMarket,
  callMarketProven,
  demandOfMarket,
  isProvable,
  repeatMarket,
} from "../../core/market/callMarket.ts"
import { MARKET_TOOLS, type MarketTool, marketTool } from "../../core/market/MarketTool.ts"
import { makeRunner, type ToolPorts } from "./runTools.ts"
import { callByMpp, resultOrError } from "./mpp.ts"
import { InvalidParams, type Tools, unknownTool } from "./Tools.ts"
import { untilCancelled } from "./Waiters.ts"
import { callPaid, type PaidTool } from "./x402.ts"

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

/** The tool that accepts proofs. */
const PAYS = "pay"

const PAID_LIST = {
  tools: LIST.tools.map((tool) =>
    tool.name === PAYS ? { ...tool, description: `${tool.description} ${PROVEN}` } : tool,
  ),
}

const toolResult = (answer: object): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(answer) }],
  structuredContent: { ...answer },
})

/** Returns the tools of the market, run in `context`. */
export const marketTools = (context: Context.Context<ToolPorts>): Tools => {
  const { call } = makeRunner(context)
  return {
    list: async (cursor, asking) => {
      if (cursor === undefined) return asking?.x402 === true ? PAID_LIST : LIST
      const text = JSON.stringify(cursor.slice(0, 64))
      throw new InvalidParams(`The cursor ${text} is not valid: this list has one page`)
    },
    call: async ({ args, credential, name, payment }, asking, cancelled) => {
      if (marketTool(name) === undefined) throw unknownTool(name)
      const paid: PaidTool<object, unknown, ToolPorts> = {
        demand: (caller) => demandOfMarket(caller, name, args),
        pay: (caller, proof) => callMarketProven(caller, name, args, proof),
        repeat: (caller, shown) => repeatMarket(caller, name, args, shown),
        shown: toolResult,
      }
      if (payment !== undefined || (asking?.x402 === true && isProvable(name, args))) {
        const pay = callPaid({ payload: payment, structured: true }, paid)
        return call(asking, pay, (result) => result)
      }
      if (credential !== undefined || (asking?.mpp === true && isProvable(name, args))) {
        return call(asking, callByMpp(credential, paid), resultOrError)
      }
      return call(
        asking && { ...asking, patience: untilCancelled(asking.patience, cancelled) },
        (caller) => callMarket(caller, name, args),
        toolResult,
      )
    },
  }
}
