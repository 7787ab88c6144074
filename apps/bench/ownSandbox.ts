import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { createInterface } from "node:readline"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { V8_FLAGS } from "../server/v8Flags.ts"
import { CannotMeasure } from "./CannotMeasure.ts"

/** The service, as it is started by itself. */
const program = fileURLToPath(new URL(`../server/main${extname(import.meta.url)}`, import.meta.url))

/** A sandbox in a separate process. */
export interface OwnSandbox {
  readonly url: string
  readonly adminKey: string
  /** Ends it, and removes its data. */
  readonly stop: () => Promise<void>
}

/** The sandbox uses neither the settings nor the database of this machine's payport. */
const environmentOf = (folder: string, adminKey: string) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("PAYPORT_")),
  ),
  PAYPORT_PORT: "0",
  PAYPORT_DATA_DIR: join(folder, "data"),
  PAYPORT_ADMIN_KEY: adminKey,
  PAYPORT_RATE_LIMITS: "off",
})

/** Starts a sandbox as `payport start` does, on a free port and with an empty database. */
export const startSandbox = async (): Promise<OwnSandbox> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-bench-"))
  const adminKey = randomBytes(32).toString("base64url")
  const child = spawn(process.execPath, [...V8_FLAGS, program, "start", "--json"], {
    env: environmentOf(folder, adminKey),
    stdio: ["ignore", "pipe", "pipe"],
  })
  const end = () => void child.kill("SIGTERM")
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const stop = async () => {
    end()
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const giveUp = () => void stop().finally(() => process.exit(1))
  process.once("exit", end).once("SIGINT", giveUp).once("SIGTERM", giveUp)
  const complaint = text(child.stderr)
  for await (const line of createInterface({ input: child.stdout })) {
    const { ready } = JSON.parse(line) as { readonly ready: string }
    child.stdout.resume()
    return { url: ready, adminKey, stop }
  }
  await stop()
  throw new CannotMeasure(`The sandbox did not start: ${(await complaint).trim()}`)
}
