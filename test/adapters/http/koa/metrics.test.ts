import { afterAll, beforeAll, expect, test } from "vitest"
import { activeService, type App, startApp } from "../../../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const COMMENT = /^# (?:HELP|TYPE) \w+ .+$/
const SAMPLE = /^[a-z_]+(?:\{[a-z_]+="[^"]*"(?:,[a-z_]+="[^"]*")*\})? [-+.\dInfe]+$/

const metrics = async () => {
  const reply = await app.call("GET", "/metrics", { key: null })
  expect(reply.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  return reply.text
}

test("are in the Prometheus text format", async () => {
  const lines = (await metrics()).trimEnd().split("\n")
  expect(lines.filter((line) => !COMMENT.test(line) && !SAMPLE.test(line))).toEqual([])
})

test("count requests by route, method and status, with their durations", async () => {
  const id = await activeService(app)
  await app.call("GET", `/v1/services/${id}`)
  await app.call("GET", `/v1/services/${id}?x=1`)
  await app.call("GET", "/v1/nowhere")
  const text = await metrics()
  const counter = (route: string, status: number) =>
    `payport_http_requests_total{route="${route}",method="GET",status="${status}"} 1`
  expect(text).toContain(counter("/v1/services/:id", 200))
  expect(text).toContain(counter("/v1/services/:id", 400))
  expect(text).toContain(counter("none", 404))
  expect(text).toContain(
    `payport_http_request_duration_seconds_count{route="/v1/services/:id",method="GET"} 2`,
  )
  // Identifiers in labels would each make another series.
  expect(text).not.toContain(id)
})

test("tell of the process", async () => {
  const text = await metrics()
  expect(text).toMatch(/^payport_http_requests_in_flight 1$/m)
  expect(text).toMatch(/^payport_event_loop_delay_seconds\{quantile="0\.99"\} [\d.e-]+$/m)
  expect(text).toMatch(/^payport_memory_bytes\{kind="resident"\} \d{7,}$/m)
})
