import { type ComponentChild, h } from "preact"
import { render } from "preact-render-to-string"
import { linkFrom, type Page, PARTS } from "../Page.ts"
import type { Heading, Rendered } from "./markdown.ts"

/** The names of the built files that pages need, under `assets/`. */
export interface Assets {
  readonly styles: ReadonlyArray<string>
  readonly script: string
}

/** The layout's own anchors. The underscore is in no heading's, whose text may be the same. */
const IDS = { pages: "_pages", content: "_content", contents: "_contents" } as const

/** With more headings than these, only the upper level is listed next to a page. */
const MOST_HEADINGS = 14

const listed = (headings: ReadonlyArray<Heading>): ReadonlyArray<Heading> => {
  const small = headings.filter(({ depth }) => depth <= 3)
  return small.length > MOST_HEADINGS ? small.filter(({ depth }) => depth === 2) : small
}

const entry = (page: Page, current: Page): ComponentChild =>
  h(
    "li",
    null,
    h(
      "a",
      {
        href: linkFrom(current.path, `${page.path}.html`),
        ...(page === current && { "aria-current": "page" as const }),
      },
      page.title,
    ),
  )

const navigation = (pages: ReadonlyArray<Page>, current: Page): ComponentChild =>
  h(
    "nav",
    { class: "pages", id: IDS.pages, "aria-label": "Documentation" },
    h("a", { class: "close", href: `#${IDS.content}` }, "Close"),
    PARTS.map((part) => {
      const own = pages.filter((page) => page.part === part)
      const isLarge = own.length > 8
      const list = h(
        "ul",
        null,
        own.map((page) => entry(page, current)),
      )
      if (!isLarge) return h("section", null, h("h2", null, part), list)
      return h("details", { open: current.part === part }, h("summary", null, part), list)
    }),
  )

const contents = (headings: ReadonlyArray<Heading>): ComponentChild =>
  headings.length < 2
    ? null
    : h(
        "nav",
        { class: IDS.contents, "aria-labelledby": IDS.contents },
        h("h2", { id: IDS.contents }, "On this page"),
        h(
          "ul",
          null,
          listed(headings).map(({ depth, id, text }) =>
            h("li", { class: `depth-${depth}` }, h("a", { href: `#${id}` }, text)),
          ),
        ),
      )

const neighbours = (pages: ReadonlyArray<Page>, current: Page): ComponentChild => {
  const at = pages.indexOf(current)
  const link = (page: Page | undefined, rel: "prev" | "next", said: string) =>
    page === undefined
      ? h("span", null)
      : h(
          "a",
          { rel, href: linkFrom(current.path, `${page.path}.html`) },
          h("small", null, said),
          page.title,
        )
  return h(
    "nav",
    { class: "neighbours", "aria-label": "Previous and next page" },
    link(pages[at - 1], "prev", "Previous"),
    link(pages[at + 1], "next", "Next"),
  )
}

const header = (current: Page): ComponentChild =>
  h(
    "header",
    { class: "top" },
    h(
      "a",
      { class: "brand", href: linkFrom(current.path, "index.html") },
      "payport",
      h("span", null, "docs"),
    ),
    h(
      "button",
      {
        type: "button",
        class: "search",
        hidden: true,
        "data-search": linkFrom(current.path, "search.json"),
      },
      "Search",
      h("kbd", null, "/"),
    ),
    h("a", { class: "menu", href: `#${IDS.pages}` }, "Menu"),
    h("a", { class: "llms", href: linkFrom(current.path, "llms.txt") }, "llms.txt"),
  )

/** Returns the HTML document of a page. Scripts only add the search and the copy buttons. */
export const layoutOf = (
  pages: ReadonlyArray<Page>,
  current: Page,
  { headings, html }: Rendered,
  assets: Assets,
): string => {
  const asset = (name: string) => linkFrom(current.path, `assets/${name}`)
  const document = h(
    "html",
    { lang: "en" },
    h(
      "head",
      null,
      h("meta", { charset: "utf-8" }),
      h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
      h("meta", { name: "color-scheme", content: "light dark" }),
      h(
        "title",
        null,
        current.path === "index" ? "payport documentation" : `${current.title} · payport`,
      ),
      h("meta", { name: "description", content: current.about }),
      h("link", { rel: "icon", href: "data:," }),
      ...assets.styles.map((style) => h("link", { rel: "stylesheet", href: asset(style) })),
      h("link", {
        rel: "alternate",
        type: "text/markdown",
        href: linkFrom(current.path, `${current.path}.md`),
      }),
      h("script", { type: "module", src: asset(assets.script) }),
    ),
    h(
      "body",
      null,
      h("a", { class: "skip", href: `#${IDS.content}` }, "Skip to the content"),
      header(current),
      h(
        "div",
        { class: "columns" },
        navigation(pages, current),
        h(
          "main",
          { id: IDS.content },
          h("article", { dangerouslySetInnerHTML: { __html: html } }),
          h(
            "p",
            { class: "as-markdown" },
            h("a", { href: linkFrom(current.path, `${current.path}.md`) }, "This page as Markdown"),
          ),
          neighbours(pages, current),
        ),
        contents(headings),
      ),
    ),
  )
  return `<!doctype html>${render(document)}`
}
