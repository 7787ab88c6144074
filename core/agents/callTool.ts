import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { requireScope } from "../keys/requireScope.ts"
import { findPayable } from "../registry/findPayable.ts"
import { Failure, invalidField } from "../shared/Failure.ts"
import { demandFor, type ToolProof } from "./Demand.ts"
import { decodePayOneTime } from "./OneTimeTool.ts"
import { payCumulative } from "./payCumulative.ts"
import { payOneTime } from "./payOneTime.ts"
import { payProven } from "./payProven.ts"
import { paySubscribe } from "./paySubscribe.ts"
import { isOffered, parseToolName } from "./Tool.ts"
import { withoutNulls } from "./ToolCall.ts"

const unknownTool = (name: string) =>
  new Failure({
    code: "NOT_FOUND",
    message: `No tool ${JSON.stringify(name.slice(0, 64))} exists. Ask tools/list.`,
  })

const otherManifest = (id: string) =>
  invalidField("manifest_id", `must be ${id}, which is what this tool pays`)

/** The service behind a tool's name and what the call says, as far as the key allows the call. */
const findTool = Effect.fnUntraced(function* (caller: Caller, name: string, given: object) {
  const parsed = parseToolName(name)
  if (parsed === undefined) return yield* unknownTool(name)
  yield* requireScope(caller, "pay", { service_id: parsed.service_id }, { ...given })
  const { service } = yield* findPayable(caller, parsed.service_id)
  if (!isOffered(service, parsed.kind)) return yield* unknownTool(name)
  const input = withoutNulls(given)
  const { manifest_id } = input
  if (manifest_id !== undefined && manifest_id !== service.id) {
    return yield* otherManifest(service.id)
  }
  return { service, kind: parsed.kind, input }
})

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
  const { input, kind, service } = yield* findTool(caller, name, given)
  switch (kind) {
    case "pay_one_time":
      return yield* payOneTime(caller, service, input)
    case "pay_cumulative":
      return yield* payCumulative(caller, service, input)
    case "pay_subscribe":
      return yield* paySubscribe(caller, service, input)
  }
})

/** The refusal of a proof by a tool that does not take one. */
export const notProvable = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message: "This tool takes no payment that was begun before: call it without one.",
  })

/** The service of a tool that pays once, which is the one that takes proofs. */
const findProvable = Effect.fnUntraced(function* (caller: Caller, name: string, given: object) {
  const { input, kind, service } = yield* findTool(caller, name, given)
  return kind === "pay_one_time" ? { input, service } : yield* notProvable()
})

/**
 * What a call of a tool asks for where its caller begins the payment first and proves it.
 *
 * Fails as {@link callTool} does, and with `INVALID_REQUEST` for a tool that takes no proof.
 */
export const demandOfTool = Effect.fn("demandOfTool")(function* (
  caller: Caller,
  name: string,
  given: object,
) {
  const { input, service } = yield* findProvable(caller, name, given)
  const call = yield* Effect.fromResult(decodePayOneTime(input))
  return yield* Effect.fromResult(demandFor(name, call, service, caller.account))
})

/**
 * Calls a tool with the proof of a payment that the caller has begun for it.
 *
 * Fails as {@link demandOfTool} and `payProven` do.
 */
export const callToolProven = Effect.fn("callToolProven")(function* (
  caller: Caller,
  name: string,
  given: object,
  proof: ToolProof,
) {
  const { input, service } = yield* findProvable(caller, name, given)
  return yield* payProven(caller, service, input, proof)
})
