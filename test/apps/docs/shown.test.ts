import { execFile } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { WRITTEN } from "../../../apps/docs/written.ts"
import { projectRoot, sourceText } from "../../support/sourceFiles.ts"
import { temporaryFolder } from "../server/service.ts"

const DECLARATIONS: { readonly [entry: string]: string } = {
  payport: "apps/payport/index",
  "payport/channels": "apps/payport/channels",
  "payport/memory": "apps/payport/memory",
  "payport/postgres": "apps/payport/postgres",
  "payport/sandbox": "apps/payport/sandbox",
  "payport/simulator": "simulator/index",
  "@payport/sdk/client": "adapters/http/client/entry",
  "@payport/sdk/402": "adapters/http/paid/402",
  "@payport/sdk/webhooks": "adapters/receiver/webhooks",
}

/** What readers have of their own. */
const OF_READERS = `declare const baseUrl: string, keyId: string, secret: string
declare const callbackSecret: string, secrets: ReadonlyArray<string>
declare const queue: { readonly add: (event: object) => Promise<void> }
`

const blocks = (text: string, kind: "run" | "shown"): ReadonlyArray<string> =>
  [...text.matchAll(new RegExp(`^\`\`\`ts ${kind}\\n(.*?)^\`\`\`$`, "gms"))].map(
    ([, code = ""]) => code,
  )

const guides = WRITTEN.filter(({ source }) => source.startsWith("apps/docs/guides/"))

test("the programs of all guides have sound types where types are strict", async () => {
  const folder = await temporaryFolder()
  for (const { path, source } of guides) {
    const text = await sourceText(source)
    const programs = [blocks(text, "run").join("\n"), ...blocks(text, "shown")]
    for (const [at, program] of programs.entries()) {
      const file = join(folder, `${path.replaceAll("/", "-")}-${at}.ts`)
      await writeFile(file, `${program}\nexport {}\n`)
    }
  }
  const paths = Object.entries(DECLARATIONS).map(([entry, file]) => [
    entry,
    [join(projectRoot, "dist", `${file}.d.ts`)],
  ])
  const compilerOptions = {
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    types: ["node"],
    typeRoots: [join(projectRoot, "node_modules/@types")],
    module: "esnext",
    moduleResolution: "bundler",
    paths: Object.fromEntries(paths) as object,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
  }
  await writeFile(join(folder, "readers.d.ts"), OF_READERS)
  await writeFile(join(folder, "package.json"), `{ "type": "module" }`)
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] }),
  )
  const tsc = join(projectRoot, "node_modules/.bin/tsc")
  const said = await promisify(execFile)(tsc, ["--pretty", "false", "-p", folder]).then(
    () => "",
    (error: { readonly stdout: string }) => error.stdout,
  )
  expect(said).toBe("")
}, 120_000)

test("the receiver of webhooks survives a body that is too long", async () => {
  const [code = ""] = blocks(await sourceText("apps/docs/guides/webhooks.md"), "shown")
  const entry = pathToFileURL(join(projectRoot, "adapters/receiver/webhooks.ts")).href
  const program = code
    .replace('"@payport/sdk/webhooks"', JSON.stringify(entry))
    .replace("createServer(async", "export const server = createServer(async")
    .replace(".listen(3000)", '.listen(0, "127.0.0.1")')
  const file = join(await temporaryFolder(), "receiver.ts")
  const readers = `const secrets = ["whsec_1"], queue = { add: async () => undefined }\n`
  await writeFile(file, readers + program)
  const { server } = (await import(file)) as { readonly server: Server }
  onTestFinished(() => void server.close())
  if (!server.listening) await once(server, "listening")
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const body = "a".repeat(2_000_000)
  expect((await fetch(url, { method: "POST", body })).status).toBe(413)
})
