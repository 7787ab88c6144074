import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { inject } from "vitest"

/**
 * Writes the whole page as `<name>.png` to the folder of one's choice, for review by people.
 * Without a folder it does nothing, since the browser takes long to draw a whole page.
 */
export const screenshot = async (
  page: Page,
  name: string,
  folder: string = inject("screenshots"),
): Promise<void> => {
  if (folder === "") return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
