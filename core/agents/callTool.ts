import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { requireScope } from "../keys/requireScope.ts"
import { findPayable } from "../registry/findPayable.ts"
import { Failure, invalidField } from "../shared/Failure.ts"
import { payCumulative } from "./payCumulative.ts"
import { payOneTime } from "./payOneTime.ts"
import { paySubscribe } from "./paySubscribe.ts"
import { parseToolName, toolOf } from "./Tool.ts"
import { withoutNulls } from "./ToolCall.ts"

const unknownTool = (name: string) =>
  new Failure({
    code: "NOT_FOUND",
    message: `No tool ${JSON.stringify(name.slice(0, 64))} exists. Ask tools/list.`,
  })

const otherManifest = (id: string) =>
  invalidField("manifest_id", `must be ${id}, which is what this tool pays`)

/**
 * Calls a tool under the caller's key (MCP tool mapping); answers what the same verb answers over
 * HTTP, and whether an earlier call had that answer.
 *
 * Fails with `NOT_FOUND` where there is no such tool, with `SERVICE_NOT_ACTIVE` where its service
 * is not active any more, and as the verb behind it does.
 */
export const callTool = Effect.fn("callTool")(function* (
  caller: Caller,
  name: string,
  given: object,
) {
  const parsed = parseToolName(name)
  if (parsed === undefined) return yield* unknownTool(name)
  yield* requireScope(caller, "pay", { service_id: parsed.service_id }, { ...given })
  const { service } = yield* findPayable(caller, parsed.service_id)
  if (toolOf(service, parsed.kind) === undefined) return yield* unknownTool(name)
  const input = withoutNulls(given)
  const { manifest_id } = input
  if (manifest_id !== undefined && manifest_id !== service.id) {
    return yield* otherManifest(service.id)
  }
  switch (parsed.kind) {
    case "pay_one_time":
      return yield* payOneTime(caller, service, input)
    case "pay_cumulative":
      return yield* payCumulative(caller, service, input)
    case "pay_subscribe":
      return yield* paySubscribe(caller, service, input)
  }
})
