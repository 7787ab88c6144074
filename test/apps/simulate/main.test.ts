import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { counting } from "../../../apps/simulate/batch/counting.ts"
import { Totals } from "../../../apps/simulate/batch/Totals.ts"
import { readOptions } from "../../../apps/simulate/options.ts"
import { simulate as play } from "../../../simulator/perform.ts"
import { mixed } from "../../../simulator/scenarios/library.ts"
import { untraced } from "../../../simulator/untraced.ts"
import { program, runSimulate } from "../../support/programs.ts"
import { projectRoot } from "../../support/sourceFiles.ts"

const SERVICE = ["--url", "http://h", "--admin-key", "a"]

describe("npm run simulate", () => {
  test("prints one JSON object with what was asked, twice the same", async () => {
    const args = ["--seed", "5", "--intents", "30", "--json"]
    const [first, again] = await Promise.all([runSimulate(...args), runSimulate(...args)])
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

  test.each([
    ["--report", join(projectRoot, "no/such/folder/report.html")],
    ["--failures", join(projectRoot, "package.json")],
    ["--junit", join(projectRoot, "no/such/folder/report.xml")],
    ["--tap", join(projectRoot, "no/such/folder/report.tap")],
  ])("%s is refused at once where it cannot be written", async (option, place) => {
    const { code, stderr } = await runSimulate("--intents", "2", option, place)
    expect(code).toBe(2)
    expect(stderr).toContain(`${option} cannot be written`)
  })

  test("prints a table for people, over several seeds", async () => {
    const { code, stdout } = await runSimulate("--seed", "3", "--seeds", "2", "--intents", "20")
    expect(code).toBe(0)
    expect(stdout).toMatch(/Invariant +checks +violations/)
    expect(stdout).toMatch(/40 payments and \d+ requests in 2 worlds/)
  })

  test("lists the scenarios as one JSON object, too", async () => {
    const { code, stdout } = await runSimulate("--list", "--json")
    const { scenarios } = JSON.parse(stdout) as { readonly scenarios: ReadonlyArray<object> }
    const { about, name, payments } = mixed
    expect(code).toBe(0)
    expect(scenarios).toContainEqual({ name, about, payments })
  })

  test("an interrupt ends a night early, and says what was played until then", async () => {
    const args = [program("simulate"), "--nightly", "--json"]
    const night = spawn(process.execPath, args, { stdio: "pipe" })
    onTestFinished(() => void night.kill("SIGKILL"))
    const said = { out: "", err: "" }
    night.stdout.on("data", (text: Buffer) => (said.out += text.toString()))
    night.stderr.on("data", (text: Buffer) => {
      const isFirst = !said.err.includes(" left")
      said.err += text.toString()
      if (isFirst && said.err.includes(" left")) night.kill("SIGINT")
    })
    const [code] = (await once(night, "close")) as [number | null]
    expect(said.err).toMatch(/\d+ of 100000 seeds, [\d.]+\/s, \d+ min left/)
    expect(code).toBe(130)
    const { seeds } = JSON.parse(said.out) as { readonly seeds: number }
    expect(seeds).toBeGreaterThan(0)
    expect(seeds).toBeLessThan(1_000)
  }, 120_000)

  test("a wrong option is said in a line, and ends with 2", async () => {
    const { code, stdout, stderr } = await runSimulate("--sed", "1")
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toMatch(/^Unknown option '--sed'\. See payport simulate --help\.\n$/)
  })

  test.each([
    [["--seed", "1000000000000000"], /--seed has to be a whole number from 0 to 999999999999999,/],
    [["--seed", "x"], /--seed has to be a whole number from 0/],
    [["--seed", "-1"], /--seed/],
    [["--seed"], /--seed/],
    [["--seeds", "0"], /--seeds has to be a whole number from 1/],
    [["--intents", "1.5"], /--intents has to be a whole number/],
    [["--intents", "1e9"], /--intents has to be a whole number/],
    [["--json=yes"], /--json/],
    [["seed", "1"], /There is no command "seed"/],
    [["replay"], /replay wants one file/],
    [["--threads", "0"], /--threads has to be a whole number from 1/],
    [["--url", "ftp://there"], /--url has to be a URL such as http:/],
    [["--url", "there"], /--url has to be a URL/],
    [["--url", "http://h"], /--url wants --admin-key.*or --seller-key and --buyer-key/],
    [["--url", "http://h", "--seller-key", "s"], /--url wants --admin-key/],
    [["--url", "http://h", "--admin-key", "a b"], /--admin-key has to be visible ASCII/],
    [["--url", "http://h", "--admin-key", "a", "--key", "k"], /--key is for --live-checks/],
    [["--url", "http://h", "--admin-key", "a", "--receiver-port", "70000"], /from 0 to 65535/],
    [["--admin-key", "a"], /--admin-key wants --url/],
    [["--live-checks"], /--live-checks wants --url/],
    [["--world-timeout", "0"], /--world-timeout has to be a whole number from 1 to 86400/],
    [["--payments", "2", "--intents", "3"], /--payments and --intents are the same/],
    [[...SERVICE, "--seeds", "200"], /--seeds has no effect on a running service/],
    [[...SERVICE, "--nightly"], /--nightly has no effect on a running service/],
    [[...SERVICE, "--bail"], /--bail has no effect on a running service/],
    [[...SERVICE, "--world-timeout", "5"], /--world-timeout has no effect on a running service/],
    [[...SERVICE, "--failures", "."], /--failures has no effect on a running service/],
    [["--url", "http://h", "--live-checks", "--scenario", "mixed"], /--scenario has no effect/],
    [["--url", "http://h", "--live-checks", "--set", "a=1"], /--set has no effect/],
    [["--url", "http://h", "--live-checks", "--admin-key", "a"], /--admin-key has no effect/],
    [["replay", "run.json", "--junit", "/dev/null"], /--junit has no effect on replay/],
    [["replay", "run.json", "--seed", "3"], /--seed has no effect on replay/],
    [["--json", "--github"], /--github and --json both print on standard output/],
    [["--tap", "/dev/null", "--junit", "/dev/null"], /--junit and --tap name the same file/],
  ])("%j is refused", (args, said) => {
    expect(() => readOptions(args)).toThrow(said)
  })

  test("a service is played with, or only read", () => {
    const url = ["--url", "http://127.0.0.1:4020/"]
    const given = [...url, "--admin-key", "a", "--payments", "7", "--scenario", "flash_sale"]
    expect(readOptions(given)).toEqual({
      type: "blackbox",
      url: "http://127.0.0.1:4020",
      keys: { type: "operator", admin: "a" },
      seed: 1,
      intents: 7,
      scenario: "flash_sale",
      library: undefined,
      set: [],
      receiver_port: 0,
      receiver_url: undefined,
      report: undefined,
      machines: { junit: undefined, tap: undefined, github: false },
      json: false,
    })
    expect(readOptions([...url, "--live-checks", "--key", "k", "--json"])).toMatchObject({
      type: "live_checks",
      key: "k",
      json: true,
    })
  })

  test("a service that is not there is said in a line, and ends with 1", async () => {
    const { code, stderr } = await runSimulate("--url", "http://127.0.0.1:1", "--live-checks")
    expect(code).toBe(1)
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:1 does not answer GET .*connection refused/)
  })

  test("help is asked for and given", async () => {
    expect(readOptions(["--help"])).toEqual({ type: "help" })
    expect((await runSimulate("--help")).stdout).toMatch(/^Usage: payport simulate/)
  })

  test("nothing said is one seed of a thousand payments", () => {
    expect(readOptions([])).toMatchObject({ type: "run", seed: 1, seeds: 1, json: false })
    expect(mixed.payments).toBe(1_000)
  })

  test("a run goes on after a failing seed, unless it is to bail", () => {
    expect(readOptions([])).toMatchObject({ bail: false })
    expect(readOptions(["--seeds", "9", "--bail"])).toMatchObject({ seeds: 9, bail: true })
    const report = untraced(() => play({ seed: 1, intents: 1 }))
    const invariants = report.invariants.map((tally) => ({ ...tally, violations: 1 }))
    const sound = { type: "report", report, wall_ms: 1 } as const
    const failing = { ...sound, report: { ...report, invariants } } as const
    const broken = {
      type: "broken",
      seed: 2,
      how: "broke_down",
      message: "no",
      wall_ms: 1,
    } as const
    for (const bad of [failing, broken]) {
      const totals = new Totals("mixed")
      const bailing = counting(totals, true)
      expect([sound, bad, sound].map((done) => bailing(done))).toEqual([true, false, false])
      expect(totals.seeds + totals.broken.length).toBe(3)
      const patient = counting(new Totals("mixed"), false)
      expect([sound, bad, sound].map((done) => patient(done))).toEqual([true, true, true])
    }
  })

  test("a night is a hundred thousand seeds, unless somebody says otherwise", () => {
    const night = { seeds: 100_000, intents: 14, world_timeout: 600 }
    expect(readOptions(["--nightly"])).toMatchObject(night)
    expect(readOptions(["--nightly", "--seeds", "5"])).toMatchObject({ seeds: 5, intents: 14 })
  })

  test("reducing a seed has its limits, unless somebody says otherwise", () => {
    expect(readOptions([])).toMatchObject({ effort: { tries: 400, seconds: 60 } })
    const given = ["--shrink-tries", "9", "--shrink-seconds", "5"]
    expect(readOptions(given)).toMatchObject({ effort: { tries: 9, seconds: 5 } })
  })

  test("a scenario comes from YAML and from JSON, and its report is one page", async () => {
    const folder = await mkdtemp(join(tmpdir(), "payport-simulate-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [json, yaml] = [join(folder, "sale.json"), join(folder, "sale.yaml")]
    const sale = { ...mixed, name: "sale", payments: 12 }
    await writeFile(json, JSON.stringify(sale))
    const { faults: _faults, load: _load, ...rest } = sale
    const lines = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    const nested = "load:\n  shape: steady\n  mean_gap_ms: 1200\nfaults:\n  base: drawn\n"
    await writeFile(yaml, `# A sale\n${lines.join("\n")}\n${nested}`)
    const page = join(folder, "report.html")
    const first = await runSimulate("--scenario", json, "--json", "--report", page)
    const second = await runSimulate("--scenario", yaml, "--json")
    type Run = { readonly scenario: string; readonly intents: number; readonly trace_hash: string }
    const [one, two] = [first, second].map(({ stdout }) => JSON.parse(stdout) as Run)
    expect(one).toMatchObject({ scenario: "sale", intents: 12 })
    expect(two?.trace_hash).toBe(one?.trace_hash)
    const html = await readFile(page, "utf8")
    expect(html).toMatch(/^<!doctype html>/)
    expect(html).toContain("Every invariant held")
    expect(html).not.toMatch(/src=|href=|https?:/)
  })

  test("what cannot be read says where it is wrong", async () => {
    const folder = await mkdtemp(join(tmpdir(), "payport-simulate-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, "wrong.yaml")
    await writeFile(file, "name: x\npayments: many\n")
    const { code, stderr } = await runSimulate("--scenario", file)
    expect(code).toBe(2)
    expect(stderr).toMatch(/wrong\.yaml:\n(.+\n)* {2}payments \(line 2\): /)
    await writeFile(file, "a: [")
    expect((await runSimulate("replay", file)).stderr).toMatch(/wrong\.yaml cannot be read: /)
    expect((await runSimulate("replay", join(folder, "none.json"))).stderr).toMatch(
      /cannot be read/,
    )
  })
})
