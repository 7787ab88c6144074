import { describe, expect, test, vi } from "vitest"
import { program } from "../support/programs.ts"
import { FULL, type Options, type Part, readOptions, roundsOf } from "./options.ts"
import { OptionError } from "../support/commandLine.ts"
import { run } from "./run.ts"
import packageJson from "../../package.json" with { type: "json" }

const options = (part: Part): Options => ({
  only: new Set([part]),
  rounds: { ...roundsOf(1), service: 2, database: 2 },
  parallel: 20,
  clients: 4,
  patience: 4,
  beside: 1,
  asynchronous: false,
  without: undefined,
  program: program("server"),
  json: false,
})

const ignore = () => () => undefined

describe("nothing acknowledged is lost, and nothing happens twice", { timeout: 480_000 }, () => {
  test("where the database is killed", async () => {
    const [result] = await run(options("database"), ignore)
    expect(result?.violations).toEqual([])
    expect(result?.acknowledged).toBeGreaterThan(0)
  })
})

test("what a standby lacks that nobody waited for is found", { timeout: 480_000 }, async () => {
  const [result] = await run({ ...options("failover"), asynchronous: true }, ignore)
  expect(result?.violations.length).toBeGreaterThan(0)
})

test("a cluster without its programs says what installs them", async () => {
  vi.stubEnv("PATH", "")
  const [result] = await run(options("patroni"), ignore)
  expect(result?.violations).toEqual([
    expect.stringMatching(/This machine has no etcd, no patroni.*apt-get install etcd-server/),
  ])
  const usual = readOptions([])
  expect(usual !== "help" && usual.only.has("patroni")).toBe(false)
})

describe("options", () => {
  test.each([
    [["--only", "races,earthquake"], 'no part "earthquake"'],
    [["--rounds", "0"], "--rounds has to be a whole number from 1 to 900"],
    [["--parallel", "9"], "--parallel has to be a whole number from 10 to 500"],
    [["--without", "luck"], 'no "luck"'],
    [["--beside", "0"], "--beside has to be a whole number from 1"],
    [["--loud"], "--loud"],
  ])("%j is refused", (args, told) => {
    expect(() => readOptions(args)).toThrow(OptionError)
    expect(() => readOptions(args)).toThrow(told)
  })

  test("those of the step of CI are read", () => {
    const [, said = ""] = packageJson.scripts["chaos:short"].split(" -- ")
    expect(readOptions(said.split(" "))).toMatchObject({
      parallel: 20,
      clients: 4,
      patience: 4,
      beside: 2,
    })
  })

  test("without any everything is broken at full size", () => {
    expect(readOptions([])).toMatchObject({ rounds: FULL, parallel: 50, json: false })
    expect(readOptions(["--rounds", "20"])).toMatchObject({ rounds: { hang: 20, overload: 20 } })
    expect(readOptions(["--help"])).toBe("help")
  })
})
