import { fetchLLMSTxt } from "@25xcodes/llmstxt-parser"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DocsFolder } from "../../../adapters/pages/docs/DocsFolder.ts"
import { docsPages } from "../../../adapters/pages/docs/docsPages.ts"
import { openPages } from "../../../adapters/pages/openPages.ts"
import { openSite, type SiteApp } from "../../support/site.ts"

const FILES = {
  "index.html": "<!doctype html><title>docs</title>",
  "guides/start.html": `<!doctype html><title>start</title>${"<p>again</p>".repeat(200)}`,
  "guides/start.md": "# Start\n",
  "llms.txt":
    "# payport\n\n> Payments.\n\n## Guides\n\n- [Start](./guides/start.md): how to begin.\n",
  "assets/docs-0123456789ab.css": "a { color: red }",
  ".made-of": "0",
}

const openDocs = (folder: string) =>
  openSite({
    site: ({ gate, intake }) => openPages(docsPages(new DocsFolder([folder])), { gate, intake }),
  })

describe("the documentation", () => {
  let app: SiteApp
  let parent: string
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), "payport-docs-"))
    const folder = join(parent, "docs")
    await writeFile(join(parent, "secret.txt"), "secret")
    for (const sub of ["guides", "assets"]) await mkdir(join(folder, sub), { recursive: true })
    for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
    app = await openDocs(folder)
  })
  afterAll(async () => {
    await app.stop()
    await rm(parent, { recursive: true })
  })

  test.each([
    ["/docs/", "index.html", "text/html; charset=utf-8"],
    ["/docs/guides/start.html", "guides/start.html", "text/html; charset=utf-8"],
    ["/docs/guides/start", "guides/start.html", "text/html; charset=utf-8"],
    ["/docs/guides/start.md", "guides/start.md", "text/markdown; charset=utf-8"],
    ["/docs/llms.txt", "llms.txt", "text/plain; charset=utf-8"],
  ] as const)("%s is %s", async (path, file, type) => {
    const answer = await app.get(path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get("content-type")).toBe(type)
    expect(answer.headers.get("cache-control")).toBe("public, no-cache")
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'/)
    expect(await answer.text()).toBe(FILES[file])
  })

  test("is found from its name, and by agents at the top", async () => {
    const answer = await fetch(`${app.url}/docs`, { redirect: "manual" })
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/docs/"])
    const index = await app.get("/llms.txt")
    expect(await index.text()).toContain("](/docs/guides/start.md)")
    expect(index.headers.get("access-control-allow-origin")).toBe("*")
    const tag = index.headers.get("etag") ?? ""
    expect((await app.get("/llms.txt", { "if-none-match": tag })).status).toBe(304)
  })

  test("is read by an independent client, which follows its links", async () => {
    const { links, sections, summary, title } = await fetchLLMSTxt(app.url, { checkFull: false })
    expect([title, summary, sections.map(({ heading }) => heading)]).toEqual([
      "payport",
      "Payments.",
      ["Guides"],
    ])
    const [link] = links
    expect(link?.description).toBe("how to begin.")
    const page = await fetch(new URL(link?.url ?? "", `${app.url}/llms.txt`))
    expect([page.status, await page.text()]).toEqual([200, FILES["guides/start.md"]])
  })

  test("is sent once, packed, and for ever where the name says what it holds", async () => {
    for (const encoding of ["br", "gzip", "identity"]) {
      const asked = { "accept-encoding": encoding }
      const first = await app.get("/docs/guides/start", asked)
      expect(first.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding)
      expect(await first.text()).toBe(FILES["guides/start.html"])
      const tag = first.headers.get("etag") ?? ""
      const again = await app.get("/docs/guides/start", { ...asked, "if-none-match": tag })
      expect([again.status, await again.text()]).toEqual([304, ""])
      const other = await app.get("/docs/guides/start", { ...asked, "if-none-match": '"other"' })
      expect(other.status).toBe(200)
    }
    const style = await app.get("/docs/assets/docs-0123456789ab.css")
    expect(style.headers.get("cache-control")).toContain("immutable")
  })

  test.each([
    "/docs/nothing",
    "/docs/.made-of",
    "/docs/..%2Fsecret.txt",
    "/docs/guides/..%2F..%2Fsecret.txt",
    "/docs/%2e%2e%2fsecret.txt",
    "/docs//secret.txt",
    "/docs/guides",
    "/docs/index.html%00.md",
  ])("%s is none of its files", async (path) => {
    expect((await app.get(path)).status).toBe(404)
  })

  test("that is not there says how it comes", async () => {
    const bare = await openDocs(join(parent, "nothing"))
    const answer = await bare.get("/docs/")
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining("npm run docs"),
    ])
    await bare.stop()
  })
})
