import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { WRITTEN } from "../../../apps/docs/written.ts"
import { ADMIN_KEY, type App, startApp } from "../../support/app.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import { temporaryFolder } from "../server/service.ts"

const ENTRIES: { readonly [entry: string]: string } = {
  payport: "apps/payport/index.ts",
  "payport/memory": "apps/payport/memory.ts",
  "payport/sandbox": "apps/payport/sandbox.ts",
  "payport/simulator": "simulator/index.ts",
  "@payport/sdk/client": "adapters/http/client/entry.ts",
  "@payport/sdk/402": "adapters/http/paid/402.ts",
  "@payport/sdk/webhooks": "adapters/receiver/webhooks.ts",
}

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const body = { plan: "enterprise" }
  await app.call("PATCH", `/v1/accounts/${app.seller.id}`, { key: ADMIN_KEY, body })
})
beforeEach(() => {
  vi.stubEnv("PAYPORT_URL", app.url)
  vi.stubEnv("PAYPORT_SELLER_KEY", app.seller.api_key.key)
  vi.stubEnv("PAYPORT_BUYER_KEY", app.buyer.api_key.key)
  vi.stubEnv("PAYPORT_BUYER_AGENT", "agent-of-the-buyer")
})
afterAll(() => app.stop())

const guides = WRITTEN.filter(({ source }) => source.startsWith("apps/docs/guides/"))

/** The blocks of a guide that are run, in their order, as one text. */
const blocks = (text: string, language: string): string =>
  [...text.matchAll(new RegExp(`^\`\`\`${language} run\\n(.*?)^\`\`\`$`, "gms"))]
    .map(([, code = ""]) => code)
    .join("\n")

const entryPath = (entry: string): string => {
  const path = ENTRIES[entry]
  if (path === undefined) throw new Error(`${entry} is no entry that guides may import here.`)
  return pathToFileURL(join(projectRoot, path)).href
}

/** Runs a program; returns its output, and the output that its comments state. */
const runProgram = async (code: string, name: string) => {
  const file = join(await temporaryFolder(), `${name}.ts`)
  const linked = code.replaceAll(
    /from "(@?payport[\w/]*)"/g,
    (_, entry: string) => `from "${entryPath(entry)}"`,
  )
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, linked)
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await import(file)
  const said = log.mock.calls.map(([value]) => String(value))
  log.mockRestore()
  const meant = [...code.matchAll(/^\s*console\.log\(.*\) \/\/ (.*)$/gm)].map(([, text]) => text)
  return { said, meant }
}

const runShell = async (code: string) => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, ".payport"))
  await writeFile(join(folder, ".payport/demo-seller.key"), app.seller.api_key.key)
  await writeFile(join(folder, ".payport/demo-buyer.key"), app.buyer.api_key.key)
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`
  const script = code.replaceAll("http://127.0.0.1:4020", app.url)
  return promisify(execFile)("bash", ["-c", script], { cwd: folder, env: { ...process.env, PATH } })
}

/** The output of the guides' commands, line by line. */
const PRINTED: { readonly [source: string]: ReadonlyArray<RegExp> } = {
  "apps/docs/guides/index.md": [/"status":"ok"/],
  "apps/docs/guides/api.md": [/^3\.1\.\d$/],
  "apps/docs/guides/start.md": [
    /^active$/,
    /\/pay\/pi_/,
    /^authorized$/,
    /^captured$/,
    /^succeeded$/,
  ],
  "apps/docs/guides/reliability.md": [/^1$/, /^2$/],
  "apps/docs/guides/agents.md": [/\btools\b/],
}

describe.each(guides)("the guide $title", ({ path, source }) => {
  test("begins with something that runs, and all of it does what it says", async () => {
    const text = await sourceText(source)
    const infos = [...text.matchAll(/^```(\w+ \w+|\w*)$/gm)].map(([, info = ""]) => info)
    const named = infos.filter((info) => info !== "")
    expect(named.filter((info) => !/^(?:bash|ts) (?:run|shown|install|start)$/.test(info))).toEqual(
      [],
    )
    const first = named.filter((info) => !/ (?:install|start)$/.test(info))[0]
    expect(first).toMatch(/ run$/)

    const shell = blocks(text, "bash")
    if (shell !== "") {
      const { stderr, stdout } = await runShell(shell)
      expect(stderr).toBe("")
      const lines = stdout.trimEnd().split("\n")
      const expected = PRINTED[source] ?? []
      const flaws = lines.filter((line, n) => expected[n]?.test(line) !== true)
      expect([flaws, lines.length]).toEqual([[], expected.length])
    }
    const program = blocks(text, "ts")
    if (program !== "") {
      const { meant, said } = await runProgram(program, path.replaceAll("/", "-"))
      expect(said.length).toBeGreaterThan(0)
      expect(said).toEqual(meant)
    }
  })
})
