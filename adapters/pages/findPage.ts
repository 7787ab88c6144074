import FindMyWay from "find-my-way"
import type { Page } from "./Page.ts"

/** The match of a path: a page, pages of other methods, or nothing. */
export type FoundPage<R> =
  | {
      readonly type: "page"
      readonly page: Page<R>
      readonly params: { readonly [name: string]: string | undefined }
    }
  | { readonly type: "methods"; readonly allow: ReadonlyArray<string> }
  | { readonly type: "nothing" }

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

/** The longest percent-encoded id in a link. */
const MOST_ENCODED = 2_048

const firstOf = (path: string): string => path.split("/")[1] ?? ""

/**
 * Returns a function that finds the page of a method and a path. `HEAD` matches `GET`. A path that
 * begins like a page is ours, so that every wrong link gets a page. Undefined for other paths.
 */
export const makeFindPage = <R>(pages: ReadonlyArray<Page<R>>) => {
  const router = FindMyWay({ caseSensitive: true, maxParamLength: MOST_ENCODED })
  const byHandler = new Map<unknown, Page<R>>()
  for (const page of pages) {
    const mark = () => undefined
    byHandler.set(mark, page)
    router.on(page.method, page.path, mark)
  }
  const ours = new Set(pages.map(({ path }) => firstOf(path)).filter((name) => name !== ""))

  const look = (method: (typeof METHODS)[number], path: string): FoundPage<R> | undefined => {
    const found = router.find(method, path)
    const page = byHandler.get(found?.handler)
    return found === null || page === undefined
      ? undefined
      : { type: "page", page, params: found.params }
  }

  return (method: string, path: string): FoundPage<R> | undefined => {
    const wanted = METHODS.find((known) => known === (method === "HEAD" ? "GET" : method))
    const found = wanted === undefined ? undefined : look(wanted, path)
    if (found !== undefined) return found
    const others = METHODS.filter((other) => look(other, path) !== undefined)
    if (others.length > 0) {
      return { type: "methods", allow: others.flatMap((it) => (it === "GET" ? [it, "HEAD"] : it)) }
    }
    return ours.has(firstOf(path)) ? { type: "nothing" } : undefined
  }
}
