import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, onTestFinished } from "vitest"
import { page as pageOf } from "../../apps/simulate/page/page.ts"
import { mixed } from "../../simulator/scenarios/library.ts"
import { failingRun } from "../support/failingRun.ts"
import { expectAccessible } from "./support/expectAccessible.ts"
import { browserTest, expectFitting, openPage, THEMES } from "./support/openPage.ts"
import { screenshot } from "./support/screenshot.ts"

browserTest("the report of a failing run is read in a browser, and its file is kept", async () => {
  const folder = await mkdtemp(join(tmpdir(), "payport-report-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { reduced, shown, totals } = failingRun(folder)
  const file = join(folder, "report.html")
  await writeFile(file, pageOf(totals, mixed, 5_260, shown))
  const url = pathToFileURL(file).href
  const page = await openPage(url)
  await page.getByRole("heading", { name: "What broke", exact: true }).waitFor()
  await page.getByRole("img", { name: /What passed between clients/ }).waitFor()
  await page.getByText("The run's file").click()
  const [kept] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Keep simulation-mixed-3\.json/ }).click(),
  ])
  expect(kept.suggestedFilename()).toBe("simulation-mixed-3.json")
  expect(reduced.payments).toBeLessThanOrEqual(2)
  await expectAccessible(page)
  for (const theme of THEMES) {
    for (const width of [1_280, 390]) {
      const view = await openPage(url, { theme, width })
      await view.getByRole("heading", { name: "What broke", exact: true }).waitFor()
      await expectFitting(view)
      await screenshot(view, `simulation-report-${theme}-${width}`)
    }
  }
})
