import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../../support/app.ts"
import { CLIENTS, connected } from "./clients.ts"

let app: App
let weather: string
let maps: string
let papers: string
const buyerKey = () => app.buyer.api_key.key
beforeAll(async () => {
  app = await startApp()
  weather = await activeService(app, { name: "Filtered weather", tags: ["Weather", "daily"] })
  maps = await activeService(app, { name: "Filtered maps", tags: ["maps"] })
  papers = await activeService(app, { name: "Filtered papers", tags: ["daily"] })
  for (const id of [maps, papers]) {
    const body = { agent_id: "agent-of-the-buyer" }
    await app.call("POST", `/v1/services/${id}/installs`, { key: buyerKey(), body })
  }
})
afterAll(() => app.stop())

describe.each(CLIENTS)("the list of $client in $revision", ({ connect }) => {
  test.each([
    ["", () => [weather, maps, papers]],
    ["?tag=weather", () => [weather]],
    ["?tag=DAILY", () => [weather, papers]],
    ["?tag=unknown", () => []],
    ["?installed", () => [maps, papers]],
    ["?installed=true&tag=daily", () => [papers]],
    ["?ids=IDS", () => [weather, papers]],
    ["?ids=IDS&installed", () => [papers]],
    ["?ids=01997d3e-8a00-7000-8000-00000000ffff", () => []],
  ] as const)("is narrowed by %j", async (query, expected) => {
    const asked = query.replace("IDS", `${papers},${weather.toUpperCase()}`)
    const agent = await connected(connect, app, buyerKey(), `/mcp${asked}`)
    const { tools } = await agent.page()
    const ids = expected().map((id) => `${id}__pay_one_time`)
    expect(tools.map(({ name }) => name)).toStrictEqual(ids.toSorted())
  })

  test("of what is installed has only the services of a restricted key", async () => {
    const body = { restrictions: { services: [papers, weather], routes: ["read"] } }
    const { json } = await app.call("POST", "/v1/api-keys", { key: buyerKey(), body })
    const agent = await connected(connect, app, String(json["key"]), "/mcp?installed")
    const { tools } = await agent.page()
    expect(tools.map(({ name }) => name)).toStrictEqual([`${papers}__pay_one_time`])
  })

  test("of what is installed needs a key", async () => {
    const agent = await connected(connect, app, null, "/mcp?installed")
    await expect(agent.page()).rejects.toThrow(/401|unauthor/i)
  })
})

test.each(["?tags=weather", "?tag=", "?installed=no", "?ids=", "?ids=x", "?tag=a&tag=b"])(
  "another parameter is refused: %j",
  async (query) => {
    const response = await fetch(`${app.url}/mcp${query}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/list" }),
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      id: 7,
      error: { data: { code: "INVALID_QUERY" } },
    })
  },
)

test.each(CLIENTS)("a filter is of the list alone: $client in $revision", async ({ connect }) => {
  const agent = await connected(connect, app, buyerKey(), "/mcp?tag=weather")
  const called = await agent.call(`${maps}__pay_one_time`, { manifest_id: maps })
  expect(called.structured).toMatchObject({ service_id: maps, status: "pending" })
})
