import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { spawn } from "node:child_process"
import { tmpdir } from "node:os"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { activeService, type App, startApp } from "../../support/app.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"

const guide = await sourceText("apps/server/guides/agents.md")

interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly env: { readonly [name: string]: string }
}

interface Address {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
}

type Configuration<Server> = { readonly [list: string]: { readonly [name: string]: Server } }

/** A block of JSON in the guide, as a client would read it from its file. */
const configuration = <Server>(holds: string): Configuration<Server> => {
  const blocks = [...guide.matchAll(/^```json\n(.*?)^```$/gms)].map(([, text = ""]) => text)
  const [text = "{}", ...more] = blocks.filter((block) => block.includes(holds))
  expect(more).toEqual([])
  return JSON.parse(
    text
      .replace("/path/to/payport", projectRoot)
      .replace("ag_sk_test_…", app.buyer.api_key.key)
      .replace("http://127.0.0.1:4020", app.url),
  ) as Configuration<Server>
}

let app: App
let service_id: string
beforeAll(async () => {
  app = await startApp()
  service_id = await activeService(app)
})
afterAll(() => app.stop())

const paysOnce = async (client: Client, transport: Parameters<Client["connect"]>[0]) => {
  await client.connect(transport)
  onTestFinished(() => client.close())
  const { tools } = await client.listTools({})
  expect(tools).toHaveLength(10)
  expect(tools.map(({ name }) => name)).toContain("pay")
  const paid = await client.callTool({ name: "pay", arguments: { service_id } })
  expect(paid.structuredContent).toMatchObject({ status: "pending" })
}

const aClient = () => new Client({ name: "test", version: "1.0.0" })

test("the guide configures a program that a client starts and pays by", async () => {
  const { mcpServers } = configuration<Program>('"command"')
  const { pay } = mcpServers ?? {}
  const { args = [], command = "", env } = pay ?? {}
  // Only the address differs from the README, since the default one may be taken.
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd: tmpdir(),
    env: { PATH: process.env["PATH"] ?? "", ...env, PAYPORT_URL: app.url },
    stderr: "ignore",
  })
  await paysOnce(aClient(), transport)
}, 120_000)

test("the guide configures an address that a client calls by", async () => {
  const { servers } = configuration<Address>('"url"')
  const { pay } = servers ?? {}
  const requestInit = { headers: { ...pay?.headers } }
  await paysOnce(
    aClient(),
    new StreamableHTTPClientTransport(new URL(pay?.url ?? ""), { requestInit }),
  )
})

test("the guide's command prints nothing that is not protocol", async () => {
  const line = /^codex mcp add pay .*? -- (.+)$/m.exec(guide)?.[1] ?? ""
  expect(line).toContain("npm run")
  const child = spawn("sh", ["-c", line], {
    cwd: projectRoot,
    env: { PATH: process.env["PATH"] ?? "", PAYPORT_URL: app.url },
    stdio: ["pipe", "pipe", "ignore"],
  })
  onTestFinished(() => void child.kill())
  let said = ""
  const ended = new Promise<void>((resolve) => child.stdout.once("end", resolve))
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text))
  const answered = new Promise<void>((resolve) => {
    child.stdout.on("data", () => said.includes('"id":2') && resolve())
  })
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }
  for (const message of [
    { id: 1, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/list" },
  ]) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }
  child.stdin.write("this is no message\n")
  await answered
  child.stdin.end()
  await ended
  const lines = said.trimEnd().split("\n")
  expect(lines.map((text) => (JSON.parse(text) as { readonly jsonrpc: string }).jsonrpc)).toEqual(
    lines.map(() => "2.0"),
  )
}, 120_000)
