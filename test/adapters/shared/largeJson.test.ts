import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { flawOfLarge } from "../../../adapters/shared/largeJson.ts"
import { parseJson } from "../../../adapters/shared/parseJson.ts"

const MOST = 12 * 1024 * 1024

/** A body of the greatest size that any route takes. */
const filled = (head: string, unit: string, tail = ""): Buffer =>
  Buffer.from(
    head + unit.repeat((MOST - head.length - tail.length) / Buffer.byteLength(unit)) + tail,
  )

const outcome = (bytes: Buffer) => {
  const result = parseJson(bytes)
  return Result.isSuccess(result) ? result.success : result.failure.message
}

describe("a body of 12 MiB", () => {
  test.each([
    ["open brackets", filled("", "["), "outside of its strings"],
    ["nested objects", filled("", `{"a":`), "outside of its strings"],
    ["empty objects", filled(`{"image":[`, "{},", "1]}"), "outside of its strings"],
    ["short strings", filled(`{"image":[`, `"",`, "1]}"), "outside of its strings"],
    ["keys", filled("{", `"key":1,`, `"k":1}`), "outside of its strings"],
    ["blanks", filled(`{"image":`, " ", "1}"), "outside of its strings"],
    ["digits", filled(`{"image":`, "1", "}"), "outside of its strings"],
    ["escapes", filled(`{"image":"`, "\\u0041", `"}`), "escapes"],
    ["backslashes", filled(`{"image":"`, "\\\\", `"}`), "escapes"],
    ["escaped quotes", filled(`{"image":"`, `\\"__proto__`, `"}`), "escapes"],
    ["other letters", filled(`{"image":"`, "é", `"}`), "ASCII"],
    ["emoji", filled(`{"image":"`, "😀", `"}`), "ASCII"],
    ["a string without an end", filled(`{"image":"`, "A"), "not valid JSON"],
    ["a string that ends in a backslash", filled(`{"image":"`, "A", "\\"), "not valid JSON"],
    ["backslashes outside of strings", filled("", "\\"), "not valid JSON"],
  ])("of %s is refused before it is parsed", (_name, bytes, why) => {
    expect(flawOfLarge(bytes)).toContain(why)
    expect(outcome(bytes)).toContain(why)
  })

  test.each([
    ["an image in base64", filled(`{"image":"`, "iVBO", `"}`)],
    ["an image whose slashes are escaped", filled(`{"image":"`, "A".repeat(63) + "\\/", `"}`)],
    ["blanks in a string", filled(`{"image":"`, " ", `"}`)],
    ["an image between other fields", filled(`{"a":{"b":[1]},"image":"`, "A", `","c":null}`)],
  ])("of %s is read", (_name, bytes) => {
    expect(outcome(bytes)).toEqual(JSON.parse(bytes.toString()))
  })
})

test("a large body of few fields is read as a parser reads it", () => {
  const padding = "A".repeat(64 * 1024)
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string(), { maxKeys: 20 }), (fields) => {
      const text = JSON.stringify({ fields: Object.entries(fields), padding })
      expect(flawOfLarge(Buffer.from(text))).toBeUndefined()
      const read = outcome(Buffer.from(text))
      if (typeof read === "object") expect(read).toEqual(JSON.parse(text))
      else expect(read).toContain("surrogate pair")
    }),
  )
})
