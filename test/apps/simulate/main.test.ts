import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, test } from "vitest"
import { readOptions } from "../../../apps/simulate/options.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

const run = promisify(execFile)

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const simulate = (...args: ReadonlyArray<string>): Promise<Ended> =>
  run(process.execPath, [join(projectRoot, "apps/simulate/main.ts"), ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (ended: Ended) => ended,
  )

describe("npm run simulate", () => {
  test("prints one JSON object with what was asked, twice the same", async () => {
    const args = ["--seed", "5", "--intents", "30", "--json"]
    const [first, again] = await Promise.all([simulate(...args), simulate(...args)])
    const report = JSON.parse(first.stdout) as {
      readonly seed: number
      readonly trace_hash: string
      readonly invariants: ReadonlyArray<object>
      readonly faults: object
      readonly timings: { readonly wall_ms: number; readonly virtual_ms: number }
    }
    expect(first.code).toBe(0)
    expect(report.seed).toBe(5)
    expect(report.trace_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(report.invariants[0]).toMatchObject({ number: 1, violations: 0 })
    expect(report.timings.virtual_ms).toBeGreaterThan(0)
    expect((JSON.parse(again.stdout) as typeof report).trace_hash).toBe(report.trace_hash)
  })

  test("prints a table for people, over several seeds", async () => {
    const { code, stdout } = await simulate("--seed", "3", "--seeds", "2", "--intents", "20")
    expect(code).toBe(0)
    expect(stdout).toMatch(/Invariant +checks +violations/)
    expect(stdout).toMatch(/40 payments in 2 worlds/)
  })

  test("a wrong option is said in a line, with the usage, and ends with 2", async () => {
    const { code, stdout, stderr } = await simulate("--sed", "1")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/^Unknown option '--sed'/)
  })

  test.each([
    [["--seed", "x"], /--seed has to be a whole number from 0/],
    [["--seed", "-1"], /--seed/],
    [["--seed"], /--seed/],
    [["--seeds", "0"], /--seeds has to be a whole number from 1/],
    [["--intents", "1.5"], /--intents has to be a whole number/],
    [["--intents", "1e9"], /--intents has to be a whole number/],
    [["--json=yes"], /--json/],
    [["seed", "1"], /Unexpected argument/],
  ])("%j is refused", (args, said) => {
    expect(() => readOptions(args)).toThrow(said)
  })

  test("help is asked for and given", async () => {
    expect(readOptions(["--help"])).toBeUndefined()
    expect((await simulate("--help")).stdout).toMatch(/^Usage: npm run simulate/)
  })

  test("nothing said is one seed of a thousand payments", () => {
    expect(readOptions([])).toEqual({ seed: 1, seeds: 1, intents: 1_000, json: false })
  })
})
