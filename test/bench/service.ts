import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { V8_FLAGS } from "../../apps/server/v8Flags.ts"

/** The service in a separate process, started as users start it. */
export interface Service {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly sellerKey: string
  readonly buyerKey: string
  readonly adminKey: string
  /** The address of its inspector, if it was started with one. */
  readonly inspector: string | undefined
  /** Whether it is still running. */
  readonly runs: () => boolean
  readonly stop: () => Promise<void>
  /** Ends it as a power cut would. */
  readonly kill: () => Promise<void>
}

/** Secrets that several processes of the service, or one after another, have in common. */
export interface Keys {
  readonly sellerKey: string
  readonly buyerKey: string
  readonly adminKey: string
}

export interface ServiceOptions {
  readonly program: string
  readonly databaseUrl: string
  /** A folder for its files and its log. */
  readonly folder: string
  readonly inspected?: boolean
  /** Random ones where they are absent. */
  readonly keys?: Keys
  /** Variables besides those of every service here. */
  readonly variables?: { readonly [name: string]: string }
}

/** Also on a machine that has much else to do. */
const START_LIMIT = 180_000

const token = () => randomBytes(32).toString("base64url")

/** Makes new keys. */
export const newKeys = (): Keys => ({
  sellerKey: `sk_test_${token()}`,
  buyerKey: `ag_sk_test_${token()}`,
  adminKey: token(),
})

const lastLines = async (log: string): Promise<string> =>
  (await readFile(log, "utf8")).trimEnd().split("\n").slice(-10).join("\n")

/** The ready lines of the processes, with the address of the API or of the probes. */
const PLACES = { api: /^payport ready on (\S+)$/, worker: /^ {2}probes +(\S+)$/ }

const untilReady = (child: ChildProcess, log: string, said: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    const fail = (why: string) =>
      lastLines(log).then((said) => reject(new Error(`The service ${why}:\n${said}`)), reject)
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      void fail("was not ready in three minutes")
    }, START_LIMIT)
    child.once("exit", (code, signal) => void fail(`ended with ${code ?? signal}`))
    if (child.stdout === null) return
    createInterface({ input: child.stdout }).on("line", (line) => {
      const url = said.exec(line)?.[1]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })

const environment = ({ databaseUrl, folder, variables }: ServiceOptions, keys: object) => {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("PAYPORT_") && name !== "NODE_OPTIONS",
  )
  return {
    ...Object.fromEntries(inherited),
    PAYPORT_MODE: "sandbox",
    PAYPORT_HOST: "127.0.0.1",
    PAYPORT_PORT: "0",
    PAYPORT_DATA_DIR: join(folder, "data"),
    PAYPORT_DATABASE_URL: databaseUrl,
    // One account makes more requests than any plan allows.
    PAYPORT_RATE_LIMITS: "off",
    ...keys,
    ...variables,
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

const killer = (child: ChildProcess) => async () => {
  if (!isRunning(child)) return
  const exited = once(child, "exit")
  child.kill("SIGKILL")
  await exited
}

const stopper = (child: ChildProcess, log: string) => async () => {
  if (!isRunning(child)) {
    throw new Error(`The service ended by itself:\n${await lastLines(log)}`)
  }
  const exited = once(child, "exit")
  child.kill("SIGTERM")
  const [code, signal] = (await exited) as [number | null, string | null]
  if (code !== 0) throw new Error(`Told to stop, the service ended with ${code ?? signal}.`)
}

/** Starts the service as `npm start` does, and waits until it is ready. Its log goes to a file. */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const { adminKey, buyerKey, sellerKey } = options.keys ?? newKeys()
  const log = join(options.folder, "service.log")
  const file = await open(log, "a")
  const inspect = options.inspected === true ? ["--inspect=127.0.0.1:0"] : []
  const child = spawn(process.execPath, [...V8_FLAGS, ...inspect, options.program], {
    env: environment(options, {
      PAYPORT_DEMO_SELLER_KEY: sellerKey,
      PAYPORT_DEMO_BUYER_KEY: buyerKey,
      PAYPORT_ADMIN_KEY: adminKey,
    }),
    stdio: ["ignore", "pipe", file.fd],
  })
  const end = () => void child.kill("SIGKILL")
  process.once("exit", end)
  child.once("exit", () => void process.removeListener("exit", end))
  await file.close()
  const isWorker = options.variables?.["PAYPORT_ROLES"] === "worker"
  const url = await untilReady(child, log, PLACES[isWorker ? "worker" : "api"])
  const { port } = new URL(url)
  const announced = /Debugger listening on (ws:\S+)/.exec(await readFile(log, "utf8"))?.[1]
  return {
    url,
    port: Number(port),
    pid: child.pid ?? 0,
    sellerKey,
    buyerKey,
    adminKey,
    inspector: options.inspected === true ? announced : undefined,
    runs: () => isRunning(child),
    stop: stopper(child, log),
    kill: killer(child),
  }
}
