/** The entry of `payport/mcp`: the tools for agents, served with the HTTP API. */
export { mcp } from "./mcpBeside.ts"
