import sparticuz from "@sparticuz/chromium"
import { type BrowserServer, chromium } from "playwright-core"

/** A Chromium to use instead of the one that npm brings. */
const GIVEN = process.env["PAYPORT_TEST_BROWSER"]

/**
 * Cameras are played, and nobody is asked whether they may be used. The browser's own sandbox needs
 * rights that containers seldom give. Its web security stays on: the pages' policies are tested.
 */
const ARGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
]

/** npm has one for Linux; elsewhere the Chrome that is installed is used. */
const where = async () => {
  if (GIVEN !== undefined) return { executablePath: GIVEN }
  if (process.platform !== "linux") return { channel: "chrome" }
  return { executablePath: await sparticuz.executablePath() }
}

/** Starts Chromium for programs that connect to it, with more arguments if given. */
export const startBrowser = async (...args: ReadonlyArray<string>): Promise<BrowserServer> =>
  chromium.launchServer({ ...(await where()), args: [...ARGS, ...args] })
