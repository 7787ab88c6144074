import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/server"
import { Failure } from "../../core/shared/Failure.ts"
import { errorBody } from "../http/contract/Errors.ts"
import {
  AnswerLost,
  ask,
  type RemoteService,
  type RpcAnswer,
  Unreachable,
} from "./remoteService.ts"
import { InvalidParams, RpcError, type Tools } from "./Tools.ts"
import { CREDENTIAL, PAYMENT_ERRORS } from "./mpp.ts"
import { PAYMENT } from "./x402.ts"

const INVALID_PARAMS = -32_602

const resultOf = ({ error, result }: RpcAnswer): { readonly [name: string]: unknown } => {
  if (result !== undefined) return result
  if (error?.code === INVALID_PARAMS) throw new InvalidParams(error.message)
  throw new Unreachable(error?.message ?? "The service gave no answer.")
}

const refused = (body: object): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(body) }],
  isError: true,
})

const failureOf = (error: Unreachable): Failure =>
  error instanceof AnswerLost
    ? new Failure({
        code: "OUTCOME_UNKNOWN",
        message:
          `${error.message} The same call is safe within a minute of the first, and at any time ` +
          "with the idempotency_key that it had. Otherwise look at the payments first.",
      })
    : new Failure({ code: "TEMPORARILY_UNAVAILABLE", message: error.message })

const unreachable = (error: Unreachable): CallToolResult =>
  refused(errorBody(failureOf(error), "flat"))

/**
 * Returns the tools of a service over HTTP. A call that HTTP refuses, for example because of an
 * invalid key, becomes an error result of the tool: stdio has no status.
 */
export const remoteTools = (service: RemoteService): Tools => ({
  list: async (cursor) => {
    const answer = await ask(service, "tools/list", cursor === undefined ? {} : { cursor })
    const { nextCursor, tools } = resultOf(answer) as ListToolsResult
    return { tools, ...(nextCursor !== undefined && { nextCursor }) }
  },
  call: async ({ args, credential, name, payment }, _asking, cancelled) => {
    try {
      const meta = {
        ...(payment !== undefined && { [PAYMENT]: payment }),
        ...(credential !== undefined && { [CREDENTIAL]: credential }),
      }
      const answer = await ask(
        service,
        "tools/call",
        { name, arguments: args },
        { meta, cancelled },
      )
      const { code = 0, data, message = "" } = answer.error ?? {}
      if (data !== undefined && PAYMENT_ERRORS.has(code)) throw new RpcError(code, message, data)
      if (data !== undefined) return refused(data)
      const { resultType: _type, ...result } = resultOf(answer)
      return result as CallToolResult
    } catch (error) {
      if (error instanceof Unreachable) return unreachable(error)
      throw error
    }
  },
})
