import { on } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { describe, expect, onTestFinished, test } from "vitest"
import { callWith, worldAgain } from "../../../apps/simulate/again.ts"
import { type LastStep, LastStepBoard } from "../../../apps/simulate/batch/LastStep.ts"
import type { SentOptions, Told } from "../../../apps/simulate/batch/Thread.ts"
import { tooLong } from "../../../apps/simulate/batch/tooLong.ts"
import { Totals } from "../../../apps/simulate/batch/Totals.ts"
import { suitesOf } from "../../../apps/simulate/suitesOf.ts"
import type { Note } from "../../../simulator/auditor/Trace.ts"
import { NO_FAULTS } from "../../../simulator/index.ts"
import { simulate as play } from "../../../simulator/perform.ts"
import { Story } from "../../../simulator/report/Story.ts"
import { mixed } from "../../../simulator/scenarios/library.ts"
import { dropping } from "../../simulation/flaw.ts"
import { runSimulate } from "../../support/programs.ts"

const folderOf = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-reports-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe("a run as suites", () => {
  const totals = new Totals("mixed")
  totals.add(play({ seed: 1, intents: 2 }), 5)
  totals.add(play({ seed: 2, intents: 2, alterations: dropping("events") }), 6)
  const message = "It did not end within 5 s.\nat here"
  totals.addBroken({ seed: 3, how: "too_long", message, wall_ms: 5_000 })
  const again = (seed: number) => worldAgain("a sale.yaml", seed, 2)
  const [worlds, tallies] = suitesOf(totals, { file: "a sale.yaml", again })

  test("has each world by its seed, with what broke and how to see it again", () => {
    const [sound, failing, endless] = worlds?.cases ?? []
    expect(sound).toMatchObject({ name: "seed 1", duration_ms: 5, outcome: { type: "passed" } })
    expect(failing).toMatchObject({ name: "seed 2", outcome: { type: "failed" } })
    const { outcome } = failing ?? {}
    const text = outcome?.type === "failed" ? outcome.text : ""
    expect(text).toMatch(/^invariant 2\d \(.+\), at 2\d{3}-/)
    expect(text).toMatch(/\nand \d+ more violations\n\nRun it again with\n {2}payport simulate /)
    expect(text).toMatch(/ --scenario 'a sale\.yaml' --seed 2 --intents 2$/)
    expect(endless?.outcome).toMatchObject({ type: "error", line: "It did not end within 5 s." })
    expect(worlds).toMatchObject({ file: "a sale.yaml", properties: { payments: "4" } })
  })

  test("has each invariant, with the seeds that broke it, or that nothing was judged", () => {
    const caseOf = (number: number) =>
      tallies?.cases.find(({ name }) => name.startsWith(`${number}: `))
    expect(caseOf(28)?.outcome).toMatchObject({
      type: "failed",
      text: expect.stringMatching(/\d+ of \d+ checks did not hold, in the worlds of the seeds 2$/),
    })
    expect(caseOf(1)?.outcome).toEqual({ type: "passed" })
    const unchecked = totals.invariants.find(({ checks }) => checks === 0)?.number ?? 0
    expect(caseOf(unchecked)?.outcome.type).toBe("skipped")
  })

  test.each([
    [["replay", "a.json"], "payport simulate replay a.json"],
    [["--scenario", "it's mine.yaml"], String.raw`payport simulate --scenario 'it'\''s mine.yaml'`],
    [["--seed", 7], "payport simulate --seed 7"],
    [["$(x)", ""], "payport simulate '$(x)' ''"],
  ])("%j is called as %s", (args, line) => {
    expect(callWith(...args)).toBe(line)
  })
})

test("the last step of a world is read from what its thread has written", () => {
  const board = new LastStepBoard()
  expect(board.read()).toBeUndefined()
  const thread = new LastStepBoard(board.memory)
  thread.write({ at: 1, what: "first" })
  thread.write({ at: 1_769_902_800_001, what: "é".repeat(3_000) })
  expect(board.read()).toEqual({ n: 2, at: 1_769_902_800_001, what: "é".repeat(1_000) })
  board.clear()
  expect(thread.read()).toBeUndefined()
})

/** Returns the last step of a world by its story, from the beginning. */
const lastOf = (options: SentOptions): LastStep | undefined => {
  const story = new Story()
  let last: LastStep | undefined
  const onStep = ({ at, what }: Note) => {
    last = { n: (last?.n ?? 0) + 1, at, what: story.say(what) }
  }
  play({ ...options, onStep })
  return last
}

test("a thread writes each world's last step by the names of that world's story", async () => {
  const board = new LastStepBoard()
  const script = new URL("../../../apps/simulate/batch/worker.ts", import.meta.url)
  const worker = new Worker(script, { workerData: board.memory })
  onTestFinished(async () => void (await worker.terminate()))
  for (const seed of [1, 2]) {
    const world: SentOptions = { seed, intents: 2, faults: NO_FAULTS, parts: [] }
    board.clear()
    worker.postMessage(world, [])
    for await (const [told] of on(worker, "message")) {
      if ((told as Told).type === "report") break
    }
    expect(board.read()).toEqual(lastOf(world))
    expect(tooLong(5, board.read())).toMatch(/^It did not end .+: A worker .+ #\d/)
  }
})

test("build servers are told by files, and by annotations where something broke", async () => {
  const folder = await folderOf()
  const [junit, tap] = [join(folder, "report.xml"), join(folder, "report.tap")]
  const args = ["--seed", "3", "--seeds", "2", "--threads", "1", "--intents", "1"]
  const { code, stdout } = await runSimulate(...args, "--junit", junit, "--tap", tap, "--github")
  expect(code).toBe(0)
  expect(stdout).not.toContain("::error")
  const xml = await readFile(junit, "utf8")
  expect(xml).toContain('<testsuite name="payport simulate mixed" tests="2" failures="0"')
  expect(xml).toMatch(/classname="payport.simulate.mixed" name="seed 3" time="\d+\.\d{3}"\/>/)
  const lines = (await readFile(tap, "utf8")).split("\n")
  expect(lines).toEqual(expect.arrayContaining(["TAP version 14", "    ok 2 - seed 4", "1..2"]))
}, 180_000)

describe("a world that does not end", () => {
  test("is given up with its seed and its last step, and the next one is played", async () => {
    const folder = await folderOf()
    const scenario = join(folder, "endless.yaml")
    const endless = { ...mixed, name: "endless", payments: 5_000 }
    await writeFile(scenario, JSON.stringify(endless))
    const args = ["--scenario", scenario, "--seed", "8", "--seeds", "2", "--threads", "1"]
    const { code, stdout } = await runSimulate(...args, "--world-timeout", "1", "--github")
    expect(code).toBe(3)
    const said = "It did not end within 1 s of real time (--world-timeout)"
    expect(stdout).toContain(`Seed 8 was given up: ${said}`)
    expect(stdout).toContain(`Seed 9 was given up: ${said}`)
    expect(stdout).toContain(`  payport simulate --scenario ${scenario} --seed 8 --intents 5000`)
    const place = `file=${scenario},title=payport simulate endless%3A seed 8`
    expect(stdout).toContain(`::error ${place}::${said}`)
    expect(stdout).not.toMatch(/\w_[0-9a-f]{8}-/)
  }, 180_000)
})
