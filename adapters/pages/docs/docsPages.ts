import { Effect } from "effect"
import { Failure } from "../../../core/shared/Failure.ts"
import type { Page, PageAnswer } from "../Page.ts"
import { isSameTag } from "../../shared/isSameTag.ts"
import { DocsFolder, tagOf } from "./DocsFolder.ts"

const noSuchPage = () =>
  new Failure({ code: "NOT_FOUND", message: "The documentation has no such page." })

const NOT_WRITTEN: PageAnswer = {
  status: 404,
  headers: { "Content-Type": "text/plain; charset=utf-8" },
  body: "The documentation has not been written here: run `npm run docs`.\n",
}

/** The documentation beneath `/docs/`, and its index for agents at the usual place. */
export const docsPages = (docs: DocsFolder = new DocsFolder()): ReadonlyArray<Page<never>> => [
  {
    method: "GET",
    path: "/docs",
    handle: ({ site }) =>
      Effect.succeed({ status: 308, headers: { Location: `${site.root}/docs/` }, body: "" }),
  },
  {
    method: "GET",
    path: "/docs/*",
    handle: Effect.fnUntraced(function* ({ params, req }) {
      const path = params["*"] ?? ""
      const found = yield* Effect.promise(() => docs.answer(path, req))
      if (found !== undefined) return found
      return path === "" ? NOT_WRITTEN : yield* noSuchPage()
    }),
  },
  {
    method: "GET",
    path: "/llms.txt",
    handle: Effect.fnUntraced(function* ({ req, site }) {
      const text = yield* Effect.promise(() => docs.read("llms.txt"))
      if (text === undefined) return NOT_WRITTEN
      const body = text.toString("utf8").replaceAll("](./", `](${site.root}/docs/`)
      const tag = tagOf(body)
      const headers = {
        ETag: tag,
        "Cache-Control": "public, max-age=300",
        "Access-Control-Allow-Origin": "*",
      }
      if (isSameTag(tag, req.headers["if-none-match"])) return { status: 304, headers, body: "" }
      return {
        status: 200,
        headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" },
        body,
      }
    }),
  },
]
