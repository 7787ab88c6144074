import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { text } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { readOptions } from "../../../apps/mcp-stdio/options.ts"
import { activeService, type App, enlarge, startApp } from "../../support/app.ts"
import { freePort } from "../../support/freePort.ts"
import { Listening } from "../../support/listening.ts"
import { program } from "../../support/programs.ts"
import { projectRoot } from "../../support/sourceFiles.ts"
import { temporaryFolder } from "../server/service.ts"

type Environment = { readonly [name: string]: string }

const spoken = (environment: Environment) => ({
  command: process.execPath,
  args: [program("mcp")],
  cwd: projectRoot,
  env: { PATH: process.env["PATH"] ?? "", ...environment },
  stderr: "ignore" as const,
})

const WHO = { name: "test", version: "1.0.0" }

const changesOf = () => {
  let count = 0
  const tools = { autoRefresh: false, debounceMs: 0, onChanged: () => void count++ }
  return { listChanged: { tools }, count: () => count }
}

const connectNew = async (environment: Environment, mode: "legacy" | { readonly pin: string }) => {
  const { count, listChanged } = changesOf()
  const client = new Client(WHO, { listChanged, versionNegotiation: { mode } })
  await client.connect(new StdioClientTransport(spoken(environment)))
  onTestFinished(() => client.close())
  return { client, count, revision: client.getNegotiatedProtocolVersion() }
}

const connectOld = async (environment: Environment) => {
  const { count, listChanged } = changesOf()
  const client = new OldClient(WHO, { listChanged })
  await client.connect(new OldTransport(spoken(environment)))
  onTestFinished(() => client.close())
  return { client, count, revision: "2025-11-25" }
}

const CLIENTS = [
  { client: "1.x", revision: "2025-11-25", open: connectOld },
  {
    client: "2.x",
    revision: "2025-11-25",
    open: (environment: Environment) => connectNew(environment, "legacy"),
  },
  {
    client: "2.x",
    revision: "2026-07-28",
    open: (environment: Environment) => connectNew(environment, { pin: "2026-07-28" }),
  },
] as const

const textOf = ({ content }: { readonly [name: string]: unknown }) =>
  JSON.parse((content as ReadonlyArray<{ readonly text: string }>)[0]?.text ?? "{}") as object

describe("on stdio, beside a running service", { timeout: 120_000 }, () => {
  let app: App
  const ids: Array<string> = []
  beforeAll(async () => {
    app = await startApp()
    await enlarge(app, app.seller.id)
    for (let n = 0; n < 101; n++) ids.push(await activeService(app, { name: `Service ${n}` }))
  }, 120_000)
  afterAll(() => app.stop())

  test.for(CLIENTS)(
    "$client in $revision lists, pages, calls and hears of changes",
    async (row) => {
      const environment = { PAYPORT_URL: app.url, PAYPORT_API_KEY: app.buyer.api_key.key }
      const { client, count, revision } = await row.open(environment)
      expect(revision).toBe(row.revision)
      const first = await client.listTools({})
      const cursor = first.nextCursor ?? ""
      const listed = row.client === "1.x" ? [first, await client.listTools({ cursor })] : [first]
      const names = listed.flatMap(({ tools }) => tools.map(({ name }) => name))
      expect(names).toStrictEqual(expect.arrayContaining(ids.map((id) => `${id}__pay_one_time`)))
      const [id = ""] = ids
      const args = { manifest_id: id, metadata: { by: `${row.client} ${row.revision}` } }
      const paid = await client.callTool({ name: `${id}__pay_one_time`, arguments: args })
      expect(paid.structuredContent).toMatchObject({ status: "pending", service_id: id })
      const bad = await client.callTool({
        name: `${id}__pay_one_time`,
        arguments: { manifest_id: id, amount: -1 },
      })
      expect(bad.isError).toBe(true)
      expect(textOf(bad)).toMatchObject({ code: "INVALID_AMOUNT" })
      const unpaid = await client.callTool({
        name: `${id}__pay_one_time`,
        arguments: { manifest_id: id },
        _meta: { "x402/payment": { x402Version: 2, payload: {} } },
      })
      expect(textOf(unpaid)).toMatchObject({ error: "invalid_payload", accepts: [{ payTo: id }] })
      expect(unpaid._meta?.["x402/payment-response"]).toMatchObject({ success: false })
      await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toMatchObject({
        code: -32_602,
      })
      const added = await activeService(app, { name: `Added for ${row.client} ${row.revision}` })
      await vi.waitFor(() => expect(count()).toBeGreaterThan(0), { timeout: 15_000 })
      await app.call("PATCH", `/v1/services/${added}/pause`)
    },
  )

  test("a call without a key, and with a wrong one, is the tool's refusal", async () => {
    const [id = ""] = ids
    const call = { name: `${id}__pay_one_time`, arguments: { manifest_id: id } }
    for (const [key, code] of [
      [`ag_sk_test_${"x".repeat(43)}`, "INVALID_API_KEY"],
      ["", "UNAUTHORIZED"],
    ] as const) {
      const folder = await temporaryFolder()
      const said = { PAYPORT_URL: app.url, PAYPORT_API_KEY: key, PAYPORT_DATA_DIR: folder }
      const { client } = await connectNew(said, { pin: "2026-07-28" })
      const refused = await client.callTool(call)
      expect(refused.isError).toBe(true)
      expect(textOf(refused)).toMatchObject({ error: "authentication_error", code })
    }
  })

  test("what a script has asked is answered after it has closed its end", async () => {
    const messages = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: WHO },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/list", params: {} },
    ]
    const { args, command, ...options } = spoken({
      PAYPORT_URL: app.url,
      PAYPORT_API_KEY: app.buyer.api_key.key,
    })
    // The service is in this process, which has to go on meanwhile.
    const script = spawn(command, args, { ...options, stdio: ["pipe", "pipe", "ignore"] })
    const ended = once(script, "close")
    const input = messages.map((each) => `${JSON.stringify({ jsonrpc: "2.0", ...each })}\n`)
    script.stdin.end(input.join(""))
    const lines = (await text(script.stdout)).trim().split("\n")
    const answers = lines.map(
      (line) => JSON.parse(line) as { id: number; result?: { tools?: ReadonlyArray<object> } },
    )
    expect([await ended, answers.map(({ id }) => id)]).toEqual([
      [0, null],
      [1, 2],
    ])
    expect(answers[1]?.result?.tools?.length).toBeGreaterThan(0)
  })

  test("where nothing answers at the address that was asked for, that is said", async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const { client } = await connectNew({ PAYPORT_URL: url }, "legacy")
    await expect(client.listTools({})).rejects.toThrow(`No payport answers at ${url}`)
    const [id = ""] = ids
    const refused = await client.callTool({ name: `${id}__pay_one_time`, arguments: {} })
    expect(textOf(refused)).toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" })
  })
})

