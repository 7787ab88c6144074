import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { program } from "../../support/programs.ts"
import { SECRET, serveReceiver } from "./receiver/subject.ts"
import { serve } from "./serve.ts"

const grade = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: unknown; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      execFile(process.execPath, [program("payport"), "grade", ...args], (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
      )
    },
  )

const aFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), "payport-grade-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

describe("payport grade", () => {
  test("says what it needs, each check, what failed and what to do, and ends with 1", async () => {
    const url = await serveReceiver({ duplicate: 409 })
    const { code, stdout } = await grade("receiver", `${url}/hook`, "--secret", SECRET)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^payport grade receiver of http:.*\n\n {2}has {4}URL/)
    expect(stdout).toMatch(/ {2}lacks {2}--effects URL/)
    expect(stdout).toMatch(/\nok {3}genuine .*\n/)
    expect(stdout).toMatch(/\nFAIL duplicate .*\n/)
    expect(stdout).toMatch(/\nFailed\n\n {2}duplicate: .*\n {4}clause .*\n.*2xx\n.*status 409\n/)
    expect(stdout).toMatch(/\nIt is not right yet\. \d+ passed, 2 failed, \d+ not judged in/)
  })

  test("ends with 0 where all is right, prints one object, and writes JUnit's XML", async () => {
    const file = join(await aFolder(), "receiver.xml")
    const hook = `${await serveReceiver({})}/hook`
    const args = ["receiver", hook, "--secret", SECRET, "--seed", "7", "--json", "--junit", file]
    const { code, stdout } = await grade(...args)
    const { outcome, passed, seed } = JSON.parse(stdout) as { readonly [name: string]: unknown }
    expect([code, outcome, seed]).toEqual([0, "passed", "7"])
    expect(await readFile(file, "utf8")).toContain(`name="payport grade receiver" tests="47"`)
    expect(passed).toBeGreaterThan(20)
  })

  test.each([
    [[], 0, /^Usage: payport grade receiver/, /^$/],
    [["receiver", "--help"], 0, /^Usage: payport grade receiver URL/, /^$/],
    [["nobody"], 2, /^$/, /^There is no grader "nobody"\. See payport grade --help\.\n$/],
    [["receiver"], 2, /^$/, /^The address is missing, .* See payport grade receiver --help\.\n$/],
    [["receiver", "http://a/", "--secret", "s", "--as", "x"], 2, /^$/, /^--as has to be endpoint/],
    [["receiver", "http://a/", "--secret", "s", "--fast"], 2, /^$/, /'--fast'/],
    [["receiver", "http://a/"], 2, /^$/, /^--secret is missing\./],
    [["channel", "http://a/", "--currency", "XYZ"], 2, /^$/, /^--currency .* ISO 4217/],
  ] as const)("%j ends with %i", async (args, code, stdout, stderr) => {
    const ended = await grade(...args)
    expect(ended.code).toBe(code)
    expect(ended.stdout).toMatch(stdout)
    expect(ended.stderr).toMatch(stderr)
  })

  test("ends with 2 where nobody listens, and where effects are none", async () => {
    const gone = createServer()
    const address = await serve(gone)
    await new Promise((resolve) => gone.close(resolve))
    const silent = await grade("receiver", address, "--secret", SECRET)
    expect([silent.code, silent.stderr]).toEqual([
      2,
      `${address} cannot be reached: connection refused. Start it first, or correct the address.\n`,
    ])
    const url = await serveReceiver({})
    const args = ["receiver", `${url}/hook`, "--secret", SECRET, "--effects", `${url}/hook`]
    const odd = await grade(...args, "--json")
    expect(odd.code).toBe(2)
    expect(JSON.parse(odd.stdout)).toMatchObject({ outcome: "incomplete", failed: 0 })
    expect(odd.stdout).toMatch(/has to answer GET with a JSON array/)
  })

  test("ends with 2 where its time is up", async () => {
    const never = createServer(() => undefined)
    const url = await serve(never)
    const { code, stdout } = await grade("receiver", url, "--secret", SECRET, "--seconds", "1")
    expect(code).toBe(2)
    expect(stdout).toMatch(/The run did not come to its end/)
  })
})
