import { parseAndValidate } from "@25xcodes/llmstxt-parser"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { buildDocs } from "../../../apps/docs/buildDocs.ts"
import { exportedBy } from "../../../apps/docs/reference/library.ts"
import { ENTRY_TEXTS } from "../../../apps/docs/reference/entryTexts.ts"
import { document, operations } from "../../../apps/docs/reference/OpenApi.ts"
import { TAG_TEXTS } from "../../../apps/docs/reference/tagTexts.ts"
import { llmsFull, llmsIndex } from "../../../apps/docs/llms.ts"
import { type Page, PARTS } from "../../../apps/docs/Page.ts"
import { allPages } from "../../../apps/docs/pages.ts"
import {
  markdownOf,
  renderMarkdown,
  type Site,
  siteOf,
} from "../../../apps/docs/render/markdown.ts"
import { CODES } from "../../../adapters/http/contract/Errors.ts"
import { EVENT_TYPES } from "../../../core/webhooks/events/Event.ts"
import { temporaryFolder } from "../server/service.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

let pages: ReadonlyArray<Page>
let site: Site
const html = new Map<string, string>()
beforeAll(async () => {
  pages = await allPages()
  site = siteOf(pages)
  for (const page of pages) html.set(page.path, renderMarkdown(page, site).html)
})

/** The address that a link leads to, from the top of the documentation. */
const addressOf = (from: string, href: string): string =>
  new URL(href, `http://docs.test/${from}.html`).href.replace("http://docs.test/", "")

const idsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id)

