import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { program } from "../../support/programs.ts"

interface Printed {
  readonly reduced: ReadonlyArray<{
    readonly seed: number
    readonly file: string
    readonly why: string
    readonly tries: number
    readonly payments: number
  }>
}

const temporary = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-flawed-"))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Plays failing worlds, and is interrupted at the output `interruptAt`. */
const runFlawed = async (threads: number, interruptAt?: RegExp) => {
  const folder = await temporary()
  const args = ["--seed", "3", "--seeds", "2", "--intents", "12", "--json"]
  const where = ["--threads", String(threads), "--failures", folder]
  const child = spawn(process.execPath, [program("flawedSimulate"), ...args, ...where])
  onTestFinished(() => void child.kill("SIGKILL"))
  const said = { out: "", err: "" }
  let wasInterrupted = false
  child.stdout.on("data", (text: Buffer) => (said.out += text.toString()))
  child.stderr.on("data", (text: Buffer) => {
    said.err += text.toString()
    if (wasInterrupted || interruptAt?.test(said.err) !== true) return
    wasInterrupted = child.kill("SIGINT")
  })
  const [code] = (await once(child, "close")) as [number | null]
  const names = (await readdir(folder)).toSorted()
  const files = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))
  const { reduced } = JSON.parse(said.out) as Printed
  const worlds = reduced.map(({ file: _, ...world }) => world)
  return { code, err: said.err, files, worlds }
}

test("a failing world is reduced to the same file, however many threads there are", async () => {
  const [alone, many] = [await runFlawed(1), await runFlawed(3)]
  expect(alone.code).toBe(1)
  expect(alone.worlds).toMatchObject([
    { seed: 3, why: "each_is_needed" },
    { seed: 4, why: "each_is_needed" },
  ])
  expect(alone.err).toMatch(/seed 3: try \d+, \d+ payments, \d+ faults/)
  expect(alone.files).toHaveLength(2)
  expect({ ...many, err: "" }).toEqual({ ...alone, err: "" })
}, 120_000)

test("an interrupt writes down how small a failing world is by then, and no other", async () => {
  const { code, err, files, worlds } = await runFlawed(2, /seed \d: try \d+/)
  expect(code).toBe(1)
  expect(worlds).toMatchObject([{ why: expect.stringMatching(/^(interrupted|few_enough)$/) }])
  expect(files).toHaveLength(1)
  expect(err).toContain("Interrupted. What is smallest by now is written down.")
}, 120_000)

/** Plays one failing world of a scenario with that name; the runs' files go to `failures`. */
const runNamed = async (folder: string, name: string, failures: string) => {
  const scenario = join(folder, "own.yaml")
  await writeFile(scenario, `name: ${name}\nabout: a\nextends: mixed\npayments: 2\n`)
  // With a time limit, also a single world is played on a thread, which has the flaw.
  const run = ["--world-timeout", "600", "--shrink-tries", "2", "--json"]
  const args = ["--scenario", scenario, ...run, "--failures", failures]
  const junit = join(folder, "junit.xml")
  const child = spawn(process.execPath, [program("flawedSimulate"), ...args, "--junit", junit])
  onTestFinished(() => void child.kill("SIGKILL"))
  const said = { out: "", err: "" }
  child.stdout.on("data", (text: Buffer) => (said.out += text.toString()))
  child.stderr.on("data", (text: Buffer) => (said.err += text.toString()))
  const [code] = (await once(child, "close")) as [number | null]
  expect({ code, err: code === 1 ? "" : said.err }).toEqual({ code: 1, err: "" })
  expect(await readFile(junit, "utf8")).toContain("<failure")
  const [reduced] = (JSON.parse(said.out) as { readonly reduced: ReadonlyArray<object> }).reduced
  return { err: said.err, reduced }
}

test.each([
  ["team/checkout", "simulation-team_checkout-1.json"],
  ["a/../../../escaped", "simulation-a__________escaped-1.json"],
])(
  "a scenario's name %s leads to no other folder",
  async (name, file) => {
    const folder = await temporary()
    const failures = join(folder, "deep/failures")
    const { reduced } = await runNamed(folder, name, failures)
    expect(reduced).toMatchObject({ file: join(failures, file) })
    expect(await readdir(failures)).toEqual([file])
    expect((await readdir(folder)).toSorted()).toEqual(["deep", "junit.xml", "own.yaml"])
  },
  120_000,
)

test("a run whose file cannot be written tells everything else, and that", async () => {
  const folder = await temporary()
  const failures = join(folder, "failures")
  const file = join(failures, "simulation-own-1.json")
  await mkdir(file, { recursive: true })
  const { err, reduced } = await runNamed(folder, "own", failures)
  expect(reduced).toMatchObject({ file: null, unwritten: expect.stringContaining(file) as string })
  expect(err).toContain(`Seed 1 could not be written to ${file}: `)
  expect(await readdir(failures)).toEqual(["simulation-own-1.json"])
}, 120_000)
