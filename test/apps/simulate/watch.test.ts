import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
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
    const file = { folder: join(projectRoot, "sales"), file: "sale.yaml" }
    const scenario = join(projectRoot, "sales/sale.yaml")
    const all = watchedOf(projectRoot, { ...choice, scenario })
    expect(all).toMatchObject([...code, file])
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

test("a scenario is played again when its file changes, until it is interrupted", async () => {
  const folder = await mkdtemp(join(tmpdir(), "payport-watch-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, "sale.yaml")
  const put = (name: string, payments: unknown) =>
    writeFile(file, JSON.stringify({ ...mixed, name, payments }))
  await put("first", 1)
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
  await until(/first: every invariant held in 1 world, /)
  await put("second", 1)
  await until(/sale\.yaml has changed: playing again\n.*second: every invariant held/)
  await put("third", "many")
  await until(/sale\.yaml:\n {2}payments \(line 1\): /)
  const closed = once(watching, "close")
  watching.kill("SIGINT")
  expect((await closed)[0]).toBe(130)
}, 120_000)
