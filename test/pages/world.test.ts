import { afterAll, beforeAll, expect } from "vitest"
import type { Page } from "playwright-core"
import { ADMIN_KEY } from "../support/app.ts"
import { openSite, type SiteApp } from "../support/site.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES, type View } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

let app: SiteApp
beforeAll(async () => {
  app = await openSite()
})
afterAll(() => app.stop())

/** Without a session, the console's request for the session is answered with 401. */
const NOBODY = { expected: /401 \(Unauthorized\)/ }

const openWorld = async (view: View = {}): Promise<Page> => {
  const page = await openPage(`${app.url}/console/world`, { ...NOBODY, ...view })
  await page.getByLabel(/key/i).first().fill(ADMIN_KEY)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "The simulated world" }).waitFor()
  return page
}

const play = async (page: Page, scenario: string, seed: number, payments: number) => {
  await page.getByLabel("Scenario").selectOption(scenario)
  await page.getByRole("spinbutton", { name: "Seed" }).fill(String(seed))
  await page.getByRole("spinbutton", { name: "Payments" }).fill(String(payments))
  await page.getByRole("button", { name: "Play this world" }).click()
  await page.locator(".clock").waitFor()
}

browserTest(
  "a world stands still at a fault, tells a payment's story, and comes to rest",
  async () => {
    const page = await openWorld()
    await play(page, "callback_storm", 5, 8)
    await page.getByRole("button", { name: "Next fault" }).click()
    const stop = page.locator(".stop.fault")
    await stop.waitFor()
    const clock = page.locator(".clock")
    const at = await clock.textContent()
    await page.getByRole("button", { name: "Open its story" }).click()
    const story = page.locator(".story")
    await story.getByText("callback", { exact: false }).first().waitFor()
    expect(await story.locator(".line.fault").count()).toBeGreaterThan(0)
    expect(await clock.textContent()).toBe(at)
    await expectAccessible(page)
    await page.getByRole("button", { name: "Step", exact: true }).click()
    await page.getByRole("button", { name: "To the end" }).click()
    await page.getByText("Every invariant held.").waitFor()
    expect(await page.locator("progress").getAttribute("value")).toBe("8")
    const [kept] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Keep the file" }).click(),
    ])
    expect(kept.suggestedFilename()).toBe("simulation-callback_storm-5.json")
  },
)

for (const theme of THEMES) {
  for (const width of [360, 1280]) {
    browserTest(`the world is whole in ${theme} at ${width} pixels`, async () => {
      const page = await openWorld({ theme, width })
      await play(page, "mixed", 7, 24)
      await page.getByRole("radio", { name: "600×" }).click({ force: true })
      await page.locator(".world .payments li:nth-child(16)").waitFor()
      await page.getByRole("button", { name: "Next fault" }).click()
      await page
        .getByRole("button", { name: "Open its story" })
        .or(page.locator(".stop.fault"))
        .first()
        .waitFor()
      await page.locator(".world .payments li:nth-child(7) button").click()
      await page.locator(".story .line").first().waitFor()
      await expectFitting(page)
      await expectAccessible(page)
      await screenshot(page, `world-${theme}-${width}`)
    })
  }
}
