import type { CallToolResult } from "@modelcontextprotocol/server"
import { Context, Effect, Exit } from "effect"
import { byKey } from "../../core/accountLog/logged.ts"
import { noteRefusals } from "../../core/accountLog/noteRefusals.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import { CurrentPatience } from "../../core/market/Patience.ts"
import type { Channels } from "../../core/ports/Channels.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { Installation } from "../../core/ports/Installation.ts"
import type { Rates } from "../../core/ports/Rates.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { CurrentAsker } from "../../core/shared/CurrentAsker.ts"
import { CurrentDeadline, NO_DEADLINE } from "../../core/shared/CurrentDeadline.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import { errorBody } from "../http/contract/Errors.ts"
import { failureOf } from "../shared/failureOf.ts"
import { tooLate } from "../shared/Intake.ts"
import type { Asking } from "./Tools.ts"

/** The ports that the tools need. */
export type ToolPorts = Store | Vault | Ids | Installation | Channels | Rates

/** The caller, the id of its request for the log, and the refusal of a request over the rate. */
export interface ToolCaller {
  readonly caller: Caller
  readonly request_id: string
  readonly refusal: Failure | null
}

/** Returns the caller whom the endpoint has admitted; undefined without one. */
export const toolCaller = (asking: Asking | undefined): ToolCaller | undefined => {
  const value = asking?.caller
  const isOne = typeof value === "object" && value !== null && "request_id" in value
  return isOne ? (value as ToolCaller) : undefined
}

/** Returns a refusal as a tool's result. Its text is the error body that HTTP would send. */
const toolError = (failure: Failure, requestId?: string): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(errorBody(failure, "flat", requestId)) }],
  isError: true,
})

/** Returns functions that run use cases in a context, for as long as a request waits. */
export const makeRunner = (context: Context.Context<ToolPorts>) => {
  const run = Effect.runPromiseExitWith(context)
  const runFor = <A, E>(asking: Asking | undefined, effect: Effect.Effect<A, E, ToolPorts>) => {
    const { deadline = NO_DEADLINE, patience, signal } = asking ?? {}
    const hurried = Context.add(context, CurrentDeadline, deadline)
    const patient = patience ? Context.add(hurried, CurrentPatience, patience) : hurried
    return Effect.runPromiseExitWith(patient)(effect, signal && { signal })
  }
  /** Calls a tool under its caller's key. A refusal is a result. */
  const call = async <A>(
    asking: Asking | undefined,
    use: (caller: Caller) => Effect.Effect<A, unknown, ToolPorts>,
    shown: (answer: A) => CallToolResult,
  ): Promise<CallToolResult> => {
    const by = toolCaller(asking)
    if (by === undefined) throw new Error("A tool was called without a caller.")
    if (by.refusal !== null) return toolError(by.refusal)
    const using = Effect.provideService(use(by.caller), CurrentAsker, {
      name: by.caller.account.id,
    })
    const exit = await runFor(asking, noteRefusals(byKey(by.caller), using))
    if (Exit.isSuccess(exit)) return shown(exit.value)
    if (asking?.signal.aborted === true) return toolError(tooLate(true))
    const failure = failureOf(exit.cause)
    const isOurs = failure.code === "INTERNAL_ERROR"
    if (isOurs) {
      const log = Effect.logError("a tool failed", exit.cause)
      await run(Effect.annotateLogs(log, "request_id", by.request_id))
    }
    return toolError(failure, isOurs ? by.request_id : undefined)
  }
  return { run, runFor, call }
}
