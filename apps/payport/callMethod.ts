import { Effect, Result } from "effect"
import type { HandlerError } from "../../adapters/http/koa/Handlers.ts"
import type { Route } from "../../adapters/http/koa/Route.ts"
import { INTAKE_LIMITS } from "../../adapters/shared/Intake.ts"
import { CurrentOperator } from "../../core/audit/CurrentOperator.ts"
import { Ids } from "../../core/ports/Ids.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { CurrentDeadline } from "../../core/shared/CurrentDeadline.ts"
import { type Failure, invalidField, isFailure } from "../../core/shared/Failure.ts"
import type { Callers } from "./Caller.ts"
import { callRoute, paramsOf } from "./callRoute.ts"

/** The services that every call needs, besides those of its use case. */
export type NeededByCalls = Ids | Store | Vault

/** The actor of operator actions that the host calls, as the audit log shows it. */
const HOST = "operator:host"

/** The sorted arguments of a call. Only the options have been checked. */
export interface Read {
  readonly caller: unknown
  readonly params: ReadonlyArray<unknown>
  readonly input: unknown
  readonly options: Options
}

/** See `CallOptions`; the key is checked where it is used. */
interface Options {
  readonly idempotencyKey?: unknown
  readonly signal?: AbortSignal
}

const hasInput = <R>({ body, queryNames }: Route<R>): boolean =>
  body === "fields" || queryNames.size > 0

const readOptions = (given: unknown): Result.Result<Options, Failure> => {
  if (given === undefined) return Result.succeed({})
  if (typeof given !== "object" || given === null) {
    return Result.fail(invalidField("options", "must be an object"))
  }
  const unknown = Object.keys(given).find((name) => name !== "signal" && name !== "idempotencyKey")
  if (unknown !== undefined) return Result.fail(invalidField(unknown, "is not an option of a call"))
  const { idempotencyKey, signal } = given as { readonly [name: string]: unknown }
  if (signal === undefined) return Result.succeed({ idempotencyKey })
  return signal instanceof AbortSignal
    ? Result.succeed({ idempotencyKey, signal })
    : Result.fail(invalidField("signal", "must be an AbortSignal"))
}

const read = <R>(route: Route<R>, given: ReadonlyArray<unknown>) => {
  const left = [...given]
  const caller = route.access === "account" ? left.shift() : undefined
  const params = left.splice(0, paramsOf(route.path).length)
  const input = hasInput(route) ? left.shift() : undefined
  return Result.map(readOptions(left[0]), (options): Read => ({ caller, params, input, options }))
}

/** Sorts the arguments of a route's method: caller, path, input, options, as the route has them. */
export const readArguments = <R>(
  route: Route<R>,
  given: ReadonlyArray<unknown>,
): Result.Result<Read, Failure> =>
  Result.flatMap(
    Result.try({
      try: () => read(route, given),
      catch: () => invalidField("options", "cannot be read"),
    }),
    (found) => found,
  )

/** Gives a call the time that a request has, unless its route takes its time. */
const inTime = <R, A, E, N>({ unhurried }: Route<R>, calling: Effect.Effect<A, E, N>) =>
  Effect.suspend(() => {
    if (unhurried) return calling
    const until = performance.now() + INTAKE_LIMITS.within
    const deadline = { left: () => until - performance.now() }
    return Effect.provideService(calling, CurrentDeadline, deadline)
  })

/** Calls a route for its caller, or for the host if the route is an operator's. */
export const callMethod = <R>(
  route: Route<R>,
  callers: Callers<R>,
  { caller, input, options, params }: Read,
  accept: string | undefined,
): Effect.Effect<unknown, HandlerError, R | NeededByCalls> => {
  const call = { params, input, idempotencyKey: options.idempotencyKey, accept }
  if (route.access === "account") {
    const resolve = callers.find(caller)
    if (isFailure(resolve)) return Effect.fail(resolve)
    const calling = Effect.flatMap(resolve, (found) => callRoute(route, { ...call, caller: found }))
    return inTime(route, calling)
  }
  const acting = inTime(route, callRoute(route, { ...call, caller: null }))
  return Effect.flatMap(Ids, (ids) =>
    Effect.provideService(acting, CurrentOperator, {
      actor: HOST,
      request_id: `req_${ids.uuid()}`,
      one_of_two: null,
    }),
  )
}
