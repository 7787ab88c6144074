import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect } from "vitest"
import { enlarge } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { browserTest, openPage, type View } from "./support/openPage.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
  await enlarge(app, app.seller.id)
})
afterAll(() => app.stop())

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true })

const enter = async (page: Page, key: string) => {
  await page.getByLabel("API key").fill(key)
  await button(page, "Sign in").click()
  await page.locator("main#view h1").waitFor()
}

const open = async (path: string, view: View): Promise<Page> => {
  const page = await openPage(`${app.url}/console${path}`, view)
  await enter(page, app.seller.api_key.key)
  return page
}

const keysOf = async (key: string): Promise<number> => {
  const { json } = await app.call("GET", "/v1/api-keys?limit=100", { key })
  return (json["data"] as ReadonlyArray<unknown>).length
}

browserTest("a window does nothing for whoever has signed in in another one", async () => {
  const page = await open("/keys", { expected: /status of 403/ })
  const other = await page.context().newPage()
  await other.goto(`${app.url}/console`)
  await button(other, "Sign out").click()
  await enter(other, app.buyer.api_key.key)

  const before = await keysOf(app.buyer.api_key.key)
  await button(page, "New key").click()
  await button(page, "Issue").click()
  await page.getByText("Somebody else has signed in to this browser since").waitFor()
  expect(await page.locator("main#view").count()).toBe(0)
  expect(await keysOf(app.buyer.api_key.key)).toBe(before)
  // The other window goes on.
  await other.reload()
  await other.locator("main#view h1").waitFor()
})
