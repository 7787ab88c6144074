import { Effect, Exit, Scope } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, onTestFinished, test } from "vitest"
import { urlOf } from "../../support/askDatabase.ts"
import { emptyDatabase } from "../../support/postgres.ts"
import { metricNames } from "../../support/metricNames.ts"
import { callerOf, manifest, type Running, startOn, stop, temporaryFolder } from "./service.ts"

interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly json: unknown
}

/** A server that accepts everything. */
const taker = async () => {
  const received: Array<Received> = []
  let heard = () => {}
  const server = createServer((req, res) => {
    let text = ""
    req.setEncoding("utf8").on("data", (part: string) => (text += part))
    req.on("end", () => {
      received.push({
        path: req.url ?? "",
        headers: req.headers,
        json: JSON.parse(text) as unknown,
      })
      res.end()
      heard()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const until = async (wanted: () => boolean) => {
    while (!wanted()) await new Promise<void>((resolve) => (heard = resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, until }
}

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const CALLER = "00f067aa0ba902b7"

/**
 * Metrics that exist only after a failure, while something waits, in live mode, or with replicas.
 */
const RARE = new Set([
  "payport_store_failures_total",
  "payport_channel_breaker",
  "payport_delivery_backlog",
  "payport_channel_requests_open",
  "payport_channel_request_age_seconds",
  "payport_listing_probes_total",
  "payport_replica_used",
  "payport_replica_age_seconds",
  "payport_replica_reads_total",
])

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly links?: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
}

/** The body of a POST to `/v1/traces`, as far as it is read here. */
interface Traces {
  readonly resourceSpans: ReadonlyArray<{
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<Span> }>
  }>
}

const spansOf = (received: ReadonlyArray<Received>): ReadonlyArray<Span> =>
  received
    .filter(({ path }) => path === "/v1/traces")
    .flatMap(({ json }) => (json as Traces).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)

/** A service that its buyer pays immediately, within its limit. */
const openService = async (url: string, sellerKey: string, buyerKey: string, receiver: string) => {
  const seller = callerOf(url, sellerKey)
  const buyer = callerOf(url, buyerKey)
  const { body } = await seller("POST", "/v1/services", manifest(receiver))
  await seller("PATCH", `/v1/services/${String(body["id"])}/activate`)
  await buyer("POST", "/v1/webhook-endpoints", { url: `${receiver}/buyer`, enabled_events: ["*"] })
  const limit = { auto_pay_limit: { currency: "USD", value: 900 } }
  await buyer("POST", `/v1/services/${String(body["id"])}/installs`, limit)
  return String(body["id"])
}

/** Starts an API process and a worker on one database. */
const startBoth = async (settings: { readonly [name: string]: string }) => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(emptyDatabase, scope))
  const folder = await temporaryFolder()
  const common = { ...settings, PAYPORT_DATABASE_URL: urlOf(database) }
  const service = await startOn(folder, { ...common, PAYPORT_ROLES: "api" })
  return [service, await startOn(folder, { ...common, PAYPORT_ROLES: "worker" })] as const
}

/** The metrics at a process's probe listener, which otherwise only serves health. */
const shownBy = async ({ stdout }: Running): Promise<ReadonlyArray<string>> => {
  const probes = /probes +(\S+)/.exec(stdout())?.[1] ?? ""
  const paths = ["/healthz", "/readyz", "/metrics", "/openapi.json"]
  const answers = await Promise.all(paths.map((path) => fetch(probes + path)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404])
  const text = (await answers[2]?.text()) ?? ""
  return Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name = ""]) => name)
}

const slow = { timeout: 120_000 }

test("a caller's trace goes through request and commit to the webhook", slow, async () => {
  const [collector, receiver] = [await taker(), await taker()]
  const [service, worker] = await startBoth({
    PAYPORT_PROBE_PORT: "0",
    PAYPORT_LOG_LEVEL: "debug",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=pay%20ments",
    OTEL_SERVICE_NAME: "till",
  })
  const { buyerKey, sellerKey, url } = service
  const service_id = await openService(url, sellerKey, buyerKey, receiver.url)
  const answer = await fetch(`${url}/v1/payments/one-time`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${buyerKey}`,
      "Content-Type": "application/json",
      traceparent: `00-${TRACE}-${CALLER}-01`,
    },
    body: JSON.stringify({
      service_id,
      amount: { currency: "USD", value: 699 },
      description: "One answer",
      payer: { agent_id: "demo-buyer" },
    }),
  })
  expect([answer.status, ((await answer.json()) as { status: string }).status]).toEqual([
    201,
    "completed",
  ])
  const tellingOf = (whose: "buyer" | "seller") =>
    receiver.received.find(({ path }) => (path === "/buyer") === (whose === "buyer"))
  await receiver.until(() => tellingOf("buyer") !== undefined && tellingOf("seller") !== undefined)
  const shown = [...(await shownBy(service)), ...(await shownBy(worker))]
  const all = await metricNames()
  expect(shown.filter((name) => !all.includes(name))).toEqual([])
  expect(all.filter((name) => !shown.includes(name) && !RARE.has(name))).toEqual([])
  expect(await Promise.all([stop(service), stop(worker)])).toEqual([0, 0])

  const mine = spansOf(collector.received).filter(({ traceId }) => traceId === TRACE)
  const named = (name: string) => mine.filter((span) => span.name === name)
  const [request] = named("POST /v1/payments/one-time")
  expect(request?.parentSpanId).toBe(CALLER)
  const told = tellingOf("buyer")?.headers["traceparent"]
  const [webhook] = named("webhook")
  expect(told).toBe(`00-${TRACE}-${webhook?.spanId ?? ""}-01`)
  const commit = named("commit").find(({ spanId }) => spanId === webhook?.parentSpanId)
  expect(commit).toBeDefined()

  // An account that did not make the request does not learn its caller's trace.
  const [, other = ""] = String(tellingOf("seller")?.headers["traceparent"]).split("-")
  expect(other).toMatch(/^[0-9a-f]{32}$/)
  expect(other).not.toBe(TRACE)
  const event = spansOf(collector.received).find(
    ({ name, traceId }) => name === "event" && traceId === other,
  )
  expect(event?.links).toMatchObject([{ traceId: TRACE, spanId: commit?.spanId }])

  // The first metrics may have been sent before any request.
  const metrics = collector.received.filter(({ path }) => path === "/v1/metrics")
  expect(metrics[0]?.headers["x-team"]).toBe("pay ments")
  const json = JSON.stringify(metrics.map((sent) => sent.json))
  expect(json).toContain("payport_http_requests_total")
  expect(json).toContain('"stringValue":"till"')
  expect(service.stderr()).toMatch(/"level":"debug","message":"request".*"route":"\/metrics"/)
})
