import { describe, expect, test } from "vitest"
import { sourceFiles, sourceText } from "../support/sourceFiles.ts"

const files = await sourceFiles()
const texts = new Map(
  await Promise.all(files.map(async (path) => [path, await sourceText(path)] as const)),
)

/** Returns the lines, as `path:line`, that break a rule in files with matching paths. */
const offenders = (paths: RegExp, broken: (line: string) => boolean): ReadonlyArray<string> =>
  [...texts]
    .filter(([path]) => paths.test(path))
    .flatMap(([path, text]) =>
      text.split("\n").flatMap((line, n) => (broken(line) ? [`${path}:${n + 1}`] : [])),
    )

const exported = /^export (?:abstract )?(?:async )?(?:class|const|function\*?|interface|type) (\w+)/

/**
 * Names a module exports without a docstring. One docstring serves a block of exports without a
 * blank line between them, and both the schema and the type of one name.
 */
const undescribed = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const described = new Set<string>()
  const silent: Array<string> = []
  for (const [n, line] of lines.entries()) {
    const name = exported.exec(line)?.[1]
    if (name === undefined) continue
    const above = lines[n - 1] ?? ""
    const inherits = described.has(exported.exec(above)?.[1] ?? "")
    if (/\*\/\s*$/.test(above) || inherits || described.has(name)) described.add(name)
    else silent.push(name)
  }
  return silent
}

const everything = /./
const written = /^(?!package-lock\.json$|LICENSE$)/
const code = /\.(tsx?|cjs|css|sql)$/

/** Files that are longer than others may be, each with its reason. */
const LONG = new Map([
  ["adapters/http/client/Resources.ts", "written from the contract"],
  ["adapters/http/client/Methods.ts", "written from the contract"],
  ["adapters/receiver/Events.ts", "written from the contract"],
  ["apps/docs/reference/errorTexts.ts", "a table with a row for each code"],
])

/** The number of lines of each code file outside tests. */
const lengths = new Map(
  [...texts]
    .filter(([path]) => /^(?:core|adapters|simulator|apps)\/.*\.tsx?$/.test(path))
    .map(([path, text]) => [path, text.split("\n").length - 1]),
)

describe("style", () => {
  test("files outside tests have at most 300 lines, comments and blanks included", () => {
    const long = [...lengths].filter(([, lines]) => lines > 300).map(([path]) => path)
    expect(new Set(long)).toEqual(new Set(LONG.keys()))
  })

  test("half of the files outside tests have at most 70 lines", () => {
    // The checks of `payport/testing` count as tests.
    const sorted = [...lengths]
      .filter(([path]) => !path.startsWith("apps/payport/testing/"))
      .map(([, lines]) => lines)
      .toSorted((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(70)
  })

  test("a cast through `unknown` stands where tables meet their types, and nowhere else", () => {
    const casts = offenders(/^(?:core|adapters|simulator|apps)\/.*\.tsx?$/, (line) =>
      /\bas unknown as\b/.test(line),
    )
    expect(new Set(casts.map((at) => at.split(":")[0]))).toEqual(
      new Set(["core/shared/Machine.ts"]),
    )
  })

  test("lines of code have at most 100 columns, imports of one name aside", () => {
    const unbreakable = /^import \{ \w+ \} from "/
    const long = (line: string) => [...line].length > 100 && !unbreakable.test(line)
    expect(offenders(code, long)).toEqual([])
  })

  test("no line ends in blanks and no file in anything but one newline", () => {
    expect(offenders(written, (line) => /[ \t\r]$/.test(line))).toEqual([])
    const ends = [...texts].filter(([path]) => code.test(path))
    expect(ends.filter(([, text]) => !/[^\n]\n$/.test(text)).map(([path]) => path)).toEqual([])
  })

  test("nothing is left for later in a comment", () => {
    const later = /\b(?:TO[D]O|FIX[M]E)\b/
    expect(offenders(written, (line) => later.test(line))).toEqual([])
  })

  test("no check is switched off", () => {
    const everywhere = /(?<!no-abusive-)\b(?:ox|es)lint-(?:disable|enable)|@ts-(?:ignore|nocheck)/
    expect(offenders(code, (line) => everywhere.test(line))).toEqual([])
    const typeTests = /@ts-(?:expect-error)/
    expect(offenders(/^(?!test\/).*\.tsx?$/, (line) => typeTests.test(line))).toEqual([])
  })

  test("no file knows the machine it was written on", () => {
    const folders = /(?<![\w.}\-/])\/(?:home|root|work|tmp|Users|var\/folders)\/\w/
    expect(offenders(everything, (line) => folders.test(line))).toEqual([])
  })

  test("no file names a package registry", () => {
    const registry =
      /registry\.(?:npmjs|yarnpkg|npmmirror)|"resolve[d]": "(?!apps\/\w+",)|_authToke[n]/
    expect(offenders(everything, (line) => registry.test(line))).toEqual([])
  })

  test("what the core exports says what it is", () => {
    const silent = [...texts]
      .filter(([path]) => /^core\/.*\.ts$/.test(path))
      .flatMap(([path, text]) => undescribed(text).map((name) => `${path} ${name}`))
    expect(silent).toEqual([])
  })
})
