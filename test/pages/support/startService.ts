import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { projectRoot } from "../../support/sourceFiles.ts"

/** A running service with its keys. */
export interface Service {
  readonly url: string
  readonly keys: { readonly [who in "seller" | "buyer" | "admin"]: string }
}

const READY = /^payport ready on (\S+)$/

const keyIn = async (folder: string, name: string): Promise<string> =>
  (await readFile(join(folder, `${name}.key`), "utf8")).trim()

/** A sandbox on a free port, with its own database in the folder. */
const settings = (folder: string) => ({
  PAYPORT_PORT: "0",
  PAYPORT_DATA_DIR: folder,
  // One account makes more requests than its plan allows.
  PAYPORT_RATE_LIMITS: "off",
})

/** Starts the service of compiled files, as `npm start` does. */
export const startService = async (): Promise<Service & { stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-pages-"))
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PAYPORT_"))
  const child = spawn(process.execPath, [join(projectRoot, "dist/apps/server/main.js")], {
    cwd: projectRoot,
    env: { ...Object.fromEntries(inherited), ...settings(folder) },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-4000)))
  const ended = once(child, "close")
  let isStopping = false
  void ended.then(() => {
    if (!isStopping) process.stderr.write(`\nThe service of the tests ended by itself.\n${said}\n`)
  })
  const stop = async () => {
    isStopping = true
    child.kill("SIGTERM")
    await ended
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }
  const ready = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = READY.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  const url = await Promise.race([ready, ended])
  if (typeof url !== "string") throw new Error(`The service ended before it was ready.\n${said}`)
  const keys = {
    seller: await keyIn(folder, "demo-seller"),
    buyer: await keyIn(folder, "demo-buyer"),
    admin: await keyIn(folder, "admin"),
  }
  return { url, keys, stop }
}
