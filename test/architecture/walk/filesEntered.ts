/**
 * Prints which files of the core and of the HTTP API the creation of a payment enters, and which
 * calls they make of each other, in order. It runs in a separate process, since a test runner adds
 * functions to the modules that it loads.
 */
import inspector from "node:inspector/promises"
import { relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { App } from "../../support/app.ts"
import { projectRoot } from "../../support/sourceFiles.ts"
import { type Call, traceCalls, WALKED } from "./traceCalls.ts"

/** Creations before the one that is measured: they fill caches and load what is loaded late. */
const WARMED_UP = 5

/** The number of measured creations. The one that enters the fewest files counts. */
const MEASURED = 10

const service = {
  name: "Paper summaries",
  description: "Sums up a research paper.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  default_channel: "wallet_a",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "http://127.0.0.1:3999/hook",
  tags: ["papers"],
}

/**
 * The files that a creation enters, and its calls from file to file, without internal calls of
 * other adapters, such as the memory store.
 */
export interface Entered {
  readonly files: ReadonlyArray<string>
  readonly calls: ReadonlyArray<Call>
}

/** Creates a payment for the service of an app that has one on sale. */
const creation = async (app: App) => {
  const { json } = await app.call("POST", "/v1/services", {
    key: app.seller.api_key.key,
    body: service,
  })
  const service_id = String(json.id)
  await app.call("PATCH", `/v1/services/${service_id}/activate`, { key: app.seller.api_key.key })
  return (attempt: number) =>
    app.call("POST", "/v1/payment-intents", {
      key: app.buyer.api_key.key,
      headers: { "Idempotency-Key": `attempt-${attempt}` },
      body: {
        service_id,
        type: "one_time",
        amount: { currency: "USD", value: 699 },
        description: "One paper",
        metadata: { order: "8842" },
      },
    })
}

/**
 * Returns the project's files with a function that ran during `act`, with forward slashes, sorted.
 */
const filesEntered = async (act: () => Promise<unknown>): Promise<ReadonlyArray<string>> => {
  const session = new inspector.Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false })
  // Discards everything that has run before, so that only the act is measured.
  await session.post("Profiler.takePreciseCoverage")
  await act()
  const { result } = await session.post("Profiler.takePreciseCoverage")
  session.disconnect()
  return result
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .filter(({ url }) => url.startsWith("file:"))
    .map(({ url }) => relative(projectRoot, fileURLToPath(url)).split(sep).join("/"))
    .filter((path) => WALKED.test(path))
    .toSorted()
}

const callsSince = traceCalls()
// Loaded after the tracing has begun.
const { startApp } = await import("../../support/app.ts")
const app = await startApp({ sandbox: true })
const create = await creation(app)
for (let attempt = 0; attempt < WARMED_UP; attempt += 1) await create(attempt)
const measured: Array<Entered> = []
// The first creation in a second also asks for the channel's rate, which the others share.
for (let attempt = WARMED_UP; attempt < WARMED_UP + MEASURED; attempt += 1) {
  callsSince()
  const files = await filesEntered(async () => {
    const { status } = await create(attempt)
    if (status !== 201) throw new Error(`The creation was answered with ${status}.`)
  })
  const all = callsSince()
  const calls = all.filter(({ from }) => WALKED.test(from))
  const walked = new Set(calls.flatMap(({ from, to }) => [from, to]))
  const byOthers = new Set(all.map(({ to }) => to).filter((file) => !walked.has(file)))
  measured.push({ files: files.filter((file) => !byOthers.has(file)), calls })
}
const [fewest] = measured.toSorted((a, b) => a.files.length - b.files.length)
process.stdout.write(JSON.stringify(fewest))
await app.stop()
process.exit()
