import { expect, test } from "vitest"
import { Marks, parsePosition } from "../../../../adapters/postgres/replicas/Marks.ts"

test.each([
  ["0/0", 0n],
  ["0/1A2B3C8", 0x1a2b3c8n],
  ["16/B374D848", 0x16b374d848n],
  // Positions right after a page header, and after the first header of a file, with nothing to
  // replay.
  ["0/3002018", 0x3002000n],
  ["0/3000028", 0x3000000n],
  ["0/3000030", 0x3000030n],
])("the position %s", (text, position) => {
  expect(parsePosition(text)).toBe(position)
})

const marks = () => {
  const made = new Marks(1_000)
  made.add({ at: 100, history: "one", line: "1", position: 10n })
  made.add({ at: 200, history: "one", line: "1", position: 20n })
  made.add({ at: 300, history: "one", line: "1", position: 20n })
  made.add({ at: 400, history: "two", line: "1", position: 15n })
  return made
}

test.each([
  ["one", 9n, undefined],
  ["one", 10n, 100],
  ["one", 19n, 100],
  ["one", 20n, 300],
  // A position of another history means nothing, however large it is.
  ["one", 99n, 300],
  ["two", 14n, undefined],
  ["two", 99n, 400],
  ["elsewhere", 99n, undefined],
])("a server with the history %s at %s shows all up to %s", (history, position, at) => {
  expect(marks().shownBy(history, position)).toBe(at)
})

test("moments of long ago are forgotten", () => {
  const made = marks()
  made.add({ at: 1_250, history: "two", line: "1", position: 30n })
  expect(made.shownBy("one", 99n)).toBe(300)
  expect(made.shownBy("one", 19n)).toBeUndefined()
})
