import { Effect } from "effect"
import type { Beside, MountOptions } from "../../adapters/http/mount.ts"
import { openMcpEndpoint } from "../../adapters/mcp/McpEndpoint.ts"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { Intake } from "../../adapters/shared/Intake.ts"
import type { Payport } from "./makePayport.ts"

/**
 * Serves MCP at `/mcp` and `/mcp/market` under the prefix of the HTTP API: `payport.http({ beside:
 * [mcp(payport)] })`. With the same `intake` and `gate` as the HTTP API, its calls count together
 * with the API's requests. It needs `@modelcontextprotocol/server`, which the first request loads.
 */
export const mcp = (
  { context }: Pick<Payport, "context">,
  { gate = new AddressGate(), intake = new Intake() }: Pick<MountOptions, "gate" | "intake"> = {},
): Beside => Effect.runSyncWith(context)(openMcpEndpoint({ gate, intake }))
