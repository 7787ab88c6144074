import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { TestContext } from "vitest"
import { projectRoot } from "../support/sourceFiles.ts"

/** Each test starts another vitest, which takes long on a busy machine. */
const PATIENCE = 120_000

const config = `
import { ClosingLine } from ${JSON.stringify(join(projectRoot, "test/support/ClosingLine.ts"))}
export default {
  test: {
    reporters: ["default", new ClosingLine()],
    include: ["*.test.ts"],
    pool: "threads",
    maxWorkers: 1,
    retry: 1,
  },
}
`

/** Runs vitest on one file and answers its exit code and the last line it printed. */
const outcome = async (
  text: string,
  { onTestFinished }: TestContext,
): Promise<{ ok: boolean; last: string; output: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-closing-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction")
  await writeFile(join(folder, "vitest.config.mjs"), config)
  await writeFile(
    join(folder, "one.test.ts"),
    `import { describe, expect, it } from "vitest"\nexpect(describe).toBeDefined()\n${text}\n`,
  )
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs")
  return new Promise((settle) => {
    execFile(process.execPath, [vitest, "run"], { cwd: folder }, (error, stdout) => {
      const last = stdout.trimEnd().split("\n").at(-1) ?? ""
      settle({ ok: error === null, last, output: stdout })
    })
  })
}

const pass = `it("passes", () => expect(1).toBe(1))`
const fail = `it("fails", () => expect(1).toBe(2))`
const skip = `\nit.skip("waits", () => expect(1).toBe(1))`
const escape = `it("passes", async () => {
  setTimeout(() => { throw new Error("no") })
  await new Promise((done) => setTimeout(done, 50))
})`

describe.concurrent("closing line", { timeout: PATIENCE }, () => {
  test.for([
    { when: "all pass", text: pass, ok: true, last: "1 passed, 0 failed" },
    { when: "one waits", text: pass + skip, ok: true, last: "1 passed, 0 failed, 1 skipped" },
    { when: "one fails", text: `${pass}\n${fail}`, ok: false, last: "1 passed, 1 failed" },
    { when: "all wait", text: skip, ok: false, last: "0 passed, 1 failed, 1 skipped" },
    { when: "there are none", text: "", ok: false, last: "0 passed, 1 failed" },
    { when: "a file breaks", text: `${pass}\nthrow 1`, ok: false, last: "0 passed, 1 failed" },
    { when: "an error escapes", text: escape, ok: false, last: "1 passed, 1 failed" },
  ])("when $when", async ({ text, ok, last }, context) => {
    expect(await outcome(text, context)).toMatchObject({ ok, last })
  })

  test("names a test that passes at its second try", async (context) => {
    const text = `let tries = 0\nit("is late once", () => expect((tries += 1)).toBe(2))\n${pass}`
    const { ok, output } = await outcome(text, context)
    expect(ok).toBe(true)
    expect(output).toContain(
      "Unstable: passed at the second try\n  one.test.ts > is late once\n    expected 1 to be 2",
    )
    expect(output.trimEnd()).toMatch(/\n\n2 passed, 0 failed$/)
  })
})

/** Runs `.ci/run` with a substitute for npm, of which one command fails or prints nothing. */
const ciRun = async (
  failing: string,
  { onTestFinished }: TestContext,
): Promise<{ ok: boolean; last: string; calls: ReadonlyArray<string> }> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-ci-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const npm = `#!/bin/sh
echo "$@" >> "${folder}/calls"
case "$*" in
  test) echo "7 passed, 0 failed" ;;
  "run pages") echo "2 passed, 0 failed, 1 skipped" ;;
  *) echo "$1 has run" ;;
esac
[ "$*" != "${failing}" ]
`
  await writeFile(join(folder, "npm"), npm, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` }
  return new Promise((settle) => {
    execFile(join(projectRoot, ".ci/run"), { env }, (error, stdout) => {
      const calls = readFileSync(join(folder, "calls"), "utf8").trimEnd().split("\n")
      settle({ ok: error === null, last: stdout.trimEnd().split("\n").at(-1) ?? "", calls })
    })
  })
}

describe.concurrent("a run of everything", () => {
  const first = ["ci", "test", "run build", "run chaos:short"]
  const packages = "run packages"
  const mutants = "run mutants -- --sample 20"
  const databases = "run databases -- --only 15"
  const beside = ["run pages", "run supply"] as const
  const [pages, supply] = beside
  const rows = [mutants, databases, packages]
  const all = [...first, ...rows, ...beside]
  const both = "9 passed, 1 failed, 1 skipped"
  const tests = "7 passed, 1 failed"
  test.for([
    { failing: "nothing", ok: true, last: "9 passed, 0 failed, 1 skipped", calls: all },
    { failing: mutants, ok: false, last: both, calls: all },
    { failing: supply, ok: false, last: both, calls: all },
    { failing: pages, ok: false, last: both, calls: [...first, ...rows, pages] },
    { failing: databases, ok: false, last: both, calls: all },
    { failing: packages, ok: false, last: both, calls: all },
    { failing: "run chaos:short", ok: false, last: tests, calls: first },
    { failing: "run build", ok: false, last: tests, calls: first.slice(0, 3) },
    { failing: "test", ok: false, last: tests, calls: first.slice(0, 2) },
    { failing: "ci", ok: false, last: "0 passed, 1 failed", calls: first.slice(0, 1) },
  ])("where $failing fails", async ({ failing, calls, ...expected }, context) => {
    const found = await ciRun(failing, context)
    expect(found).toMatchObject(expected)
    // The rows run at the same time. That of mutants is ended where the chaos beside it fails.
    const isBeside = (call: string) => beside.some((step) => step === call)
    const isFirst = (call: string) => !rows.includes(call) && !isBeside(call)
    expect(found.calls.filter(isFirst)).toEqual(calls.filter(isFirst))
    expect(found.calls.filter(isBeside)).toEqual(calls.filter(isBeside))
    const begun = rows.filter((row) => calls.includes(row))
    expect(found.calls).toEqual(expect.arrayContaining(begun))
  })
})
