import type { VNode } from "preact"
import { render } from "preact-render-to-string"
import type { PageAnswer } from "../Page.ts"

/** A document as an answer. The renderer escapes every text and attribute. */
export const html = (
  document: VNode,
  status = 200,
  headers: PageAnswer["headers"] = {},
): PageAnswer => ({ status, headers, body: `<!doctype html>${render(document)}` })

/** Leads to a path of the site by a request of its own, after a form. */
export const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { Location: location },
  body: "",
})
