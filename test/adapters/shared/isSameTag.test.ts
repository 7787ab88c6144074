import { expect, test } from "vitest"
import { isSameTag } from "../../../adapters/shared/isSameTag.ts"

test.each<[asked: string | undefined, same: boolean]>([
  ['"a"', true],
  ['W/"a"', true],
  ['"b",\t"a" ', true],
  ["*", true],
  [undefined, false],
  ["", false],
  ['"b"', false],
  ["a", false],
  ['""a""', false],
])("the reader of version %s has it: %s", (asked, same) => {
  expect(isSameTag('"a"', asked)).toBe(same)
})
