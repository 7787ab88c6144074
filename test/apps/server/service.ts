import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { prepareFolder } from "../../support/preparedFolder.ts"
import { program } from "../../support/programs.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

/** The operator's key of services that tests start with {@link secrets}. */
export const ADMIN = "Zk3vQ9xT1bN7mW5sR2yL8cP4hJ6dF0gA"

/** The keys of a service whose data several processes share. */
export const secrets = {
  PAYPORT_ADMIN_KEY: ADMIN,
  PAYPORT_MASTER_KEY: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString("base64"),
  PAYPORT_DEMO_SELLER_KEY: `sk_test_${"A".repeat(43)}`,
  PAYPORT_DEMO_BUYER_KEY: `ag_sk_test_${"A".repeat(43)}`,
}

/** A process of the service: what it printed so far, and how it ended. */
export interface Service {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves to the exit code, or to the name of the signal that ended it. */
  readonly ended: Promise<number | string>
}

export interface Running extends Service {
  readonly url: string
  readonly sellerKey: string
  readonly buyerKey: string
}

type Environment = { readonly [name: string]: string }

/** An empty folder, removed after the test. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-server-"))
  // A server that was told twice to stop may still be writing its last words.
  const patiently = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }
  onTestFinished(() => rm(folder, patiently))
  return folder
}

/** The same with a PostgreSQL's files in it, for a service that brings its own. */
export const preparedFolder = async (): Promise<string> => {
  const folder = await temporaryFolder()
  prepareFolder(folder)
  return folder
}

/** Starts the service with nothing of this process's own settings; it does not outlive the test. */
export const start = (environment: Environment, ...args: ReadonlyArray<string>): Service => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PAYPORT_"))
  const child = spawn(process.execPath, [program("server"), ...args], {
    cwd: projectRoot,
    env: {
      ...Object.fromEntries(inherited),
      PAYPORT_PROBE_PORT: "off",
      // One process on any number of cores.
      PAYPORT_PROCESSES: "1",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const ended = new Promise<number | string>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"))
  })
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM")
    await ended
  })
  return { child, stdout: () => stdout, stderr: () => stderr, ended }
}

const found = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ""

/** A demo account's key: as it was given, or as the service keeps it; empty where it has none. */
const demoKey = (folder: string, who: "buyer" | "seller", given: string | undefined) =>
  given ??
  readFile(join(folder, `demo-${who}.key`), "utf8")
    .then((key) => key.trim())
    .catch(() => "")

/** Waits until the service says that it is ready. */
const ready = async (
  service: Service,
  folder: string,
  environment: Environment,
): Promise<Running> => {
  const waiting = async () => {
    while (!/payport ready on \S+\n/.test(service.stdout())) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return "ready"
  }
  const outcome = await Promise.race([waiting(), service.ended])
  if (outcome !== "ready") throw new Error(`ended with ${outcome}: ${service.stderr()}`)
  return {
    ...service,
    url: found(service.stdout(), /payport ready on (\S+)/),
    sellerKey: await demoKey(folder, "seller", environment["PAYPORT_DEMO_SELLER_KEY"]),
    buyerKey: await demoKey(folder, "buyer", environment["PAYPORT_DEMO_BUYER_KEY"]),
  }
}

/** Starts on a free port over the folder, and waits until it is ready. */
export const startOn = (folder: string, environment: Environment = {}): Promise<Running> =>
  ready(start({ PAYPORT_PORT: "0", PAYPORT_DATA_DIR: folder, ...environment }), folder, environment)

/** Stops the service as an operator does, and returns its exit code or signal. */
export const stop = (service: Service): Promise<number | string> => {
  service.child.kill("SIGTERM")
  return service.ended
}

interface Answer {
  readonly status: number
  readonly body: { readonly [field: string]: unknown }
}

/** A caller of the interface with a key. */
export const callerOf =
  (url: string, key: string) =>
  async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer["body"] }
  }

/** A manifest with a receiver at that URL, and a channel without a rate limit. */
export const manifest = (endpoint: string) => ({
  name: "Answers",
  description: "Answers one question.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One answer" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  default_channel: "wallet_b",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint,
  tags: ["answers"],
})

/**
 * Repeats a request, less and less often, until the answer is as wanted. Hundreds of frequent
 * requests would slow the service down. The test's own time limit ends it.
 */
export const until = async (
  ask: () => Promise<Answer>,
  wanted: (answer: Answer) => boolean,
): Promise<Answer> => {
  for (let wait = 50; ; wait = Math.min(wait * 1.5, 1_000)) {
    const answer = await ask()
    if (wanted(answer)) return answer
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}
