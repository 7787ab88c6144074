import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { inject } from "vitest"

/** Writes the whole page as `<name>.png` to the run's folder, for review by people. */
export const screenshot = async (page: Page, name: string): Promise<void> => {
  const folder = inject("screenshots")
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
