import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { Totals } from "../../../apps/simulate/batch/Totals.ts"
import { readOptions, type RunOptions } from "../../../apps/simulate/options.ts"
import { describeTotals } from "../../../apps/simulate/summary.ts"
import { shortly } from "../../../apps/simulate/watch/shortly.ts"
import { concerns, watchedOf } from "../../../apps/simulate/watch/watched.ts"
import { simulate as play } from "../../../simulator/perform.ts"
import { mixed } from "../../../simulator/scenarios/library.ts"
import { dropping } from "../../simulation/flaw.ts"
import { program } from "../../support/programs.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

const WAIT = { timeout: 60_000 } as const

describe("what is watched", () => {
  test.each<[string | undefined, string, string | null, boolean]>([
    [undefined, "work/x.ts", "core", true],
    ["core", "payments/Callback.ts", "core", true],
    ["core", "README.md", "core", false],
    ["scenario", "sale.yaml", "sale.yaml", true],
    ["scenario", "other.yaml", "sale.yaml", false],
  ])("%s: %s", (what, changed, file, counts) => {
    const watched = { folder: ".", file: what === "scenario" ? (file ?? undefined) : undefined }
    expect(concerns(watched, changed)).toBe(counts)
    expect(concerns(watched, null)).toBe(true)
  })

  test("is the core, the simulator and the scenario's file", () => {
    const code = ["core", "simulator"].map((name) => ({ folder: join(projectRoot, name) }))
    const choice = { library: undefined, set: [] }
    expect(watchedOf(projectRoot, { ...choice, scenario: "flash_sale" })).toMatchObject(code)
    const watchedFor = (path: string) =>
      watchedOf(projectRoot, { ...choice, scenario: join(projectRoot, path) })
    const file = { folder: join(projectRoot, "apps"), file: "sale.yaml" }
    expect(watchedFor("apps/sale.yaml")).toMatchObject([...code, file])
    // Its folder has to be made first.
    const folder = { folder: projectRoot, file: "sales" }
    expect(watchedFor("sales/of/sale.yaml")).toMatchObject([...code, folder])
  })

  test.each([["--json"], ["--github"]])("%s is refused", (option) => {
    expect(() => readOptions(["--watch", option])).toThrow(/--watch plays simulated worlds/)
  })

  test("is played with the other arguments", () => {
    const args = ["--watch", "--scenario", "flash_sale", "--seeds", "2"]
    expect(readOptions(args)).toEqual({
      type: "watch",
      args: ["--scenario", "flash_sale", "--seeds", "2"],
      scenario: "flash_sale",
      library: undefined,
      set: [],
    })
  })
})

test("a run is told in a line, and what failed with how to run it again", () => {
  const totals = new Totals("sale")
  totals.add(play({ seed: 3, intents: 2, alterations: dropping("events") }), 5)
  totals.addBroken({ seed: 2, how: "too_long", message: "It spun.\nHere.", wall_ms: 1 })
  const options = readOptions(["--seeds", "2"]) as RunOptions
  const [line, failed, again, broken, ...others] = shortly(
    describeTotals(options, totals, 1_540),
    "my sale.yaml",
  )
  expect(line).toBe("sale: 2 failed in 2 worlds, 1.5 s")
  expect(failed).toMatch(/^ {2}seed 3, invariant \d+: .+ /)
  expect(again).toBe("    payport simulate --scenario 'my sale.yaml' --seed 3 --intents 2")
  expect([broken, others]).toEqual(["  seed 2: It spun.", []])
})

/** A folder for files, and a program that watches the scenario in one of them. */
const watchedFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "payport-watch-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const write = (file: string, content: object) =>
    writeFile(join(folder, file), JSON.stringify(content))
  return { write, watch: (file: string) => startWatching(folder, file) }
}

const startWatching = (folder: string, name: string) => {
  const file = join(folder, name)
  const args = [program("simulate"), "--watch", "--scenario", file, "--failures", folder]
  const watching = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] })
  onTestFinished(() => void watching.kill("SIGKILL"))
  let said = ""
  const hears = new Set<() => void>()
  watching.stdout.on("data", (data: Buffer) => {
    said += data.toString()
    for (const hear of hears) hear()
  })
  const until = (text: RegExp) =>
    new Promise<void>((resolve) => {
      const hear = () => {
        if (text.test(said)) resolve()
      }
      hears.add(hear)
      hear()
    })
  return { until, watching }
}

test("a scenario is played again when its file changes, until it is interrupted", async () => {
  const { watch, write } = await watchedFolder()
  const put = (name: string, payments: unknown) => write("sale.yaml", { ...mixed, name, payments })
  await put("first", 1)
  const { until, watching } = watch("sale.yaml")
  await until(/first: every invariant held in 1 world, /)
  await put("second", 1)
  await until(/sale\.yaml has changed: playing again\n.*second: every invariant held/)
  await put("third", "many")
  await until(/sale\.yaml:\n {2}payments \(line 1\): /)
  const closed = once(watching, "close")
  watching.kill("SIGINT")
  expect((await closed)[0]).toBe(130)
}, 120_000)

test("a file that an edit makes the scenario extend is watched, too", async () => {
  const { watch, write } = await watchedFolder()
  const base = (name: string) => write("base.yaml", { ...mixed, name, payments: 1 })
  await write("sale.yaml", { ...mixed, name: "alone", payments: 1 })
  const { until } = watch("sale.yaml")
  await until(/alone: every invariant held/)
  await write("sale.yaml", { name: "child", extends: "base.yaml" })
  await until(/base\.yaml cannot be read/)
  await base("base")
  await until(/base\.yaml has changed: playing again\n.*child: every invariant held/)
}, 120_000)

/** The processes that a process has started, as Linux lists them. */
const childrenOf = async (pid: number | undefined): Promise<ReadonlyArray<number>> => {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
  return listed.trim().split(" ").filter(Boolean).map(Number)
}

/** The names of the threads of a process. */
const threadsOf = async (pid: number): Promise<ReadonlyArray<string>> => {
  const threads = await readdir(`/proc/${pid}/task`)
  const names = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/comm`, "utf8"))
  return (await Promise.all(names)).map((name) => name.trim())
}

test.runIf(process.platform === "linux")(
  "a run ends with what watches, also if that is killed",
  async () => {
    const { watch, write } = await watchedFolder()
    await write("long.yaml", { ...mixed, name: "long", payments: 1_000_000 })
    const { watching } = watch("long.yaml")
    await expect.poll(() => childrenOf(watching.pid), WAIT).toHaveLength(1)
    const [child = 0] = await childrenOf(watching.pid)
    onTestFinished(() => {
      if (existsSync(`/proc/${child}/stat`)) process.kill(child, "SIGKILL")
    })
    // The world is played on a thread by now.
    await expect.poll(() => threadsOf(child), WAIT).toContain("WorkerThread")
    watching.kill("SIGKILL")
    await expect.poll(() => existsSync(`/proc/${child}/stat`), WAIT).toBe(false)
  },
  120_000,
)

test("a run whose parent has ended before it begins ends, too", async () => {
  const args = [program("simulate"), "--intents", "1000000", "--seeds", "2"]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  child.disconnect()
  expect((await once(child, "exit"))[0]).toBe(130)
}, 120_000)
