import { execFile } from "node:child_process"
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, onTestFinished, test } from "vitest"
import { projectRoot, sourceFiles, sourceText } from "../support/sourceFiles.ts"

test("every file is there that the run starts early or in a process of its own", async () => {
  const files = await sourceFiles()
  const [settings, order] = [
    await sourceText("test/vitest.config.ts"),
    await sourceText("test/support/LongestFirst.ts"),
  ]
  const alone = Array.from(settings.matchAll(/"(test\/[^"*]+\.test\.ts)"/g), ([, it = ""]) => it)
  const early = Array.from(order.matchAll(/"(.+\.test\.ts)"/g), ([, it = ""]) => `test/${it}`)
  expect(alone.length * early.length).toBeGreaterThan(0)
  expect([...alone, ...early].filter((file) => !files.includes(file))).toEqual([])
})

const stubbing = `
import { expect, test, vi } from "vitest"
test("sets a variable", () => {
  vi.stubEnv("LEFT_BEHIND", "yes")
  expect(process.env.LEFT_BEHIND).toBe("yes")
})`

const reading = `
import { beforeAll, expect, test } from "vitest"
const atFirst = process.env.LEFT_BEHIND
let later
beforeAll(() => { later = process.env.LEFT_BEHIND })
test("sees none", { retry: 0 }, () => expect([atFirst, later]).toEqual([undefined, undefined]))`

test("a file that shares a process leaves no variable to the next", async () => {
  const folder = await mkdtemp(join(tmpdir(), "payport-sharing-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await symlink(join(projectRoot, "node_modules"), join(folder, "node_modules"), "junction")
  const config = `
import config from ${JSON.stringify(join(projectRoot, "test/vitest.config.ts"))}
const { sequence, projects } = config.test
const { test } = projects.find(({ test }) => test.name === "together")
const own = { root: ${JSON.stringify(folder)}, include: ["*.test.ts"], exclude: [], maxWorkers: 1 }
export default { test: { ...test, ...own, sequence } }
`
  await writeFile(join(folder, "vitest.config.mjs"), config)
  for (const name of ["b", "d"]) await writeFile(join(folder, `${name}.test.ts`), reading)
  for (const name of ["a", "c"]) await writeFile(join(folder, `${name}.test.ts`), stubbing)
  const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs")
  const ran = promisify(execFile)(process.execPath, [vitest, "run"], { cwd: folder })
  const { stdout } = await ran.catch(({ stdout: said }: { stdout: string }) => ({ stdout: said }))
  expect(stdout).toMatch(/Tests .*4 passed/)
}, 120_000)
