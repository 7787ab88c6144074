import { describe, expect, test } from "vitest"
import { difference } from "../../simulator/auditor/saysTheSame.ts"

describe("the field that differs", () => {
  test.each<[string, unknown, unknown, string | undefined]>([
    ["nothing", { a: 1, b: [2] }, { b: [2], a: 1 }, undefined],
    ["a field that says nothing", { a: 1 }, { a: 1, b: undefined }, undefined],
    ["a value", { a: 1 }, { a: 2 }, "a: 2, not 1"],
    [
      "an inner value",
      { amount: { value: 699 } },
      { amount: { value: 700 } },
      "amount.value: 700, not 699",
    ],
    [
      "an item of a list",
      { a: [{ b: 1 }, { b: 2 }] },
      { a: [{ b: 1 }, { b: 3 }] },
      "a.1.b: 3, not 2",
    ],
    ["one that is missing", { a: 1, b: "x" }, { a: 1 }, 'b: nothing, not "x"'],
    ["null for a record", { a: { b: 1 } }, { a: null }, 'a: null, not {"b":1}'],
    ["two texts", "x", "y", '"y", not "x"'],
    ["a long text", "x", "y".repeat(100), `"${"y".repeat(78)}…, not "x"`],
    ["the version alone", { version: 1, a: 1 }, { version: 2, a: 1 }, undefined],
    ["an inner version", { a: { version: 1 } }, { a: { version: 2 } }, "a.version: 2, not 1"],
  ])("is told where %s is different", (_, expected, seen, text) => {
    expect(difference(expected, seen, ["version"])).toBe(text)
  })

  test("is told where null stands for nothing", () => {
    expect(difference({ a: 1 }, { a: 1, b: null })).toBe("b: null, not nothing")
    expect(difference({ a: { b: null } }, { a: {} })).toBe("a.b: nothing, not null")
  })
})
