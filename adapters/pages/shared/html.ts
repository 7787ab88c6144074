import type { VNode } from "preact"
import { render } from "preact-render-to-string"
import type { PageAnswer } from "../Page.ts"

/** Returns a document as an answer. The renderer escapes every text and attribute. */
export const html = (
  document: VNode,
  status = 200,
  headers: PageAnswer["headers"] = {},
): PageAnswer => ({ status, headers, body: `<!doctype html>${render(document)}` })

/** Returns a redirect to a path of the site after a form. */
export const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { Location: location },
  body: "",
})
