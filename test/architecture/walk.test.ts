import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { sourceText } from "../support/sourceFiles.ts"
import type { Entered } from "./walk/filesEntered.ts"
import type { Call } from "./walk/traceCalls.ts"

/** How many files of the core and of the HTTP interface a creation may enter. */
const MOST_FILES = 35

/** The files of the walk through a creation in the core's README. */
const stations = async (): Promise<ReadonlyArray<string>> => {
  const readme = await sourceText("core/README.md")
  const walk = readme.slice(readme.indexOf("### A creation"), readme.indexOf("### A callback"))
  return Array.from(walk.matchAll(/^\d+\. `([\w./-]+)`/gm), ([, file = ""]) =>
    file.startsWith("adapters/") ? file : `core/${file}`,
  )
}

/** Stations of the walk without functions of their own: ports, and a table of transitions. */
const DATA = /^core\/(?:ports\/|payments\/RequestPayment\.ts$)/

/** A separate process starts the service for the walk, which takes long on a busy machine. */
const PATIENCE = 120_000

const creation = async (): Promise<Entered> => {
  const program = fileURLToPath(new URL("walk/filesEntered.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return JSON.parse(stdout) as Entered
}

/**
 * Returns the calls into a station's file after a later station has begun, and the stations that
 * begin before an earlier one. The return of a call does not count. A station begins with the first
 * call that its file makes or receives.
 */
const comingBack = (
  calls: ReadonlyArray<Call>,
  walk: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  const begun = new Set<number>()
  return calls.flatMap(({ from, name, to }) => {
    const latest = Math.max(...begun)
    const [caller, called] = [walk.indexOf(from), walk.indexOf(to)]
    const told: Array<string> = []
    for (const station of [caller, called]) {
      if (station === -1 || begun.has(station)) continue
      if (station < latest) told.push(`${walk[station]} begins after ${walk[latest]}`)
      begun.add(station)
    }
    if (called !== -1 && called < latest) told.push(`${from} calls ${name} of ${to} again`)
    return told
  })
}

test(
  "the creation of a payment enters few files, and comes back to no station of its walk",
  async () => {
    const { calls, files } = await creation()
    expect(files.length, files.join("\n")).toBeLessThanOrEqual(MOST_FILES)

    const walk = await stations()
    expect(new Set(walk).size).toBe(walk.length)
    const ran = walk.filter((file) => !DATA.test(file))
    expect(ran.filter((file) => !files.includes(file))).toEqual([])
    const called = new Set(calls.flatMap(({ from, to }) => [from, to]))
    expect(ran.filter((file) => !called.has(file))).toEqual([])
    expect(comingBack(calls, ran)).toEqual([])
  },
  PATIENCE,
)

test("a call to a station that has been left is noticed", () => {
  const call = (from: string, to: string) => ({ from, to, name: "it" })
  const walk = ["a", "b", "c"]
  const there = [call("a", "b"), call("b", "tool"), call("a", "c"), call("c", "tool")]
  expect(comingBack(there, walk)).toEqual([])
  expect(comingBack([...there, call("c", "b")], walk)).toEqual(["c calls it of b again"])
  expect(comingBack([call("a", "c"), call("a", "b")], walk)).toEqual([
    "b begins after c",
    "a calls it of b again",
  ])
})
