import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "../../../core/shared/Text.ts"

const cases: ReadonlyArray<readonly [value: unknown, text: string]> = [
  [
    { b: 1, a: { d: [2, { f: null, e: "é" }], c: true } },
    '{"a":{"c":true,"d":[2,{"e":"é","f":null}]},"b":1}',
  ],
  [{ b: undefined, a: 1 }, '{"a":1}'],
  [{ 10: "ten", 9: "nine" }, '{"10":"ten","9":"nine"}'],
  // By code units, an astral letter comes before the last letters of the basic plane.
  [{ "\uff5a": 1, "\ud835\udc9c": 2, z: 3, Z: 4 }, '{"Z":4,"z":3,"𝒜":2,"ｚ":1}'],
  [{}, "{}"],
  [[], "[]"],
  [undefined, "null"],
]

/** The same object with its keys in another order. */
const turned = (value: object): object => Object.fromEntries(Object.entries(value).toReversed())

describe("canonical JSON", () => {
  for (const [value, text] of cases) {
    it(`is ${text}`, () => {
      expect(canonicalJson(value)).toBe(text)
    })
  }

  it("is in the order of the engine's own sort, however many keys there are", () => {
    const letters = fc.constantFrom("a", "b", "Z", "0", "9", "_", "\uff5a", "\ud835\udc9c")
    const names = fc.string({ unit: letters, maxLength: 6 })
    const objects = fc.dictionary(names, fc.integer(), { maxKeys: 48 })
    fc.assert(
      fc.property(objects, (value) => {
        const sorted = Object.keys(value).sort()
        const text = sorted.map((key) => `${JSON.stringify(key)}:${value[key]}`).join(",")
        expect(canonicalJson(value)).toBe(`{${text}}`)
        expect(canonicalJson(turned(value))).toBe(`{${text}}`)
      }),
    )
  })
})
