import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { layerJsonLines, redactText } from "../../../../adapters/shared/jsonLines.ts"
import { logRequest } from "../../../../adapters/http/koa/telemetry.ts"

const written = async (effect: Effect.Effect<void>) => {
  const texts: Array<string> = []
  const layer = layerJsonLines((text) => void texts.push(text))
  await Effect.runPromise(Effect.provide(effect, layer))
  return { writes: texts.length, lines: texts.join("").trimEnd().split("\n") }
}

const KEY = `sk_test_${"a".repeat(43)}`

describe("the log", () => {
  test("is one JSON object a line, with the annotations", async () => {
    const { lines } = await written(
      Effect.annotateLogs(Effect.logInfo("request"), { status: 200, route: "/v1/services" }),
    )
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "info",
      message: "request",
      status: 200,
      route: "/v1/services",
    })
  })

  test("writes the lines of one turn together, the last ones at the end", async () => {
    const { writes, lines } = await written(
      Effect.andThen(Effect.logInfo("one"), Effect.logInfo("two\nlines")),
    )
    expect(writes).toBe(1)
    expect(lines).toHaveLength(2)
  })

  test.each([
    ["on", [200, 404, 503]],
    ["errors", [404, 503]],
    ["off", []],
  ] as const)("has lines for requests as its setting says: %s", async (access, logged) => {
    const about = { request_id: "req_1", account_id: null, method: "GET", route: "/v1/services" }
    const all = [200, 404, 503].map((status) =>
      logRequest({ ...about, status, code: null, started: 0 }, access),
    )
    const { lines } = await written(Effect.all(all, { discard: true }))
    const statuses = lines.filter(Boolean).map((line) => (JSON.parse(line) as typeof about).method)
    expect(statuses).toEqual(logged.map(() => "GET"))
    expect(lines.join("")).toMatch(new RegExp(logged.map((status) => `${status}.*`).join("")))
  })

  test.each([
    ["a seller's key", KEY],
    ["a buyer's key", `ag_${KEY}`],
    ["a webhook secret", `whsec_${"b".repeat(43)}`],
    ["a header", `Bearer ${"c".repeat(20)}`],
    ["a signature", "0123456789abcdef".repeat(4)],
    ["a password in a URL", "postgresql://payport:d3d3d3d3@db.example/payport"],
  ])("hides %s wherever it comes up", async (_name, secret) => {
    const { lines } = await written(
      Effect.logError("failed", { note: `with ${secret} in it` }, new Error(`about ${secret}`)),
    )
    expect(lines.join("\n")).toContain("[hidden]")
    expect(lines.join("\n")).not.toContain(secret)
    expect(redactText(secret)).not.toContain("d3d3d3d3")
  })

  test("hides a digest wherever in a line it begins, and no shorter run of such digits", () => {
    const digest = "0123456789abcdef".repeat(4)
    for (let before = 0; before < 200; before++) {
      const padding = "-".repeat(before)
      expect(redactText(`${padding}${digest}`)).toBe(`${padding}[hidden]`)
      expect(redactText(`${padding}${digest} x`)).toBe(`${padding}[hidden] x`)
      const shorter = `${padding}${digest.slice(1)} x`
      expect(redactText(shorter)).toBe(shorter)
    }
  })

  test("hides the values of fields with telling names, at any depth", async () => {
    const { lines } = await written(
      Effect.annotateLogs(Effect.logInfo("x"), {
        authorization: "zzzz-1",
        headers: { "x-channel-signature": "zzzz-2", accept: "shown" },
        account: { webhook_secret: "zzzz-3", api_key: { key: "zzzz-4" }, otp: "zzzz-5" },
      }),
    )
    expect(lines[0]).toContain("shown")
    expect(lines[0]).not.toContain("zzzz")
  })

  test("shows causes of failures", async () => {
    const { lines } = await written(
      Effect.catchCause(Effect.die(new Error("broken")), (cause) =>
        Effect.logError("failed", cause),
      ),
    )
    expect(JSON.parse(lines[0] ?? "")).toHaveProperty("cause", expect.stringContaining("broken"))
  })
})
