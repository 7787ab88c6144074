/** The entry of `payport/mcp`: the tools of agents, beside the HTTP interface. */
export { mcp } from "./mcpBeside.ts"
