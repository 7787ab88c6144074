import { describe, expect, test } from "vitest"
import { sourceText } from "../support/sourceFiles.ts"
import { FLAWS } from "./catalogue.ts"
import { look, rowOf, rowsOf, TABLE } from "./table.ts"

/** The number of seeds to search if a flaw does not show in its world of the table. */
const SEEDS = 50

const rows = rowsOf(await sourceText(TABLE))
const seen = new Map<string, string>()

describe("a world in which something is wrong", () => {
  test.each(FLAWS)(
    "is noticed: $name",
    (flaw) => {
      const noticed = look(flaw, rows, SEEDS)
      expect(noticed).toBeDefined()
      if (noticed !== undefined) seen.set(flaw.name, rowOf(flaw, noticed))
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

  test("is the table that is published", () => {
    expect(rows.map(({ name }) => name)).toEqual(FLAWS.map(({ name }) => name))
    expect(rows.every(({ seed }) => seed <= 1_000)).toBe(true)
    const stale = rows.filter(({ name, text }) => seen.has(name) && seen.get(name) !== text)
    const remedy = "`node test/simulation/table.ts` writes these rows as they are now"
    expect(
      stale.map(({ name }) => seen.get(name)),
      remedy,
    ).toEqual([])
  })
})
