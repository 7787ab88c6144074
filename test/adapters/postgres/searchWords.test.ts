import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { prefixQuery, searchVector } from "../../../adapters/postgres/reads/searchWords.ts"
import {
  MOST_ENTRIES,
  searchEntries,
  searchPrefixes,
} from "../../../core/registry/SearchEntries.ts"

const manifest = { name: "", tags: [] as ReadonlyArray<string>, description: "" }

/** Whether the vector has a word with that prefix, as the database finds it. */
const finds = (vector: string, prefix: string): boolean => vector.includes(`'${prefix}`)

describe("what a manifest is found by", () => {
  it("weighs a word by the best place where it stands", () => {
    const vector = searchVector({ name: "Rain", tags: ["rain", "Sun"], description: "sun, snow" })
    expect(vector.split(" ")).toStrictEqual(["'rain':1A", "'sun':1B", "'snow':1C"])
  })

  it("finds any part of a text without spaces between words", () => {
    const vector = searchVector({ ...manifest, name: "支付服务 for ร้านอาหาร" })
    for (const q of ["支付", "付服", "服务", "务", "for", "อาหาร"]) {
      for (const prefix of searchPrefixes(q)) expect(finds(vector, prefix), q).toBe(true)
    }
    expect(finds(vector, "or")).toBe(false)
  })

  it("finds long questions piece by piece", () => {
    const text = [..."天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏"]
    const vector = searchVector({ ...manifest, description: text.join("") })
    const prefixes = searchPrefixes(text.slice(2, 22).join(""))
    expect(prefixes.length).toBeGreaterThan(1)
    for (const prefix of prefixes) expect(finds(vector, prefix)).toBe(true)
    expect(searchPrefixes(text.toReversed().join("")).some((prefix) => finds(vector, prefix))).toBe(
      false,
    )
  })
})

describe("how much a manifest is found by", () => {
  const characters = (count: number, from = 0x4e00) =>
    Array.from({ length: count }, (_, n) => String.fromCodePoint(from + n)).join("")

  it.each([
    ["Chinese", characters(4_096)],
    ["words", Array.from({ length: 1_000 }, (_, n) => `w${n}`).join(" ")],
    ["one character that stands for eighteen", "\u{fdfa}".repeat(900) + characters(3_000)],
  ])("is bounded in %s, the name and the tags first", (_, description) => {
    const entries = searchEntries({ name: "Rain 天气", tags: ["snow", "北京"], description })
    expect(entries.size).toBe(MOST_ENTRIES)
    const places = [...entries].filter(([, place]) => place !== "description")
    expect(places.map(([entry]) => entry)).toStrictEqual([
      "rain",
      "天气",
      "气",
      "snow",
      "北京",
      "京",
    ])
    const longest = Math.max(...[...entries.keys()].map((entry) => [...entry].length))
    expect(longest).toBeLessThanOrEqual(64)
  })

  it("is all of an ordinary text", () => {
    const words = Array.from({ length: 400 }, (_, n) => `word${n}`)
    const entries = searchEntries({ ...manifest, description: words.join(" ") })
    expect([...entries.keys()]).toStrictEqual(words)
  })
})

describe("what a question asks for", () => {
  it("is the beginnings of its words, each once, in one form", () => {
    expect(searchPrefixes("Pay-per-USE pay ＰＡＹ Ü")).toStrictEqual(["pay", "per", "use", "ü"])
    expect(searchPrefixes(" \t!?& ")).toStrictEqual([])
  })

  it("holds nothing that the query language or a literal would read otherwise", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (q) => {
        for (const prefix of searchPrefixes(q)) {
          expect(prefix).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u)
          expect(prefixQuery(prefix, "A")).toBe(`'${prefix}':*A`)
        }
      }),
    )
  })
})