describe.each([
  ["2025-11-25", "legacy"],
  ["2026-07-28", { pin: "2026-07-28" }],
] as const)("on stdio, in the revision %s", (_, mode) => {
  test("a call that is cancelled ends at the service, too", { timeout: 60_000 }, async () => {
    const servers = new Listening()
    onTestFinished(() => servers.close())
    let [calls, closed] = [0, 0]
    const url = await servers.open((req, res) => {
      if (req.headers["mcp-method"] === "tools/call") {
        calls += 1
        res.once("close", () => (closed += 1))
      } else res.destroy()
    })
    const { client } = await connectNew({ PAYPORT_URL: url, PAYPORT_API_KEY: "k" }, mode)
    const cancelling = new AbortController()
    const call = client.callTool({ name: "get_payment" }, { signal: cancelling.signal })
    call.catch(() => {})
    await vi.waitFor(() => expect(calls).toBe(1), 10_000)
    expect(closed).toBe(0)
    cancelling.abort()
    await vi.waitFor(() => expect(closed).toBe(1), 10_000)
    await expect(call).rejects.toThrow()
  })
})

describe("on stdio, alone", { timeout: 180_000 }, () => {
  test("a sandbox starts along, with a buyer's key, and ends along", async () => {
    const port = await freePort()
    const environment = {
      PAYPORT_PORT: String(port),
      PAYPORT_DATA_DIR: await temporaryFolder(),
    }
    const { client } = await connectNew(environment, { pin: "2026-07-28" })
    expect((await client.listTools({})).tools).toStrictEqual([])
    const beside = await connectOld(environment)
    expect((await beside.client.listTools({})).tools).toStrictEqual([])
    const healthy = () => fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok)
    expect(await healthy()).toBe(true)
    await client.close()
    await vi.waitFor(() => expect(healthy()).rejects.toThrow(), { timeout: 20_000 })
  })
})

describe("what it is told", () => {
  test.for([
    [{ PAYPORT_URL: "ftp://127.0.0.1" }, "PAYPORT_URL"],
    [{ PAYPORT_URL: "http://user:secret@127.0.0.1" }, "PAYPORT_URL"],
    [{ PAYPORT_PORT: "70000" }, "PAYPORT_PORT"],
    [{ PAYPORT_PORT: "a-port" }, "PAYPORT_PORT"],
    [{ PAYPORT_API_KEY: "two words" }, "PAYPORT_API_KEY"],
  ] as const)("%j cannot be", ([environment, name]) => {
    expect(() => readOptions(environment)).toThrow(name)
    const ended = spawnSync(process.execPath, [program("mcp")], {
      cwd: projectRoot,
      env: { PATH: process.env["PATH"] ?? "", ...environment },
      encoding: "utf8",
      input: "",
    })
    expect([ended.status, ended.stdout]).toEqual([2, ""])
    expect(ended.stderr).toContain(name)
    expect(ended.stderr).not.toContain("secret")
  })

  test("this machine's demo key goes to no other machine", async () => {
    const folder = await temporaryFolder()
    await writeFile(`${folder}/demo-buyer.key`, "ag_sk_test_demo\n")
    const keyAt = (PAYPORT_URL: string) =>
      readOptions({ PAYPORT_URL, PAYPORT_DATA_DIR: folder }).key()
    expect(await keyAt("http://127.0.0.1:4020")).toBe("ag_sk_test_demo")
    expect(await keyAt("http://localhost:9")).toBe("ag_sk_test_demo")
    expect(await keyAt("https://pay.example")).toBeUndefined()
    expect(await keyAt("http://localhost.evil.example")).toBeUndefined()
  })

  test("help is a page", () => {
    const { status, stdout } = spawnSync(process.execPath, [program("mcp"), "--help"], {
      cwd: projectRoot,
      encoding: "utf8",
    })
    expect(status).toBe(0)
    expect(stdout).toContain("PAYPORT_API_KEY")
  })
})
