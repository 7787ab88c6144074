import { execFile } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { activeService, type App, startApp } from "../../support/app.ts"
import { openSuiteTools } from "./suiteTools.ts"

const SUITE = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"))

let app: App
beforeAll(async () => {
  app = await startApp()
  await activeService(app)
})
afterAll(() => app.stop())

/** A proxy that adds a key to requests, since the suite knows no keys. */
const keyed = async (door: string): Promise<string> => {
  const authorization = `Bearer ${app.buyer.api_key.key}`
  const proxy = createServer((req, res) => {
    const onward = request({
      host: "127.0.0.1",
      port: app.port,
      method: req.method,
      path: req.url,
      headers: { ...req.headers, authorization },
    })
    onward.on("response", (answer) => {
      res.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(res)
    })
    onward.on("error", () => res.destroy())
    res.on("close", () => onward.destroy())
    req.pipe(onward)
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    proxy.close()
    proxy.closeAllConnections()
  })
  return `http://localhost:${(proxy.address() as AddressInfo).port}${door}`
}

interface Check {
  readonly id: string
  readonly status: string
}

/** Runs the suite with these arguments, and returns the failed checks of each scenario. */
const conform = async (url: string, ...what: ReadonlyArray<string>) => {
  const folder = await mkdtemp(join(tmpdir(), "payport-conformance-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const options = ["server", "--url", url, ...what, "-o", folder]
  await new Promise<void>((resolve) => {
    execFile(process.execPath, [SUITE, ...options], { cwd: folder }, () => resolve())
  })
  const results: Record<string, ReadonlyArray<string>> = {}
  for (const run of await readdir(folder)) {
    const scenario = /^server-(.*)-\d{4}-\d\d-\d\dT/.exec(run)?.[1] ?? run
    const checks = JSON.parse(
      await readFile(join(folder, run, "checks.json"), "utf8"),
    ) as ReadonlyArray<Check>
    const bad = checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id)
    results[scenario] = [...new Set(bad)].toSorted()
  }
  return results
}

/** Scenarios that cannot pass on a server with no other feature than its sellers' tools. */
const without = (reason: string, ...scenarios: ReadonlyArray<string>) =>
  Object.fromEntries(scenarios.map((scenario) => [scenario, reason]))

const FIXTURE = "calls a tool that the suite's own server has: all tools here are sellers' services"
const NO_RESOURCES = "resources are not offered"
const NO_PROMPTS = "prompts are not offered"

/** Scenarios that pass once the server has the suite's own tools. */
const WITH_FIXTURES = [
  "json-schema-2020-12",
  "tools-call-audio",
  "tools-call-embedded-resource",
  "tools-call-error",
  "tools-call-image",
  "tools-call-mixed-content",
  "tools-call-simple-text",
]

const INAPPLICABLE = {
  ...without(FIXTURE, ...WITH_FIXTURES),
  ...without(`${FIXTURE}, and none of them tells its progress`, "tools-call-with-progress"),
  ...without("completion is not offered", "completion-complete"),
  ...without(
    NO_RESOURCES,
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
  ),
  ...without(
    NO_PROMPTS,
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ),
}

const INAPPLICABLE_2025 = {
  ...INAPPLICABLE,
  ...without("logging is not offered", "logging-set-level", "tools-call-with-logging"),
  ...without(
    `${FIXTURE}, which asks the client for something`,
    "tools-call-sampling",
    "tools-call-elicitation",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ),
  ...without(NO_RESOURCES, "resources-subscribe", "resources-unsubscribe"),
}

const INAPPLICABLE_2026 = {
  ...INAPPLICABLE,
  ...without(
    `${FIXTURE}, which asks for input`,
    "input-required-result-basic-elicitation",
    "input-required-result-basic-sampling",
    "input-required-result-basic-list-roots",
    "input-required-result-request-state",
    "input-required-result-multiple-input-requests",
    "input-required-result-multi-round",
    "input-required-result-result-type",
    "input-required-result-tampered-state",
    "input-required-result-capability-check",
  ),
  ...without(NO_PROMPTS, "input-required-result-non-tool-request"),
  ...without(
    `${FIXTURE}, with parameters in headers; pending in the suite`,
    "http-custom-header-server-validation",
  ),
  ...without(
    "tasks are an extension that is not offered",
    "tasks-lifecycle",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-request-state-removal",
    "tasks-mrtr-input",
    "tasks-request-headers",
    "tasks-dispatch-and-envelope",
    "tasks-required-task-error",
    "tasks-mrtr-composition",
  ),
}

/** Scenarios that partly need features that are not offered, with the checks of that part. */
const PARTLY_2026 = {
  caching: [
    "sep-2549-prompts-list-caching-hints",
    "sep-2549-resources-list-caching-hints",
    "sep-2549-resources-templates-list-caching-hints",
  ],
  "server-stateless": [
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-missing-capability-http-400",
    "sep-2575-server-no-log-without-loglevel",
    "sep-2575-server-rejects-undeclared-capability",
  ],
}

const PASSED_2025 = [
  "dns-rebinding-protection",
  "ping",
  "server-initialize",
  "server-session-lifecycle",
  "server-sse-multiple-streams",
  "server-sse-polling",
  "tools-list",
]

const PASSED_2026 = [
  "dns-rebinding-protection",
  "http-header-validation",
  "input-required-result-ignore-extra-params",
  "input-required-result-missing-input-response",
  "input-required-result-unsupported-methods",
  "input-required-result-validate-input",
  "sep-2164-resource-not-found",
  "server-sse-multiple-streams",
  "tasks-status-notifications",
  "tools-list",
]

const REVISIONS = [
  ["2025-11-25", PASSED_2025, {}, INAPPLICABLE_2025],
  ["2026-07-28", PASSED_2026, PARTLY_2026, INAPPLICABLE_2026],
] as const

/** The services' own tools, and those of the market. */
const DOORS = ["/mcp", "/mcp/market"] as const

const ROWS = DOORS.flatMap((door) =>
  REVISIONS.map(([revision, ...rest]) => [door, revision, ...rest] as const),
)

describe("the conformance suite", { timeout: 180_000 }, () => {
  test.for(ROWS)("at %s of %s passes, but for what is not offered", async (row) => {
    const [door, revision, passed, partly, inapplicable] = row
    const results = await conform(await keyed(door), "--requirements", revision)
    const outcome = (wanted: (failures: ReadonlyArray<string>, scenario: string) => boolean) =>
      Object.entries(results).flatMap(([scenario, failures]) =>
        wanted(failures, scenario) ? [scenario] : [],
      )
    expect(outcome((failures) => failures.length === 0).toSorted()).toStrictEqual(passed)
    for (const [scenario, checks] of Object.entries(partly)) {
      expect(results[scenario], scenario).toStrictEqual(checks)
    }
    const failed = outcome((failures, name) => failures.length > 0 && !(name in partly))
    expect(failed.toSorted()).toStrictEqual(Object.keys(inapplicable).toSorted())
  })

  test.for(["2025-11-25", "2026-07-28"])(
    "of %s is passed by its own tools, too",
    async (revision) => {
      const url = await openSuiteTools()
      const all = await conform(url, "--requirements", revision)
      const results = Object.fromEntries(WITH_FIXTURES.map((name) => [name, all[name]]))
      expect(results).toStrictEqual(Object.fromEntries(WITH_FIXTURES.map((name) => [name, []])))
    },
  )
})
