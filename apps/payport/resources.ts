import { Effect, Result } from "effect"
import { CoreApi, SandboxApi } from "../../adapters/http/contract/Api.ts"
import { sandboxHandlers } from "../../adapters/http/handlers/sandbox.ts"
import { useCaseHandlers } from "../../adapters/http/handlers/useCases.ts"
import { type Route, routesOf } from "../../adapters/http/koa/Route.ts"
import type { Core } from "../../adapters/http/handlers/Core.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import type { Callers } from "./Caller.ts"
import { callMethod, type NeededByCalls, readArguments } from "./callMethod.ts"
import type { Resources } from "./Method.ts"
import type { Runner } from "./Runner.ts"

type Table = Readonly<Record<string, Readonly<Record<string, string | readonly [string, string]>>>>

const once = <A>(make: () => A): (() => A) => {
  let made: A | undefined
  return () => (made ??= make())
}

const byName = <R>(routes: ReadonlyArray<Route<R>>) =>
  new Map(routes.map((route) => [route.name, route]))

/** The use cases by their names. They hold nothing of any payport. */
export const liveRoutes = once(() => byName<Core>(routesOf(CoreApi, useCaseHandlers)))

/** The use cases of a sandbox. */
export const sandboxRoutes = once(() =>
  byName<Core | Inbox | Sandbox>(
    routesOf(SandboxApi, { ...useCaseHandlers, sandbox: sandboxHandlers }),
  ),
)

/** The methods of a table, as a program calls them. */
export const resourcesOf = <const T extends Table, R>(
  table: T,
  routes: ReadonlyMap<string, Route<R>>,
  callers: Callers<R>,
  runner: Runner<R | NeededByCalls>,
): Resources<T> => {
  const methodOf = (called: string | readonly [string, string]) => {
    const [name, accept] = typeof called === "string" ? [called, undefined] : called
    const route = routes.get(name)
    if (route === undefined) throw new Error(`The contract has no use case ${name}.`)
    return (...given: ReadonlyArray<unknown>) => {
      const read = readArguments(route, given)
      return Result.isFailure(read)
        ? runner.run(Effect.fail(read.failure))
        : runner.run(callMethod(route, callers, read.success, accept), read.success.options.signal)
    }
  }
  const methodsOf = (methods: Table[string]) =>
    Object.freeze(
      Object.fromEntries(Object.entries(methods).map(([name, called]) => [name, methodOf(called)])),
    )
  return Object.fromEntries(
    Object.entries(table).map(([resource, methods]) => [resource, methodsOf(methods)]),
  ) as object as Resources<T>
}
