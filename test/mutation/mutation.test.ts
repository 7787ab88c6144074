import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { projectRoot } from "../support/sourceFiles.ts"
import { LIBRARY } from "../../simulator/scenarios/library.ts"
import { judgeByWorlds } from "./judgeByWorlds.ts"
import { regressionOf } from "./keptScore.ts"
import { describeMutant, lotOf, type Mutant, sampled } from "./Mutant.ts"
import { type Judged, reportOf, scoreOf, type Verdict } from "./Verdict.ts"
import { nameOf, worldsOf } from "./worlds.ts"

const change = { file: "core/refunds/Refund.ts", operator: "Equality", original: "a < b" }

const mutantOf = (id: string, replacement: string, nth = 0): Mutant => ({
  ...change,
  id,
  line: 3,
  replacement,
  lot: lotOf({ ...change, replacement }, nth),
})

describe("the draw of mutants", () => {
  const all = Array.from({ length: 40 }, (_, n) => mutantOf(String(n), `a <= ${n}`))

  test("is the same whatever stands before them, and in whatever order they come", () => {
    const moved = all.toReversed().map((mutant) => ({ ...mutant, id: "x", line: 99 }))
    const drawn = sampled(all, 10).map(({ replacement }) => replacement)
    expect(sampled(moved, 10).map(({ replacement }) => replacement)).toEqual(drawn)
    expect(new Set(drawn).size).toBe(10)
  })

  test("tells two changes apart that are alike, and takes all where there are no more", () => {
    expect(mutantOf("1", "a <= b", 1).lot).not.toBe(mutantOf("1", "a <= b").lot)
    expect(sampled(all, 100)).toHaveLength(40)
  })

  test("goes on behind what is left out of it", () => {
    expect(sampled(all, 4, 6)).toEqual(sampled(all, 10).slice(6))
    expect(sampled(all, 4, 38)).toHaveLength(2)
  })

  test("is told with file and line", () => {
    expect(describeMutant(mutantOf("1", "a <= b"))).toBe("core/refunds/Refund.ts:3 a < b is a <= b")
    expect(describeMutant(mutantOf("1", ""))).toMatch(/a < b is left out$/)
  })
})

describe("a score", () => {
  const judged = (worlds: Verdict, tests?: string | null): Judged => ({
    mutant: mutantOf("1", "a <= b"),
    worlds,
    tests,
  })
  const noticed = judged({ type: "noticed", by: "8 Refunds", world: "mixed 1" })

  test.each<readonly [string, ReadonlyArray<Judged>, ReturnType<typeof scoreOf>]>([
    ["of worlds alone", [noticed, judged({ type: "unreached" })], score(2, 1, null)],
    [
      "with a test that notices",
      [noticed, judged({ type: "unreached" }, "a.test.ts")],
      score(2, 1, 2),
    ],
    ["with none", [judged({ type: "survived", differs: true }, null)], score(1, 0, 0)],
    ["where worlds notice all", [noticed], score(1, 1, 1)],
  ])("counts %s", (_, all, expected) => {
    expect(scoreOf(all)).toEqual(expected)
  })

  test("is reported behind what was missed", () => {
    const lines = reportOf([
      noticed,
      judged({ type: "survived", differs: true }, "a.test.ts"),
      judged({ type: "survived", differs: false }, null),
      judged({ type: "unreached" }, "a.test.ts"),
    ])
    const text = lines.join("\n")
    expect(text).toMatch(/another way[^]+\(a test notices\)[^]+same way[^]+\(no test[^]+No world/)
    expect(text).toMatch(/1 of 4: 25\.0%[^]+33\.3% of 3[^]+3: 75\.0%/)
  })

  const sample = { only: "core/", worlds: 24 }
  const kept = [{ ...sample, score: score(60, 30, 55) }]

  test.each<readonly [string, ReturnType<typeof scoreOf>, string | undefined]>([
    ["is held where it is as good", score(60, 30, null), undefined],
    ["is worse by worlds", score(60, 29, 58), "Worlds notice 29 of 60, and noticed 30 before."],
    ["is worse by both", score(60, 31, 54), "Together they notice 54, and noticed 55 before."],
    ["is of another sample", score(61, 1, 1), undefined],
  ])("%s", (_, now, expected) => {
    expect(regressionOf(kept, sample, now)).toBe(expected)
  })
})

function score(mutants: number, worlds: number, together: number | null) {
  return { mutants, worlds, together }
}

describe("worlds", () => {
  test("are of many scenarios, and mostly a bit of everything", () => {
    const worlds = worldsOf(84)
    const names = worlds.map(({ scenario }) => scenario)
    expect(names.filter((name) => name === "mixed").length).toBeGreaterThan(50)
    expect(new Set(names).size).toBeGreaterThan(15)
    const known = new Set(LIBRARY.map(({ name }) => name))
    expect(names.filter((name) => !known.has(name))).toEqual([])
    expect(new Set(worlds.map(nameOf)).size).toBe(84)
    expect(worldsOf(6)).toEqual(worlds.slice(0, 6))
  })

  const file = "core/pricing/Price.ts"

  /** An expression with mutants in the place of it, written as the tool writes them. */
  const switched = (original: string, changes: { readonly [id: string]: string }): string =>
    Object.entries(changes).reduce(
      (rest, [id, changed]) => `(__stryker__.activeMutant === "${id}" ? ${changed} : ${rest})`,
      `(${Object.keys(changes)
        .map((id) => `cameBy("${id}")`)
        .join(", ")}, ${original})`,
    )

  const CAME_BY = `
    function cameBy(id) {
      const all = (__stryker__.mutantCoverage ??= { static: {}, perTest: {} })
      const world = __stryker__.currentTestId
      const ids = world === undefined ? all.static : (all.perTest[world] ??= {})
      ids[id] = 1
    }`

  const places: ReadonlyArray<readonly [string, { readonly [id: string]: string }]> = [
    ["50, spread", { "from the start": "500" }],
    ["from === to", { "another way": "from !== to", "the same way": "to === from" }],
  ]

  test("judge mutants of the core, also where one is on from the start", async () => {
    let source = await readFile(join(projectRoot, file), "utf8")
    for (const [original, changes] of places) {
      const [expression = "", ...rest] = original.split(",")
      expect(source).toContain(original)
      source = source.replace(original, [switched(expression, changes), ...rest].join(","))
    }
    const ids = ["from the start", "another way", "the same way", "nowhere"]
    const mutants = ids.map((id) => ({ ...mutantOf(id, id), file }))
    const core = { mutants, sources: new Map([[file, source + CAME_BY]]) }
    const verdicts = new Map<string, Verdict>()
    const worlds = worldsOf(3)
    const [first] = worlds.map(nameOf)
    const names = new RegExp(`^(?:${worlds.map(nameOf).join("|")})$`)
    await judgeByWorlds(core, mutants, worlds, 1, ({ id }, verdict) => {
      verdicts.set(id, verdict)
    })
    expect(Object.fromEntries(verdicts)).toMatchObject({
      "from the start": { type: "noticed", world: first },
      "another way": { type: "noticed", world: expect.stringMatching(names) },
      "the same way": { type: "survived", differs: false },
      nowhere: { type: "unreached" },
    })
  })
})
