import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { requireScope } from "../keys/requireScope.ts"
import { findSold } from "../registry/findPayable.ts"
import { Failure, invalidField } from "../shared/Failure.ts"
import { orRefusal } from "./answerPurchase.ts"
import { demandFor, type ToolProof } from "./Demand.ts"
import { decodePayOneTime } from "./OneTimeTool.ts"
import { payCumulative } from "./payCumulative.ts"
import { payOneTime } from "./payOneTime.ts"
import { payProven } from "./payProven.ts"
import { paySubscribe } from "./paySubscribe.ts"
import { repeatProven, type ShownToken } from "./repeatProven.ts"
import { isOffered, parseToolName } from "./Tool.ts"
import { withoutNulls } from "./ToolCall.ts"

const unknownTool = (name: string) =>
  new Failure({
    code: "NOT_FOUND",
    message: `No tool ${JSON.stringify(name.slice(0, 64))} exists. Call tools/list for the names.`,
  })

const otherManifest = (id: string) =>
  invalidField("manifest_id", `must be ${id}, the only service that this tool pays`)

/** Finds the service of a tool's name, and checks the arguments and the key's rights. */
const findTool = Effect.fnUntraced(function* (caller: Caller, name: string, given: object) {
  const parsed = parseToolName(name)
  if (parsed === undefined) return yield* unknownTool(name)
  yield* requireScope(caller, "pay", { service_id: parsed.service_id }, { ...given })
  const { refusal, service } = yield* findSold(caller, parsed.service_id)
  if (!isOffered(service, parsed.kind)) return yield* refusal ?? unknownTool(name)
  const input = withoutNulls(given)
  const { manifest_id } = input
  if (manifest_id !== undefined && manifest_id !== service.id) {
    return yield* refusal ?? otherManifest(service.id)
  }
  return { service, refusal, kind: parsed.kind, input }
})

/**
 * Calls a tool under the caller's key (MCP tool mapping). Returns what the same verb returns over
 * HTTP, and whether an earlier call made the purchase.
 *
 * Fails with `NOT_FOUND` for an unknown tool, with `SERVICE_NOT_ACTIVE` for an inactive service,
 * and as the verb behind the tool.
 */
export const callTool = Effect.fn("callTool")(function* (
  caller: Caller,
  name: string,
  given: object,
) {
  const { input, kind, refusal, service } = yield* findTool(caller, name, given)
  switch (kind) {
    case "pay_one_time":
      return yield* payOneTime(caller, service, input).pipe(orRefusal(refusal))
    case "pay_cumulative":
      return yield* payCumulative(caller, service, input).pipe(orRefusal(refusal))
    case "pay_subscribe":
      return yield* paySubscribe(caller, service, input).pipe(orRefusal(refusal))
  }
})

/** Makes the failure of a proof that is shown to a tool which accepts none. */
export const notProvable = () =>
  new Failure({
    code: "INVALID_REQUEST",
    message:
      "Only tools for one-time payments accept a payment that was made before the call. Call " +
      "this tool without a payment.",
  })

/** Finds the service of a `pay_one_time` tool, the only kind that accepts proofs. */
const findProvable = Effect.fnUntraced(function* (caller: Caller, name: string, given: object) {
  const { input, kind, refusal, service } = yield* findTool(caller, name, given)
  if (refusal !== undefined) return yield* refusal
  return kind === "pay_one_time" ? { input, service } : yield* notProvable()
})

/**
 * Returns the terms on which a tool accepts a payment that its caller begins first and proves.
 *
 * Fails as {@link callTool} does, and with `INVALID_REQUEST` for a tool that accepts no proof.
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

/** Repeats the answer to a call whose proof was used before; see {@link repeatProven}. */
export const repeatTool = Effect.fn("repeatTool")(function* (
  caller: Caller,
  name: string,
  given: object,
  shown: ShownToken,
) {
  const { service_id = "" } = parseToolName(name) ?? {}
  const said = yield* Effect.fromResult(decodePayOneTime(withoutNulls(given)))
  return yield* repeatProven(caller, { tool: name, service_id, said }, shown)
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
