import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { startUsage } from "../subscriptions/startUsage.ts"
import { decodePayCumulative } from "./CumulativeTool.ts"
import { payerOf, type ToolAnswer } from "./ToolCall.ts"

/**
 * Starts or resumes an install with cumulative billing (MCP tool mapping), under the caller's key.
 * An existing install does not change, so that repeated calls have no further effect.
 *
 * Fails as `startUsage` does.
 */
export const payCumulative = Effect.fn("payCumulative")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
) {
  const input = yield* Effect.fromResult(decodePayCumulative(given))
  const { currency, rate, unit } = input
  const view = yield* startUsage(caller, service.id, {
    ...(rate !== undefined && { rate }),
    ...(currency !== undefined && { currency }),
    ...(unit !== undefined && { unit }),
    ...payerOf(input),
  })
  return { view, replayed: false } satisfies ToolAnswer
})
