import { Marked, type Token, type Tokens } from "marked"
import { posix } from "node:path"
import { lifecycles } from "../lifecycles.ts"
import { linkFrom, type Page, slug } from "../Page.ts"
import { drawLifecycle } from "./diagram.ts"
import { escape } from "./escape.ts"
import { highlight } from "./highlight.ts"

export interface Heading {
  readonly id: string
  readonly depth: number
  readonly text: string
}

/** A page's body as HTML, and its headings in order. */
export interface Rendered {
  readonly html: string
  readonly headings: ReadonlyArray<Heading>
}

/** How links find pages: by their paths, and by the files that they come from. */
export interface Site {
  readonly paths: ReadonlySet<string>
  /** By repository file, the page that shows it. */
  readonly sources: ReadonlyMap<string, string>
}

export const siteOf = (pages: ReadonlyArray<Page>): Site => ({
  paths: new Set(pages.map(({ path }) => path)),
  sources: new Map(
    pages.flatMap(({ path, source }) => (source === undefined ? [] : [[source, path]])),
  ),
})

const ENDING = { html: ".html", md: ".md" } as const

/**
 * Returns the target of a page's link, for static files: `/guides/embed` is a page, and a
 * repository file is the page that shows it. Undefined if no page shows the file.
 */
const targetOf = (
  href: string,
  page: Page,
  site: Site,
  form: keyof typeof ENDING,
): string | undefined => {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href
  const [path = "", anchor] = href.split("#")
  const hash = anchor === undefined ? "" : `#${anchor}`
  if (path.startsWith("/")) {
    const to = path.slice(1) === "" ? "index" : path.slice(1)
    return site.paths.has(to) ? linkFrom(page.path, to + ENDING[form] + hash) : undefined
  }
  const file = posix.join(posix.dirname(page.source ?? ""), path)
  const shown = site.sources.get(file)
  return shown === undefined ? undefined : linkFrom(page.path, shown + ENDING[form] + hash)
}

const plain = (tokens: ReadonlyArray<Token> = []): string =>
  tokens
    .map((token) =>
      "tokens" in token && token.tokens
        ? plain(token.tokens)
        : "text" in token
          ? String(token.text)
          : "",
    )
    .join("")

/** Adjacent code blocks show the same in several languages. */
const LABELS: { readonly [language: string]: string } = {
  bash: "Shell",
  http: "HTTP",
  json: "JSON",
  sql: "SQL",
  ts: "TypeScript",
  yaml: "YAML",
}

const codeBlock = (code: string, info: string): string => {
  const [language = "", ...words] = info.split(" ")
  const named = /^(?:curl|Client|MCP)$/.exec(words.join(" "))
  const label = named?.[0] ?? LABELS[language] ?? ""
  const head = label === "" ? "" : `<figcaption>${label}</figcaption>`
  const body = `<pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre>`
  return `<figure class="code">${head}${body}</figure>\n`
}

const diagram = (title: string): string => {
  const found = lifecycles.find((one) => one.title === title)
  if (found === undefined) return ""
  const picture = drawLifecycle(found, `lifecycle-${slug(title)}`)
  return `<figure class="diagram" tabindex="0">${picture}</figure>\n`
}

const METHOD = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/

/** Renders the Markdown of a page. Links to files without a page become plain code. */
export const renderMarkdown = (page: Page, site: Site): Rendered => {
  const headings: Array<Heading> = []
  const ids = new Set<string>()
  let section = ""
  const idOf = (text: string, depth: number): string => {
    const own = slug(text)
    if (depth === 2) section = own
    const wanted = depth > 2 && section !== "" ? `${section}-${own}` : own
    let id = wanted
    for (let count = 1; ids.has(id); count += 1) id = `${wanted}-${count}`
    ids.add(id)
    return id
  }
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }: Tokens.Heading) {
        const text = plain(tokens)
        const id = idOf(text, depth)
        if (depth > 1) headings.push({ id, depth, text })
        const inner = this.parser.parseInline(tokens)
        const link =
          depth === 1
            ? ""
            : `<a class="anchor" href="#${id}" aria-label="${escape(`Link to ${text}`)}">#</a>`
        return `<h${depth} id="${id}">${inner}${link}</h${depth}>\n`
      },
      code({ lang = "", text }: Tokens.Code) {
        return lang === "mermaid" ? diagram(headings.at(-1)?.text ?? "") : codeBlock(text, lang)
      },
      codespan({ text }: Tokens.Codespan) {
        const [, method, path] = METHOD.exec(text) ?? []
        const shown = targetOf(`/${site.sources.get(text) ?? ""}`, page, site, "html")
        if (site.sources.has(text) && shown !== undefined) {
          return `<a href="${escape(shown)}"><code>${escape(text)}</code></a>`
        }
        if (method === undefined || path === undefined) return `<code>${escape(text)}</code>`
        const verb = `<span class="verb ${method.toLowerCase()}">${method}</span>`
        return `<code class="request">${verb} ${escape(path)}</code>`
      },
      link({ href, tokens }: Tokens.Link) {
        const target = targetOf(href, page, site, "html")
        const inner = this.parser.parseInline(tokens)
        if (target === undefined) return `<code>${inner}</code>`
        return `<a href="${escape(target)}">${inner}</a>`
      },
      list(token: Tokens.List) {
        const items = token.items.map((item) => this.listitem(item)).join("")
        if (token.ordered) return `<ol>${items}</ol>\n`
        const isFields = token.items.every(({ text }) => /^`[^`]+` \*/.test(text))
        return `<ul${isFields ? ' class="fields"' : ""}>${items}</ul>\n`
      },
      table(token: Tokens.Table) {
        const cell = (one: Tokens.TableCell, tag: string) =>
          `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`
        const head = token.header.map((one) => cell(one, "th")).join("")
        const rows = token.rows.map(
          (row) => `<tr>${row.map((one) => cell(one, "td")).join("")}</tr>`,
        )
        const body = `<thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody>`
        return `<div class="table" tabindex="0"><table>${body}</table></div>\n`
      },
    },
  })
  return { html: marked.parse(page.markdown, { async: false }), headings }
}

/** Returns the Markdown of a page for agents, with links to the Markdown of other pages. */
export const markdownOf = (page: Page, site: Site): string =>
  `${page.markdown.replaceAll(/\]\(([^)\s]+)\)/g, (whole, href: string) => {
    const target = targetOf(href, page, site, "md")
    return target === undefined ? whole : `](${target})`
  })}\n`
