import { describe, expect, test } from "vitest"
import { sourceText } from "../support/sourceFiles.ts"
import { FLAWS, notice } from "./catalogue.ts"

const SEEDS = 50

describe("a world in which something is wrong", () => {
  test.each(FLAWS)(
    "is noticed: $name",
    (flaw) => {
      expect(notice(flaw, SEEDS).numbers).not.toEqual([])
    },
    120_000,
  )
})

describe("the catalogue of flaws", () => {
  test("has more than forty, with names of their own", () => {
    const names = FLAWS.map(({ name }) => name)
    expect(names.length).toBeGreaterThanOrEqual(40)
    expect(new Set(names).size).toBe(names.length)
  })

  test("is the table that the README has", async () => {
    const readme = await sourceText("simulator/README.md")
    const rows = [...readme.matchAll(/^\| (.+?) \| ([\d, ]+) \| (\d+) \|$/gm)]
    expect(rows.map(([, name]) => name)).toEqual(FLAWS.map(({ name }) => name))
    expect(rows.every(([, , , seed]) => Number(seed) <= 1_000)).toBe(true)
  })
})
