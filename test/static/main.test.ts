import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { temporaryFolder } from "../apps/server/service.ts"
import { projectRoot } from "../support/sourceFiles.ts"

/** What a script of the package does: it notes that it runs, and ends or goes on for a minute. */
const doing = (file: string, end: string) =>
  `node -e "require('fs').writeFileSync('${file}', String(process.pid)); ${end}"`

const WAITS = "setTimeout(() => {}, 60000)"

/** Begins `npm run both` in a package with these scripts. */
const begin = async (one: string, two: string) => {
  const folder = await temporaryFolder()
  const main = join(projectRoot, "test/static/main.ts")
  const scripts = {
    both: `exec node ${main} one two`,
    one: doing("one.pid", one),
    two: doing("two.pid", two),
  }
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, scripts }))
  const npm = spawn("npm", ["run", "both"], { cwd: folder, stdio: "ignore" })
  const code = once(npm, "exit").then(([exit]) => exit as number | null)
  const pid = (file: string) =>
    expect.poll(() => readFile(join(folder, file), "utf8").catch(() => ""), { timeout: 30_000 })
  return { npm, code, folder, pid }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("two scripts beside each other", () => {
  test.each([
    ["both are right", "", "", 0],
    ["the first is wrong", "process.exit(3)", "", 3],
    ["the second is wrong", "", "process.exit(4)", 4],
    ["both are wrong", "process.exit(3)", "process.exit(4)", 3],
  ])("both run to their end, and the exit code says so when %s", async (_, one, two, code) => {
    const begun = await begin(one, two)
    expect(await begun.code).toBe(code)
    for (const name of ["one.pid", "two.pid"]) await begun.pid(name).toMatch(/^\d+$/)
  })

  test.each(["SIGTERM", "SIGINT"] as const)("both end when npm gets %s", async (signal) => {
    const { code, folder, npm, pid } = await begin(WAITS, WAITS)
    await pid("one.pid").toMatch(/^\d+$/)
    await pid("two.pid").toMatch(/^\d+$/)
    npm.kill(signal)
    expect(await code).not.toBe(0)
    for (const name of ["one.pid", "two.pid"]) {
      const running = Number(await readFile(join(folder, name), "utf8"))
      await expect.poll(() => isRunning(running), { timeout: 10_000 }).toBe(false)
    }
  })
})
