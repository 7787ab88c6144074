import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { expect, test } from "vitest"
import { sourceText } from "../support/sourceFiles.ts"

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

/** Stations that run no function of theirs: what the core asks for, and a table of moves. */
const DATA = /^core\/(?:ports\/|payments\/RequestPayment\.ts$)/

/** A process of its own starts the service for it, which takes long on a busy machine. */
const PATIENCE = 120_000

/** See `filesEntered.ts`. */
const filesEntered = async (): Promise<ReadonlyArray<string>> => {
  const program = fileURLToPath(new URL("filesEntered.ts", import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program])
  return JSON.parse(stdout) as ReadonlyArray<string>
}

test(
  "the creation of a payment enters few files, those of its walk among them",
  async () => {
    const entered = await filesEntered()
    expect(entered.length, entered.join("\n")).toBeLessThanOrEqual(MOST_FILES)

    const walk = await stations()
    expect(new Set(walk).size).toBe(walk.length)
    expect(walk.filter((file) => !DATA.test(file) && !entered.includes(file))).toEqual([])
  },
  PATIENCE,
)
