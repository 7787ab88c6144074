import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { parseQuery } from "../../../../adapters/http/koa/readRequest.ts"

const names = new Set(["q", "limit"])

const outcome = (query: string) => {
  const result = parseQuery(query, names)
  return Result.isSuccess(result) ? result.success : result.failure.code
}

describe("parseQuery", () => {
  test.each([
    ["", {}],
    ["q=", { q: "" }],
    ["q", { q: "" }],
    ["q=a+b%20c", { q: "a b c" }],
    ["q=a=b", { q: "a=b" }],
    ["&q=%F0%9F%98%80&", { q: "😀" }],
    ["q=%00", { q: "\u0000" }],
    ["q=weather&limit=5", { q: "weather", limit: "5" }],
  ])("reads %j", (query, expected) => {
    expect(outcome(query)).toEqual(expected)
  })

  test.each([
    "color=red",
    "q=a&q=b",
    "q=a&Q=b",
    "q[]=a",
    "q=%",
    "q=%zz",
    "q=%FF",
    "q=%ED%A0%BD",
    "%71%=a",
    "__proto__=1",
    "toString=1",
  ])("refuses %j", (query) => {
    expect(outcome(query)).toBe("INVALID_QUERY")
  })
})