describe("pages", () => {
  test("are each in one place, with a title and a sentence", () => {
    expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
    const bare = pages.filter(({ about, title }) => title === "" || !about.endsWith("."))
    expect(bare.map(({ path }) => path)).toEqual([])
    const headless = pages.filter(({ markdown }) => !/^# \S/.test(markdown))
    expect(headless.map(({ path }) => path)).toEqual([])
  })

  test("of the library are each shown at once, also on a phone", () => {
    const sizes = [...html].filter(([path]) => path.startsWith("library/"))
    for (const [path, text] of sizes) expect(text.length, path).toBeLessThan(150_000)
  })

  test("have links that lead somewhere", () => {
    const known = new Set(
      [...html].flatMap(([path, text]) => [
        `${path}.html`,
        ...idsOf(text).map((id) => `${path}.html#${id}`),
      ]),
    )
    const links = [...html].flatMap(([path, text]) =>
      [...text.matchAll(/ href="([^"]+)"/g)]
        .map(([, href = ""]) => href)
        .filter((href) => !/^https?:/.test(href))
        .map((href) => ({ path, to: addressOf(path, href) })),
    )
    expect(links.length).toBeGreaterThan(1_000)
    expect(links.filter(({ to }) => !known.has(to))).toEqual([])
  })

  test("name no page that there is not", () => {
    const dead = pages.flatMap(({ markdown, path }) =>
      [...markdown.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/\]\(\/([^)#]*)/g)]
        .map(([, to = ""]) => to)
        .filter((to) => !site.paths.has(to === "" ? "index" : to))
        .map((to) => `${path}: ${to}`),
    )
    expect(dead).toEqual([])
  })

  test("have no heading twice, and no code that is not closed", () => {
    for (const [path, text] of html) {
      const ids = idsOf(text)
      expect(
        ids.filter((id, n) => ids.indexOf(id) !== n),
        path,
      ).toEqual([])
    }
    const open = pages.filter(({ markdown }) => (markdown.match(/^```/gm)?.length ?? 0) % 2 === 1)
    expect(open.map(({ path }) => path)).toEqual([])
  })

  test("give headings of the same text anchors of their own, whatever others are called", () => {
    const [page] = pages
    const markdown = "# X\n\n## A\n\n## A\n\n## A 1\n\n## A"
    const { headings } = renderMarkdown({ ...page!, markdown }, site)
    expect(headings.map(({ id }) => id)).toEqual(["a", "a-1", "a-1-1", "a-2"])
  })

  test("are for agents too: an index, one text, and links to Markdown", () => {
    const index = llmsIndex(pages, "./")
    const full = llmsFull(pages, site)
    for (const page of pages) {
      expect(index).toContain(`(./${page.path}.md): ${page.about}`)
      expect(full).toContain(markdownOf(page, site).trimEnd())
    }
    expect(full).not.toMatch(/\]\([^)]*\.html/)
  })

  test("have an index that an independent parser takes for valid, with every page", () => {
    const { document: read, validation } = parseAndValidate(llmsIndex(pages, "/docs/"))
    expect(validation.errors).toEqual([])
    expect(validation.warnings).toEqual([])
    expect([read.title, read.sections.map(({ heading }) => heading)]).toEqual(["payport", PARTS])
    expect(read.links.map(({ description, title, url }) => ({ description, title, url }))).toEqual(
      PARTS.flatMap((part) => pages.filter((page) => page.part === part)).map((page) => ({
        description: page.about,
        title: page.title,
        url: `/docs/${page.path}.md`,
      })),
    )
  })
})

describe("the reference", () => {
  const textOf = (path: string): string => pages.find((page) => page.path === path)?.markdown ?? ""

  test("has every operation, in a group with a text", () => {
    expect(Object.keys(TAG_TEXTS).toSorted()).toEqual(
      [...new Set(operations.map(({ tags }) => tags[0] ?? ""))].toSorted(),
    )
    const all = pages.map(({ markdown }) => markdown).join("\n")
    const missing = operations.filter(
      ({ method, path, summary }) => !all.includes(`## ${summary}\n\n\`${method} ${path}\` ·`),
    )
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
  })

  test("describes every component once", () => {
    const all = pages.filter(({ path }) => path.startsWith("api/")).map(({ markdown }) => markdown)
    const count = (name: string) => all.join("\n").split(`\n## ${name}\n`).length - 1
    const used = Object.keys(document.components.schemas).filter((name) => count(name) > 0)
    expect(used.length).toBeGreaterThan(60)
    expect(used.filter((name) => count(name) !== 1)).toEqual([])
  })

  test("has every error and every event", () => {
    const missing = [
      ...CODES.filter((code) => !textOf("errors").includes(`\n## ${code}\n`)),
      ...EVENT_TYPES.filter((type) => !textOf("events").includes(`\n## ${type}\n`)),
    ]
    expect(missing).toEqual([])
  })

  test("has a text for every name that the packages export", async () => {
    const all = [
      ...(await exportedBy(projectRoot, "apps/payport")),
      ...(await exportedBy(projectRoot, "apps/sdk")),
      ...(await exportedBy(projectRoot, "apps/server")),
    ]
    expect(all.length).toBeGreaterThan(300)
    expect(
      all.filter(({ about }) => about === "").map(({ entry, name }) => `${entry} ${name}`),
    ).toEqual([])
    expect(
      [...new Set(all.map(({ entry }) => entry))].filter((entry) => !(entry in ENTRY_TEXTS)),
    ).toEqual([])
  })
})

describe("npm run docs", () => {
  test("writes what is stale, into a folder that is new or its own", async () => {
    const folder = await temporaryFolder()
    const out = join(folder, "docs")
    const written = await buildDocs({ out, ifStale: true })
    expect(written?.files).toBeGreaterThan(pages.length * 2)
    expect(await buildDocs({ out, ifStale: true })).toBeUndefined()
    expect(await readFile(join(out, "index.html"), "utf8")).toContain('<h1 id="payport">')
    for (const { path } of pages) {
      const ids = idsOf(await readFile(join(out, `${path}.html`), "utf8"))
      const twice = ids.filter((id, n) => ids.indexOf(id) !== n)
      expect(twice, path).toEqual([])
    }
    await expect(buildDocs({ out: folder })).rejects.toThrow(/holds something else/)
  })

  test("leaves a file at its place", async () => {
    const file = join(await temporaryFolder(), "notes.md")
    await writeFile(file, "mine")
    await expect(buildDocs({ out: file })).rejects.toThrow(/notes\.md is a file\. Name a folder/)
    await expect(buildDocs({ out: join(file, "docs") })).rejects.toThrow(/is a file/)
    // Linux takes no folders there, and says of a new one that it does not exist.
    if (process.platform === "linux") {
      const nowhere = buildDocs({ out: "/proc/payport-docs/new" })
      await expect(nowhere).rejects.toThrow(/^\/proc\/payport-docs\/new cannot be made: ENOENT/)
    }
    expect(await readFile(file, "utf8")).toBe("mine")
  })
})
