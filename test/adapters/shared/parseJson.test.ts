import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { MAX_DEPTH, MAX_MEMBERS, parseJson } from "../../../adapters/shared/parseJson.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

const outcome = (input: string | Uint8Array) => {
  const result = parseJson(typeof input === "string" ? bytes(input) : input)
  return Result.isSuccess(result) ? result.success : result.failure.code
}

const nested = (levels: number, open: string, close: string) =>
  open.repeat(levels) + "1" + close.repeat(levels)

describe("parseJson", () => {
  test.each([
    ["no JSON", "{"],
    ["a trailing comma", `{"a":1,}`],
    ["a comment", `{"a":1} // one`],
    ["an array", "[]"],
    ["a string", `"text"`],
    ["a number", "1"],
    ["null", "null"],
    ["two objects", "{}{}"],
    ["NaN", `{"a":NaN}`],
    ["a control character in a string", `{"a":"\u0001"}`],
    ["an escaped NUL", `{"a":"\\u0000"}`],
    ["an escaped NUL in a key", `{"a\\u0000":1}`],
    ["half of a surrogate pair", `{"a":"\\ud83d"}`],
    ["the other half", `{"a":"\\ude00"}`],
    ["halves in the wrong order", `{"a":["\\ude00\\ud83d"]}`],
    ["half of a pair in a key", `{"a":{"\\ud83d":1}}`],
    ["a __proto__ key", `{"a":{"__proto__":{"admin":true}}}`],
    ["an escaped __proto__ key", `{"\\u005f_proto__":{"admin":true}}`],
    ["a constructor.prototype key", `{"constructor":{"prototype":{"admin":true}}}`],
    ["objects too deep", nested(MAX_DEPTH + 1, `{"a":`, "}")],
    ["arrays too deep", `{"a":${nested(MAX_DEPTH, "[", "]")}}`],
    ["too many elements", `{"a":[${"{},".repeat(MAX_MEMBERS - 1)}1]}`],
    [
      "too many fields",
      `{${Array.from({ length: MAX_MEMBERS + 1 }, (_, n) => `"${n}":1`).join()}}`,
    ],
    ["too many members in all", `{"a":[${"[1],".repeat(MAX_MEMBERS / 2)}1]}`],
    ["far too deep", `{"a":${nested(10_000, "[", "]")}}`],
  ])("refuses %s", (_name, text) => {
    expect(outcome(text)).toBe("INVALID_JSON")
  })

  test("refuses bytes that are no UTF-8", () => {
    // A byte that is never part of it, an overlong slash, and an encoded half of a pair.
    for (const key of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0xbd]]) {
      const object = Uint8Array.from([0x7b, 0x22, ...key, 0x22, 0x3a, 0x31, 0x7d])
      expect(outcome(object)).toBe("INVALID_JSON")
    }
  })

  test("takes what is at the limit", () => {
    expect(outcome(nested(MAX_DEPTH, `{"a":`, "}"))).toBeTypeOf("object")
    expect(outcome(`{"a":"\\ud83d\\ude00 \\u00e9"}`)).toEqual({ a: "😀 é" })
    const most = { a: Array.from({ length: MAX_MEMBERS - 1 }, () => ({})) }
    expect(outcome(JSON.stringify(most))).toEqual(most)
    const harmless = { constructor: "x", prototype: {} }
    expect(outcome(JSON.stringify(harmless))).toEqual(harmless)
  })

  test("the last of two equal keys counts", () => {
    expect(outcome(`{"a":1,"a":2}`)).toEqual({ a: 2 })
  })

  test("no bytes make it throw, and nothing that it takes is more than JSON", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (input) => {
        expect(["object", "string"]).toContain(typeof outcome(input))
      }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const text = JSON.stringify(value)
        const result = outcome(text)
        if (typeof result === "object") expect(JSON.stringify(result)).toBe(text)
        else expect(text).toMatch(/\\u|__proto__|constructor/)
      }),
    )
  })
})
