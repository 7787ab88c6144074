import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserServer } from "playwright-core"
import type { TestProject } from "vitest/node"
import { buildPages } from "../../../apps/packages/buildPages.ts"
import { startBrowser } from "./browser.ts"
import { filmCode } from "./filmCode.ts"
import { openShopAt, send } from "./send.ts"
import { type Service, startService } from "./startService.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the run's browser; empty if there is none. */
    readonly browser: string
    /** The folder that screenshots are written to; empty if nobody wants any. */
    readonly screenshots: string
    /** The service of this run. */
    readonly service: Service
    /** The id of the service whose static code is in front of the browser's camera. */
    readonly filmed: string
  }
}

/** Whether a missing browser is a failure. */
const REQUIRED = process.env["CI"] !== undefined

/** A folder to keep the screenshots in, of one's own choice. */
const KEPT = process.env["PAYPORT_SCREENSHOTS"] ?? ""

const missing = (error: unknown): undefined => {
  if (REQUIRED) throw new Error("There is no browser for the tests of pages.", { cause: error })
  const reason = error instanceof Error ? error.message : String(error)
  const loud = "NO BROWSER: THE TESTS OF PAGES ARE SKIPPED. PAYPORT_TEST_BROWSER can name one."
  process.stderr.write(`\n${loud}\n${reason}\n\n`)
  return undefined
}

let server: BrowserServer | undefined
let service: Awaited<ReturnType<typeof startService>> | undefined
let folder: string | undefined

/**
 * Verifies the demo buyer's agent. All tests pay with it, and an unverified agent can pay only
 * little.
 */
const verifyBuyer = async (running: Service): Promise<void> => {
  const path = "/v1/kyc/verify"
  const data = { email: "ada@example.com", phone: "+14155550123" }
  const asked = { agent_id: "demo-buyer", level: "basic", data }
  const { verification_id } = await send(running, "buyer", "POST", path, asked)
  const inbox = `/v1/sandbox/messages?verification_id=${String(verification_id)}`
  const messages = await send(running, "buyer", "GET", inbox)
  const [message] = messages["data"] as ReadonlyArray<{ readonly text: string }>
  const otp = message?.text.slice(0, 6)
  await send(running, "buyer", "POST", path, { verification_id, otp })
}

/**
 * Builds what pages load, and starts the run's only service and its only browser, whose camera sees
 * a code of the service.
 */
export const setup = async (project: TestProject): Promise<void> => {
  await buildPages()
  service = await startService()
  await verifyBuyer(service)
  folder = await mkdtemp(join(tmpdir(), "payport-pages-run-"))
  const film = join(folder, "camera.y4m")
  const filmed = await openShopAt(service, { name: "Filmed papers", qr_mode: "static" })
  const { qr_data } = await send(service, "seller", "GET", `/v1/services/${filmed}/qr`)
  await filmCode(String(qr_data), film)
  server = await startBrowser(`--use-file-for-fake-video-capture=${film}`).catch(missing)
  project.provide("browser", server?.wsEndpoint() ?? "")
  project.provide("screenshots", KEPT)
  project.provide("service", { url: service.url, keys: service.keys })
  project.provide("filmed", filmed)
}

export const teardown = async (): Promise<void> => {
  await server?.close()
  await service?.stop()
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}
