import { execFileSync, spawn } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { help } from "../../apps/server/settings.ts"
import { freePort } from "../support/freePort.ts"
import { projectRoot, sourceFiles, sourceText } from "../support/sourceFiles.ts"
import { startOn, temporaryFolder } from "./server/service.ts"

const [readme, tour, settings, contributing] = await Promise.all([
  sourceText("README.md"),
  sourceText("apps/server/guides/tour.md"),
  sourceText("apps/server/guides/settings.md"),
  sourceText("CONTRIBUTING.md"),
])

/** The lines that a reader pastes, in their order. */
const walkthrough = [...tour.matchAll(/^```bash walkthrough\n(.*?)^```$/gms)]
  .map(([, lines = ""]) => lines)
  .join("")

/** Everything that they print, in no time order between the shell and the receiver. */
const SHOWN = [
  /^active$/,
  /^Paper summaries$/,
  /^svc:\/\/pay\/pi_[0-9a-f-]{36}\?channel=wallet_a$/,
  /^scanning$/,
  /^authorized$/,
  /^captured$/,
  /^succeeded$/,
  /^true$/,
  /^499$/,
  /^succeeded$/,
  /^read:detail$/,
  /^\S+:\/\/\S*pi_[0-9a-f-]{36}\S*$/,
  /^completed$/,
  /^active$/,
  /^completed$/,
  /^true$/,
  /^true$/,
  /^payment_required$/,
  /^authorized$/,
  /^true$/,
  /^402$/,
  /^verified$/,
  /^100$/,
  /^active$/,
  /^active$/,
  /^completed$/,
  /^paid$/,
  /^cancelled$/,
  /^Pay once: "Paper summaries",Subscribe: "Paper club"$/,
  /^svc:\/\/pay\/pi_[0-9a-f-]{36}\S*$/,
  /^300$/,
  /^confirmation$/,
  /^pay_payment_intent$/,
  /^voided$/,
  /^[1-9]\d*$/,
  /^expired$/,
]
const RECEIVED = [
  ...Array.from({ length: 5 }, () => "payment_intent.succeeded signed"),
  ...Array.from({ length: 3 }, () => "payment_intent.expired signed"),
  "payment_intent.cancelled signed",
  "revocation.succeeded signed",
  "revocation.batch.completed signed",
]
const isReceived = (line: string): boolean => / (signed|FORGED)$/.test(line)

const missing = ["bash", "curl"].filter((program) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" })
    return false
  } catch {
    return true
  }
})

