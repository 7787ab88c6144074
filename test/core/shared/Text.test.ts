import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { block, line, nameKey, shortLine } from "../../../core/shared/Text.ts"

const accepts = (schema: Schema.Decoder<unknown>, text: unknown): boolean =>
  Result.isSuccess(Schema.decodeUnknownResult(schema)(text))

const why = (schema: Schema.Decoder<unknown>, text: unknown): string => {
  const decoded = Schema.decodeUnknownResult(schema)(text)
  return Result.isFailure(decoded) ? decoded.failure.message : ""
}

const controls = [
  "\u0000",
  "\u0001",
  "\u0008",
  "\u000b",
  "\u000c",
  "\u000e",
  "\u001b",
  "\u001f",
  "\u007f",
  "\u0080",
  "\u0085",
  "\u009f",
]
const bidirectional = [
  "\u202a",
  "\u202b",
  "\u202c",
  "\u202d",
  "\u202e",
  "\u2066",
  "\u2067",
  "\u2068",
  "\u2069",
]
const breaks = ["\n", "\r", "\t", "\u2028", "\u2029"]

describe.each([
  ["line", line],
  ["block", block],
] as const)("%s", (_, make) => {
  const text = make(5)

  it.each([undefined, null, 1, true, {}, ["a"]])("%j is no text", (value) => {
    expect(accepts(text, value)).toBe(false)
  })

  it.each(["", " ", "\u00a0", "\u3000 "])("%j is empty", (value) => {
    expect(why(text, value)).toContain("must not be empty")
  })

  it.each([...controls, ...bidirectional])("%j is refused wherever it stands", (character) => {
    for (const value of [`${character}a`, `a${character}b`, `a${character}`]) {
      expect(why(text, value)).toContain("control or bidirectional")
    }
  })

  it.each(["abcdef", "🦊🦊🦊🦊🦊🦊", "äöüßéñ"])("%s is too long for 5", (value) => {
    expect(why(text, value)).toContain("at most 5 characters")
  })

  it.each(["a", "abcde", "🦊🦊🦊🦊🦊", "中文", " a ", "a\u200db", "<b>", "'; --"])(
    "%s is text",
    (value) => expect(accepts(text, value)).toBe(true),
  )
})

describe("line and block", () => {
  it.each(breaks)("%j breaks a line and is part of a block", (character) => {
    expect(why(line(5), `a${character}b`)).toContain("single line")
    expect(accepts(block(5), `a${character}b`)).toBe(true)
  })

  it.each(["\u00ad", "\u200b", "\u2060", "\ufe0e", "\ufeff", "\u{e0001}"])(
    "%j is seen by nobody, and refused on a line",
    (character) => {
      for (const value of [`${character}a`, `a${character}b`, `a${character}`]) {
        expect(why(line(5), value)).toContain("no invisible characters")
      }
    },
  )

  it.each(["\u2764\ufe0f", "\u{1f469}\u200d\u{1f467}"])("%s is text on a line", (emoji) =>
    expect(accepts(line(5), emoji)).toBe(true),
  )

  it("give text back unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (text) => {
        const decoded = Schema.decodeUnknownResult(block(1_000))(text)
        if (Result.isSuccess(decoded)) expect(decoded.success).toBe(text)
        else
          expect(text.trim() === "" || /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text)).toBe(true)
      }),
    )
  })
})

describe("nameKey", () => {
  it.each([
    ["Weather", "Wether"],
    ["a b", "ab"],
    ["e", "é"],
    ["1", "１"],
  ])("%j and %j are different names", (a, b) => expect(nameKey(a)).not.toBe(nameKey(b)))

  it.each([
    ["Weather", "wEATHER"],
    ["Weather", "  weather\n"],
    ["Café", "cafe\u0301"],
    ["CAFÉ", "café"],
    ["J\u030cx", "\u01f0X"],
    ["ΌΔΟΣ", "όδος"],
    ["όδοσ", "όδος"],
    ["STRASSE", "straße"],
    ["İ", "i\u0307"],
  ])("%j and %j are one name", (a, b) => expect(nameKey(a)).toBe(nameKey(b)))

  it("is the same whatever the case and composition, and for its own result", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const key = nameKey(name)
        for (const other of [key, name.toLowerCase(), name.normalize("NFD"), ` ${name}\t`]) {
          expect(nameKey(other)).toBe(key)
        }
      }),
    )
  })

  it("regards no case in any letter of the basic plane without a subscript iota", () => {
    for (let code = 0x21; code < 0xd800; code += 1) {
      const letter = String.fromCodePoint(code)
      const decomposed = letter.normalize("NFD") + letter.toLowerCase().normalize("NFD")
      if (decomposed.includes("\u0345")) continue
      expect(nameKey(`a${letter}b`), code.toString(16)).toBe(nameKey(`a${letter}b`.toUpperCase()))
    }
  })
})

describe("a short line", () => {
  it.each([
    [" a  b\n\tc ", 5, "a b c"],
    ["a b c", 4, "a b"],
    ["🙂🙂🙂", 2, "🙂🙂"],
    ["a🙂", 1, "a"],
    ["  ", 5, ""],
  ])("of %j with %i characters", (text, max, wanted) => {
    expect(shortLine(text, max)).toBe(wanted)
  })
})
