import { Effect, Result } from "effect"
import { CoreApi, SandboxApi } from "../../adapters/http/contract/Api.ts"
import { sandboxHandlers } from "../../adapters/http/handlers/sandbox.ts"
import { useCaseHandlers } from "../../adapters/http/handlers/useCases.ts"
import { type Route, routesOf } from "../../adapters/http/koa/Route.ts"
import { once } from "../../adapters/shared/once.ts"
import type { Core } from "../../adapters/http/handlers/Core.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import type { Callers } from "./Caller.ts"
import { callMethod, type NeededByCalls, readArguments } from "./callMethod.ts"
import type { Effects, Resources } from "./Method.ts"
import type { Runner } from "./Runner.ts"

type Table = Readonly<Record<string, Readonly<Record<string, string | readonly [string, string]>>>>

const byName = <R>(routes: ReadonlyArray<Route<R>>) =>
  new Map(routes.map((route) => [route.name, route]))

/** The use cases by name. They hold no state of a payport. */
export const liveRoutes = once(() => byName<Core>(routesOf(CoreApi, useCaseHandlers)))

/** The use cases of a sandbox. */
export const sandboxRoutes = once(() =>
  byName<Core | Inbox | Sandbox>(
    routesOf(SandboxApi, { ...useCaseHandlers, sandbox: sandboxHandlers }),
  ),
)

/** Runs a call, or returns it for the caller to run. */
type Perform<R> = (call: Effect.Effect<unknown, unknown, R>, signal?: AbortSignal) => unknown

/** Makes every method of a table; `perform` makes the returned value. */
const methodsOf = <R>(
  table: Table,
  routes: ReadonlyMap<string, Route<R>>,
  callers: Callers<R>,
  perform: Perform<R | NeededByCalls>,
): object => {
  const methodOf = (called: string | readonly [string, string]) => {
    const [name, accept] = typeof called === "string" ? [called, undefined] : called
    const route = routes.get(name)
    if (route === undefined) throw new Error(`The contract has no use case ${name}.`)
    return (...given: ReadonlyArray<unknown>) => {
      const read = readArguments(route, given)
      if (Result.isFailure(read)) return perform(Effect.fail(read.failure))
      const { signal } = read.success.options
      return perform(callMethod(route, callers, read.success, accept), signal)
    }
  }
  const resource = (methods: Table[string]) =>
    Object.freeze(
      Object.fromEntries(Object.entries(methods).map(([name, called]) => [name, methodOf(called)])),
    )
  return Object.fromEntries(
    Object.entries(table).map(([name, methods]) => [name, resource(methods)]),
  )
}

/** Makes the methods of a table, once with promises and once as Effects. */
export const resourcesOf = <const T extends Table, R>(
  table: T,
  routes: ReadonlyMap<string, Route<R>>,
  callers: Callers<R>,
  runner: Runner<R | NeededByCalls>,
): { readonly promises: Resources<T>; readonly effects: Effects<T> } => ({
  promises: methodsOf(table, routes, callers, (call, signal) =>
    runner.run(call, signal),
  ) as Resources<T>,
  effects: methodsOf(table, routes, callers, (call) => runner.effect(call)) as Effects<T>,
})
