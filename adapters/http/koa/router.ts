import FindMyWay from "find-my-way"
import type { ErrorShape } from "../contract/Errors.ts"
import type { Route } from "./Route.ts"

/** Where a request goes: a route, a path that has other methods, or nowhere. */
export type Found<R> =
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

/** What can name something: agents have names in any script. Some characters no database takes. */
const NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/** A name's 128 characters, each of four bytes in percent-encoding. */
const MOST_ENCODED = 128 * 12

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
type Method = (typeof METHODS)[number]

const isMethod = (method: string): method is Method => METHODS.some((known) => known === method)

/**
 * Finds the route of a method and a path. `HEAD` goes where `GET` goes. A path that is no valid
 * percent-encoding, or whose parameters cannot name anything, leads nowhere.
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

  return (method: string, path: string): Found<R> => {
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
