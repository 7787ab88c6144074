import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { DocsFolder } from "../../adapters/pages/docs/DocsFolder.ts"
import { docsPages } from "../../adapters/pages/docs/docsPages.ts"
import { openPages } from "../../adapters/pages/openPages.ts"
import { allPages } from "../../apps/docs/pages.ts"
import { writeDocs } from "../../apps/docs/write.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { hasFocus, hears, press, reach, type } from "./support/keyboard.ts"
import { browserTest, expectFitting, openPage } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

let app: SiteApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "payport-docs-"))
  await writeDocs(await allPages(), join(folder, "docs"))
  const table = docsPages(new DocsFolder([join(folder, "docs")]))
  app = await openSite({ site: ({ gate, intake }) => openPages(table, { gate, intake }) })
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

const VIEWS = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 320 },
] as const

/** One page of each make: the larger of a kind take axe a quarter of a minute. */
const PAGES = ["", "guides/embed", "api/access-items", "lifecycles", "library/payport-memory"]

const views = PAGES.flatMap((path) => VIEWS.map((view) => ({ path, ...view })))

describe("the documentation", () => {
  browserTest.each(views)("can be read: /$path, $theme, $width", async ({ path, ...view }) => {
    const page = await openPage(`${app.url}/docs/${path}`, view)
    await expectFitting(page)
    await expectAccessible(page)
    const name = path === "" ? "index" : path.replaceAll("/", "-")
    await screenshot(page, `docs-${name}-${view.theme}-${view.width}`)
  })

  browserTest(
    "is searched by keyboard, with an index that comes when it is asked for",
    async () => {
      const page = await openPage(`${app.url}/docs/`, { theme: "dark" })
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(new URL(request.url()).pathname))
      expect(asked).toEqual([])
      await page.keyboard.press("/")
      await page.keyboard.type("refund window")
      const first = page.locator("dialog li a").first()
      await first.waitFor()
      expect(asked).toEqual(["/docs/search.json"])
      expect(await page.locator("dialog li a").allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining("REFUND_WINDOW_EXPIRED")]),
      )
      await expectAccessible(page)
      await screenshot(page, "docs-search-dark-1280")
      await page.keyboard.press("ArrowDown")
      expect(await first.evaluate("document.activeElement?.tagName")).toBe("A")
      await page.keyboard.press("Enter")
      await page.waitForURL(/\/docs\/\S+\.html/)
    },
  )

  browserTest("is found in, left and copied from by keys alone", async () => {
    const page = await openPage(`${app.url}/docs/guides/embed`)
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await press(page, 'link "Skip to the content"')
    await press(page, 'button "Copy"', "Space")
    await hears(page, "Copied")
    await reach(page, 'button "Search', "Shift+Tab")
    await page.keyboard.press("Enter")
    await hasFocus(page, /^searchbox "Search"/)
    await page.keyboard.type("zzzz")
    await hears(page, "0 found")
    // The first clears the field, as in every search field of this browser.
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    await hasFocus(page, /^button "Search/)
    await page.keyboard.press("Space")
    await type(page, 'searchbox "Search"', "refund window")
    await hears(page, /found|best results/)
    await reach(page, 'button "Close"')
    await reach(page, 'link "')
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/docs\/\S+\.html/)
  })

  browserTest("leads on without scripts, from a menu on a phone", async () => {
    const page = await openPage(`${app.url}/docs/`, { width: 360, scripts: false })
    expect(await page.locator("button.search").isVisible()).toBe(false)
    await page.getByRole("link", { name: "Menu" }).click()
    await page.locator("nav.pages").getByRole("link", { name: "Quick start" }).click()
    await page.waitForURL(/guides\/start\.html$/)
    expect(await page.locator("h1").innerText()).toBe("Quick start")
    await page.getByRole("link", { name: "This page as Markdown" }).click()
    await page.waitForURL(/guides\/start\.md$/)
  })

  browserTest("copies code", async () => {
    const page = await openPage(`${app.url}/docs/guides/embed`)
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.locator("button.copy").first().click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe("npm install payport effect")
  })
})
