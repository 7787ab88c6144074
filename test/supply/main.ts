import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { judge } from "./AuditReport.ts"

/** The file of the bill of materials. */
const SBOM = "dist/sbom.cdx.json"

/** How long npm may take, in milliseconds. */
const PATIENCE = 120_000

/** Returns npm's output with any exit code: it exits with 1 if it has found something. */
const npm = (...args: ReadonlyArray<string>): Promise<string> =>
  new Promise((resolve) => {
    const options = { timeout: PATIENCE, maxBuffer: 64 * 1024 * 1024, encoding: "utf8" } as const
    execFile("npm", args, options, (_error, stdout) => resolve(stdout))
  })

const say = (text: string) => process.stdout.write(`${text}\n`)

/** Writes the bill of materials of the installed service. */
const writeSbom = async (): Promise<boolean> => {
  const text = await npm("sbom", "--sbom-format", "cyclonedx", "--omit", "dev")
  if (!text.includes('"bomFormat"')) {
    say("npm could not make a bill of materials: run npm ci first.")
    return false
  }
  await mkdir("dist", { recursive: true })
  await writeFile(SBOM, text)
  const { components = [] } = JSON.parse(text) as { components?: ReadonlyArray<unknown> }
  say(`bill of materials: ${components.length} packages in ${SBOM}`)
  return true
}

/** Asks for advisories about them. Without an answer it fails only where one is `--required`. */
const askAdvisories = async (required: boolean): Promise<boolean> => {
  const judgement = judge(await npm("audit", "--omit=dev", "--json"))
  switch (judgement.type) {
    case "clean":
      say(`advisories: none of high or critical severity in ${judgement.packages} packages`)
      return true
    case "affected":
      say(["advisories of high or critical severity:", ...judgement.lines].join("\n  "))
      return false
    case "unknown":
      say("*".repeat(78))
      say(`ADVISORIES WERE NOT CHECKED: ${judgement.reason}`)
      say("Run npm run supply -- --required where the registry of npm can be reached.")
      say("*".repeat(78))
      return !required
  }
}

const made = await writeSbom()
const asked = await askAdvisories(process.argv.includes("--required"))
process.exitCode = made && asked ? 0 : 1
