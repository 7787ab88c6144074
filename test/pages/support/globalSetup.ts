import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserServer } from "playwright-core"
import type { TestProject } from "vitest/node"
import { startBrowser } from "./browser.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the run's browser is reached; empty where there is none. */
    readonly browser: string
    /** The folder that screenshots are written to. */
    readonly screenshots: string
  }
}

/** Where a missing browser is a failure. */
const REQUIRED = process.env["CI"] !== undefined

/** A folder to keep the screenshots in, of one's own choice. */
const KEPT = process.env["PAYPORT_SCREENSHOTS"]

const missing = (error: unknown): undefined => {
  if (REQUIRED) throw new Error("There is no browser for the tests of pages.", { cause: error })
  const reason = error instanceof Error ? error.message : String(error)
  const loud = "NO BROWSER: THE TESTS OF PAGES ARE SKIPPED. PAYPORT_TEST_BROWSER can name one."
  process.stderr.write(`\n${loud}\n${reason}\n\n`)
  return undefined
}

let server: BrowserServer | undefined
let folder: string | undefined

/** Starts the run's only browser. */
export const setup = async (project: TestProject): Promise<void> => {
  server = await startBrowser().catch(missing)
  folder = KEPT ?? (await mkdtemp(join(tmpdir(), "payport-screenshots-")))
  project.provide("browser", server?.wsEndpoint() ?? "")
  project.provide("screenshots", folder)
}

export const teardown = async (): Promise<void> => {
  await server?.close()
  if (KEPT === undefined && folder !== undefined) await rm(folder, { recursive: true, force: true })
}
