import { Effect, Exit } from "effect"
import { Failure } from "../../../core/shared/Failure.ts"
import type { RouteMatch } from "./Route.ts"
import type { ErrorShape } from "../contract/Errors.ts"
import { type Answer, explain, refused } from "./respond.ts"
import { admitCaller, type Exchange } from "./serve.ts"

const unknownRoute = () =>
  new Failure({ code: "NOT_FOUND", message: "No such route. GET /openapi.json lists them all." })

const wrongMethod = (allow: ReadonlyArray<string>, shape: ErrorShape): Answer<never> =>
  refused(
    new Failure({
      code: "METHOD_NOT_ALLOWED",
      message: `This route takes ${allow.join(", ")}.`,
      details: { allow },
    }),
    shape,
    ["Allow", allow.join(", ")],
  )

/**
 * Answers a request without a route. With a valid key it counts as a request. Without one, the
 * answer says only that there is no such route.
 */
export const answerUnrouted = Effect.fnUntraced(function* (
  found: Exclude<RouteMatch<unknown>, { readonly type: "route" }>,
  exchange: Exchange,
  id: string,
) {
  const { shape } = found
  if (exchange.req.headers.authorization !== undefined) {
    const exit = yield* Effect.exit(admitCaller(exchange, "standard"))
    if (Exit.isFailure(exit) && exchange.account_id !== null) {
      return yield* explain(exit.cause, id, shape)
    }
  }
  return found.type === "nothing" ? refused(unknownRoute(), shape) : wrongMethod(found.allow, shape)
})
