import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decode } from "../../../core/shared/Decode.ts"
import { searchWords, ServiceQuery } from "../../../core/registry/ServiceQuery.ts"

const codes = Object.fromEntries(
  Object.keys(ServiceQuery.fields).map((field) => [field, "INVALID_QUERY"] as const),
)
const parse = decode(ServiceQuery, { codes })

describe("the query of a search", () => {
  it.each<[string, unknown]>([
    ["limit", "0"],
    ["limit", "101"],
    ["limit", "-1"],
    ["limit", "1.5"],
    ["limit", "1e1"],
    ["limit", "ten"],
    ["limit", ""],
    ["limit", " 5"],
    ["limit", "9".repeat(400)],
    ["limit", ["5", "6"]],
    ["offset", "-1"],
    ["offset", "x"],
    ["offset", "9".repeat(16)],
    ["status", "open"],
    ["status", ""],
    ["status", "ACTIVE"],
    ["payment_method", "donation"],
    ["channel", ["wallet_a", "wallet_b"]],
    ["q", ["one", "two"]],
  ])("with %s=%j is refused", (field, value) => {
    const { code, field: named } = Result.getOrThrow(Result.flip(parse({ [field]: value })))
    assert.deepStrictEqual([code, named], ["INVALID_QUERY", field])
  })

  it.each<[object, object]>([
    [{}, { limit: 20, offset: 0 }],
    [
      { limit: "1", offset: "0" },
      { limit: 1, offset: 0 },
    ],
    [
      { limit: "100", offset: "999999999999999" },
      { limit: 100, offset: 999_999_999_999_999 },
    ],
    [
      { q: "a", status: "draft", channel: "x" },
      { q: "a", status: "draft", channel: "x", limit: 20, offset: 0 },
    ],
  ])("%j is read", (query, expected) => {
    assert.deepStrictEqual<object>(Result.getOrThrow(parse(query)), expected)
  })
})

describe("the words of a search", () => {
  it.each<[string | undefined, string | undefined]>([
    [undefined, undefined],
    ["", undefined],
    [" \t\n", undefined],
    ["\u0000\u0007\u202e", undefined],
    ["\ud800", undefined],
    ["two  words ", "two words"],
    ["nul\u0000byte", "nul byte"],
    ["\"(a & b) | !c:*' \\", "\"(a & b) | !c:*' \\"],
    ["𝄞 clef", "𝄞 clef"],
    ["x".repeat(300), "x".repeat(256)],
  ])("of %j are %j", (q, words) => {
    assert.strictEqual(searchWords(q), words)
  })
})
