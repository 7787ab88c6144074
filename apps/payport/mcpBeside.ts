import { Effect } from "effect"
import type { Beside, MountOptions } from "../../adapters/http/mount.ts"
import { openMcpEndpoint } from "../../adapters/mcp/McpEndpoint.ts"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { Intake } from "../../adapters/shared/Intake.ts"
import type { Payport } from "./makePayport.ts"

/**
 * MCP at `/mcp` and `/mcp/market` under the prefix of the interface: `payport.http({ beside:
 * [mcp(payport)] })`. With the same `intake` and `gate` as the interface its calls count among the
 * requests of that. It needs `@modelcontextprotocol/server`, which is loaded with the first
 * request.
 */
export const mcp = (
  { context }: Pick<Payport, "context">,
  { gate = new AddressGate(), intake = new Intake() }: Pick<MountOptions, "gate" | "intake"> = {},
): Beside => Effect.runSyncWith(context)(openMcpEndpoint({ gate, intake }))
