import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { AxeResults } from "axe-core"
import type { Page } from "playwright-core"
import { expect } from "vitest"

const source = readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** Runs every rule, and describes only what breaks one. */
const FIND = `axe.run({ resultTypes: ["violations"] }).then(({ violations }) => ({ violations }))`

/**
 * Fails where axe finds anything on the page as it is shown now: its rules of WCAG 2.2 up to AA and
 * of good practice.
 */
export const expectAccessible = async (page: Page): Promise<void> => {
  // Sent through the debugger, which a Content-Security-Policy does not block.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await source)
  const { violations } = (await page.evaluate(FIND)) as Pick<AxeResults, "violations">
  const found = violations.flatMap(({ help, id, nodes }) =>
    nodes.map(({ failureSummary, html }) => `${id}: ${help}\n${html}\n${failureSummary ?? ""}`),
  )
  expect(found.join("\n\n"), page.url()).toBe("")
}
