import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { lintSamples, typeSamples } from "./samples.ts"
import type { Sample } from "./samples.ts"

const project = resolve(import.meta.dirname, "../..")
const run = promisify(execFile)

const write = async (root: string, samples: ReadonlyArray<Sample>): Promise<void> => {
  for (const { file, text } of samples) {
    await mkdir(join(root, dirname(file)), { recursive: true })
    await writeFile(join(root, file), text)
  }
}

/** Both tools exit with an error, since most samples are wrong on purpose. */
const output = async (tool: string, args: Array<string>, cwd: string): Promise<string> => {
  const binary = join(project, "node_modules/.bin", tool)
  const done = run(binary, args, { cwd, maxBuffer: 1 << 26 })
  return done.then(
    ({ stdout }) => stdout,
    (failure: { stdout?: string }) => failure.stdout ?? "",
  )
}

type Findings = ReadonlyMap<string, ReadonlySet<string>>

const findings = (pairs: Iterable<readonly [file: string, rule: string]>): Findings => {
  const found = new Map<string, Set<string>>()
  for (const [file, rule] of pairs) found.set(file, (found.get(file) ?? new Set()).add(rule))
  return found
}

const lint = async (root: string): Promise<Findings> => {
  await write(root, lintSamples)
  await cp(join(project, "oxlint.config.ts"), join(root, "oxlint.config.ts"))
  const report = JSON.parse(await output("oxlint", ["--format=json"], root)) as {
    readonly diagnostics: ReadonlyArray<{ readonly filename: string; readonly code: string }>
  }
  return findings(report.diagnostics.map(({ filename, code }) => [filename, code] as const))
}

const compile = async (root: string): Promise<Findings> => {
  await write(root, typeSamples)
  const layers = ["core", "adapters", "simulator", "apps"]
  const settings = layers.map((layer) => `${layer}/tsconfig.json`)
  for (const file of ["package.json", "tsconfig.json", ...settings]) {
    await cp(join(project, file), join(root, file))
  }
  await symlink(join(project, "node_modules"), join(root, "node_modules"), "junction")
  const report = await output("tsc", ["-b", ...layers, "--pretty", "false"], root)
  const lines = report.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+)/gm)
  return findings(Array.from(lines, ([, file = "", code = ""]) => [file, code] as const))
}

describe("boundaries", () => {
  let folder = ""
  let linted: Findings = new Map()
  let compiled: Findings = new Map()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "payport-boundaries-"))
    const roots = [join(folder, "lint"), join(folder, "types")] as const
    await Promise.all(roots.map((root) => mkdir(root)))
    ;[linted, compiled] = await Promise.all([lint(roots[0]), compile(roots[1])])
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(lintSamples)("lint: $file reports $caught", ({ file, text, caught }) => {
    expect([...(linted.get(file) ?? [])], text.slice(0, 200)).toEqual(caught)
  })

  test.each(typeSamples)("types: $file reports $caught", ({ file, text, caught }) => {
    expect([...(compiled.get(file) ?? [])].toSorted(), text).toEqual(caught)
  })
})
