import FindMyWay from "find-my-way"
import type { ErrorShape } from "../contract/Errors.ts"
import type { Route } from "./Route.ts"

/** The match of a method and a path: a route, a path with other methods, or nothing. */
export type RouteMatch<R> =
  | {
      readonly type: "route"
      readonly route: Route<R>
      readonly params: { readonly [name: string]: string | undefined }
    }
  | {
      readonly type: "methods"
      readonly allow: ReadonlyArray<string>
      readonly shape: ErrorShape
    }
  | { readonly type: "nothing"; readonly shape: ErrorShape }

/** A parameter: 1 to 128 characters of any script, without those that no database stores. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/** 128 characters of four bytes each, percent-encoded. */
const MOST_ENCODED = 128 * 12

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof METHODS)[number]

const isMethod = (method: string): method is Method => METHODS.some((known) => known === method)

/**
 * Finds the route of a method and a path; `HEAD` matches `GET`. A path with an invalid
 * percent-encoding, or with a parameter that cannot be a name, matches nothing.
 */
export const makeRouter = <R>(routes: ReadonlyArray<Route<R>>) => {
  const router = FindMyWay({ caseSensitive: true, maxParamLength: MOST_ENCODED })
  const byHandler = new Map<unknown, Route<R>>()
  for (const route of routes) {
    if (!isMethod(route.method)) throw new Error(`No router for the method ${route.method}`)
    const mark = () => undefined
    byHandler.set(mark, route)
    router.on(route.method, route.path, mark)
  }
  router.compile()

  const look = (method: Method, path: string) => {
    const found = router.find(method, path)
    const route = found === null ? undefined : byHandler.get(found.handler)
    return found === null || route === undefined ? undefined : { route, params: found.params }
  }

  return (method: string, path: string): RouteMatch<R> => {
    const wanted = method === "HEAD" ? "GET" : method
    const found = isMethod(wanted) ? look(wanted, path) : undefined
    if (found === undefined) {
      const known = METHODS.flatMap((other) => look(other, path) ?? [])
      const shape = known[0]?.route.shape
      if (shape === undefined) return { type: "nothing", shape: "flat" }
      const allow = known.flatMap(({ route }) =>
        route.method === "GET" ? ["GET", "HEAD"] : [route.method],
      )
      return { type: "methods", allow, shape }
    }
    for (const name in found.params) {
      if (!NAME.test(found.params[name] ?? "")) {
        return { type: "nothing", shape: found.route.shape }
      }
    }
    return { type: "route", ...found }
  }
}
