import { Effect, Exit, Scope } from "effect"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { CLIENTS } from "../adapters/mcp/clients.ts"
import { urlOf } from "../support/askDatabase.ts"
import { testDatabase } from "../support/postgres.ts"
import { call, openShop } from "../support/shop.ts"
import { preparedFolder, type Running, startOn, stop, temporaryFolder } from "./server/service.ts"

/** An address where nothing listens. */
const NOBODY = "http://127.0.0.1:9/hooks"

/** Two processes of the service on one database. */
const startTwo = async (): Promise<readonly [Running, Running]> => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const folder = await temporaryFolder()
  const settings = { PAYPORT_DATABASE_URL: urlOf(database) }
  const one = await startOn(folder, settings)
  return [one, await startOn(folder, settings)]
}

const agentsOf = ({ buyerKey, url }: Running) =>
  Promise.all(
    CLIENTS.map(async ({ connect }) => {
      const agent = await connect(`${url}/mcp`, buyerKey)
      onTestFinished(() => agent.close())
      return agent
    }),
  )

describe("agents of two processes", { timeout: 120_000 }, () => {
  test("hear of changes, pay once together, and keep no stop waiting", async () => {
    const [one, two] = await startTwo()
    const agents = await agentsOf(two)
    const shop = await openShop(one, NOBODY)
    const move = (action: string) =>
      call(one, "seller", { method: "PATCH", path: `/v1/services/${shop}/${action}` })
    const name = `${shop}__pay_one_time`

    // Streams open after their clients are connected: what is changed until then may be missed.
    await vi.waitFor(
      async () => {
        await move("pause")
        await move("resume")
        await vi.waitFor(
          () => {
            for (const agent of agents) expect(agent.changes()).toBeGreaterThan(0)
          },
          { timeout: 2_500 },
        )
      },
      { timeout: 60_000, interval: 1_500 },
    )
    for (const agent of agents) {
      const { tools } = await agent.page()
      expect(tools.map((tool) => tool.name)).toStrictEqual([name])
    }
    const before = agents.map((agent) => agent.changes())
    await move("pause")
    await vi.waitFor(
      () => {
        for (const [n, agent] of agents.entries()) {
          expect(agent.changes()).toBeGreaterThan(before[n] ?? 0)
        }
      },
      { timeout: 30_000 },
    )
    for (const agent of agents) expect((await agent.page()).tools).toStrictEqual([])
    await move("resume")

    // All agents ask at the same time, at both processes, in different words: it is one purchase.
    const everybody = [...agents, ...(await agentsOf(one))]
    const calls = Array.from({ length: 4 }, () => everybody)
      .flat()
      .map((agent, n) =>
        agent.call(name, { manifest_id: shop, amount: 1, description: `In words ${n}` }),
      )
    const answers = await Promise.all(calls)
    const ids = answers.map((answer) => answer.structured?.["id"])
    expect(new Set(ids).size).toBe(1)
    expect(String(ids[0])).toMatch(/^pi_/)
    const listed = await call(one, "buyer", { method: "GET", path: "/v1/payment-intents" })
    expect(listed.body["data"]).toHaveLength(1)

    // Their streams are still open.
    const began = performance.now()
    expect(await Promise.all([stop(one), stop(two)])).toEqual([0, 0])
    expect(performance.now() - began).toBeLessThan(9_000)
  })
})

const ADMIN_KEY = "the-operator-of-the-agents"

describe("calls of agents", { timeout: 120_000 }, () => {
  test("over the limit of their plan are refused as over HTTP, by the tool", async () => {
    const service = await startOn(await preparedFolder(), { PAYPORT_ADMIN_KEY: ADMIN_KEY })
    const shop = await openShop(service, NOBODY)
    const post = (path: string, key: string, body: object) =>
      fetch(service.url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    const account = { name: "Eager", kind: "buyer", agent_id: "eager-agent", plan: "starter" }
    const opened = await post("/v1/accounts", ADMIN_KEY, account)
    const { api_key } = (await opened.json()) as { readonly api_key: { readonly key: string } }
    const ask = async (key: string, amount: number) => {
      const given = { manifest_id: shop, amount }
      const params = { name: `${shop}__pay_one_time`, arguments: given }
      const answer = await post("/mcp", key, {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params,
      })
      return { status: answer.status, headers: answer.headers, text: await answer.text() }
    }
    const first = await ask(api_key.key, -1)
    const limit = Number(first.headers.get("ratelimit-limit"))
    expect(limit).toBeGreaterThan(10)
    const { refused, over } = await vi.waitFor(
      async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ask(api_key.key, -1)))
        const found = answers.find(({ text }) => text.includes("RATE_LIMIT_EXCEEDED"))
        if (found === undefined) throw new Error("not yet")
        const again = await fetch(`${service.url}/v1/channels`, {
          headers: { authorization: `Bearer ${api_key.key}` },
        })
        expect(again.status).toBe(429)
        return { refused: found, over: await again.text() }
      },
      { timeout: 60_000, interval: 1 },
    )
    const { result } = JSON.parse(refused.text) as {
      readonly result: {
        readonly isError: boolean
        readonly content: ReadonlyArray<{ readonly text: string }>
      }
    }
    expect([refused.status, result.isError]).toStrictEqual([200, true])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused.headers.get("ratelimit-remaining")).toBe("0")
    const said = (text: string) => {
      const { code, message } = JSON.parse(text) as { readonly [field: string]: string }
      return [code, message?.replaceAll(/\d+/g, "n")]
    }
    expect(said(result.content[0]?.text ?? "")).toStrictEqual(said(over))
    // Other accounts' calls are theirs.
    expect((await ask(service.buyerKey, 1)).text).toContain("deeplink")
    await stop(service)
  })
})
