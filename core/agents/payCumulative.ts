import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { startUsage } from "../subscriptions/startUsage.ts"
import { decodePayCumulative } from "./CumulativeTool.ts"
import { payerOf, type ToolAnswer } from "./ToolCall.ts"

/**
 * Starts or resumes an install with cumulative billing, as a tool is called (MCP tool mapping),
 * under the caller's key. What is there already stays as it is, so a call again changes nothing.
 *
 * Fails as `startUsage` does.
 */
export const payCumulative = Effect.fn("payCumulative")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
) {
  const input = yield* Effect.fromResult(decodePayCumulative(given))
  const view = yield* startUsage(caller, service.id, payerOf(input))
  return { view, replayed: false } satisfies ToolAnswer
})