/** Runs the script in one shell, with this Node as `node`, until all that it started has ended. */
const paste = async (script: string, folder: string) => {
  const shell = spawn("bash", ["-c", script], {
    cwd: folder,
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}` },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  })
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid ?? 0), "SIGKILL")
    } catch {
      // It has ended, as it should.
    }
  })
  let stdout = ""
  let stderr = ""
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text))
  shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text))
  const code = await new Promise((resolve) => shell.once("close", resolve))
  return { code, stderr, lines: stdout.split("\n").filter((line) => line !== "") }
}

/** The block of code with this name. */
const block = (name: string): string =>
  new RegExp(`^\`\`\`${name}\\n(.*?)^\`\`\`$`, "ms").exec(readme)?.[1] ?? ""

describe("README", () => {
  test("is read in a minute", () => {
    expect(readme.split(/\s+/).length).toBeLessThan(800)
    expect(readme.split("\n").filter((line) => [...line].length > 120)).toEqual([])
  })

  test("embeds payport by what a reader pastes", async () => {
    const source = block("ts embedding").replaceAll(
      /from "payport(\/\w+)?"/g,
      (_, entry = "/index") =>
        `from ${JSON.stringify(join(projectRoot, `apps/payport${String(entry)}.ts`))}`,
    )
    expect(source.split("\n").length).toBeLessThan(18)
    const file = join(await temporaryFolder(), "embedding.mts")
    await writeFile(file, source)
    expect(execFileSync(process.execPath, [file], { encoding: "utf8" })).toBe("active\n")
  })

  test.skipIf(missing.length > 0)("creates a payment by three curls", async () => {
    const folder = await temporaryFolder()
    const service = await startOn(join(folder, ".payport"))
    const script = block("bash three curls").replaceAll("http://127.0.0.1:4020", service.url)
    const { lines } = await paste(script, folder)
    expect(JSON.parse(lines.join(""))).toMatchObject({ status: "pending", channel: "wallet_a" })
  })

  test("has programs to be run with", ({ skip }) => {
    const said = `The walkthrough was not run: ${missing.join(" and ")} cannot be found.`
    if (process.env["CI"] !== undefined) expect(missing, said).toEqual([])
    if (missing.length > 0) skip(said)
  })

  test.skipIf(missing.length > 0)(
    "takes a payment through its life by what a reader pastes",
    { timeout: 180_000 },
    async () => {
      expect(walkthrough).not.toBe("")
      const folder = await temporaryFolder()
      const service = await startOn(join(folder, ".payport"))
      expect(walkthrough).toContain("http://127.0.0.1:4020")
      expect(walkthrough.match(/\b3999\b/g)).toHaveLength(3)
      const script = walkthrough
        .replaceAll("http://127.0.0.1:4020", service.url)
        .replaceAll(/\b3999\b/g, String(await freePort()))
      // A second run finds the data of the first.
      for (const run of ["first", "second"]) {
        const { lines, stderr } = await paste(script, folder)
        const received = lines.filter(isReceived)
        const shown = lines.filter((line) => !isReceived(line))
        expect(stderr, run).toBe("")
        const matched = shown.map((line, n) => (SHOWN[n]?.test(line) === true ? SHOWN[n] : line))
        expect(matched, run).toEqual(SHOWN)
        expect(received.toSorted(), run).toEqual(RECEIVED.toSorted())
      }
    },
  )

  test("lists the settings that there are", () => {
    const names = (text: string) => [...new Set(text.match(/\bPAYPORT_[A-Z_]+\b/g))].toSorted()
    const listed = settings.split("\n").map((line) => /^\| (`PAYPORT_[^|]*)/.exec(line)?.[1] ?? "")
    expect(names(listed.join(" "))).toEqual(names(help))
  })

  test("names folders and files that there are", async () => {
    const files = await sourceFiles()
    const [, shape = ""] = /\n## The shape\n(.*?)\n## /s.exec(contributing) ?? []
    const rows = shape.split("\n").filter((line) => line.startsWith("| "))
    const named = rows.flatMap((row) => {
      const [first, ...others] = (/\|[^|]*\|(.*)\|/.exec(row)?.[1] ?? "").match(/`[^`]+`/g) ?? []
      const path = first?.slice(1, -1) ?? ""
      const folder = path.slice(0, path.lastIndexOf("/") + 1)
      const beside = others
        .map((other) => other.slice(1, -1))
        .map((name) => (name.includes("/") ? name : folder + name))
      return path === "" ? [] : [path, ...beside]
    })
    expect(named.length).toBeGreaterThan(8)
    const known = (path: string) => files.some((file) => file === path || file.startsWith(path))
    expect(named.filter((path) => !known(path))).toEqual([])
    const links = [readme, tour, settings].flatMap((text) => [
      ...text.matchAll(/`((?:adapters|core|apps|test|simulator)\/[^`\s]*)`|\]\(([^)]+)\)/g),
    ])
    const paths = links.map(([, code, link]) => code ?? link ?? "")
    expect(paths.length).toBeGreaterThan(10)
    expect(paths.filter((path) => !known(path))).toEqual([])
  })

  test("names npm scripts that there are", async () => {
    const { scripts } = JSON.parse(await sourceText("package.json")) as { scripts: object }
    const named = [...readme.matchAll(/\bnpm (?:run )?(start|test|packages|databases)\b/g)]
    expect(named.length).toBeGreaterThan(3)
    expect(named.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([])
  })
})
