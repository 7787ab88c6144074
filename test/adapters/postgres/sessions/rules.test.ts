import { expect, test } from "vitest"
import { pauseAfter } from "../../../../adapters/postgres/sessions/Backoff.ts"
import { Silence } from "../../../../adapters/postgres/sessions/Silence.ts"

test.each([
  [1, 0, 50],
  [2, 0, 100],
  [4, 0, 400],
  [5, 0, 500],
  [1_000, 0, 500],
  [1, 1, 25],
  [5, 0.5, 375],
])("after %i failures and with chance %d the pause is %d ms", (failures, chance, pause) => {
  expect(pauseAfter(failures, chance)).toBe(pause)
})

test("silence is counted from the question, or from the last byte that was seen", () => {
  const source = { bytesRead: 100 }
  const silence = new Silence(source)
  silence.begin(1_000)
  expect(silence.at(3_000)).toBe(2_000)
  source.bytesRead = 101
  expect(silence.at(4_000)).toBe(0)
  expect(silence.at(4_500)).toBe(500)
  silence.begin(9_000)
  expect(silence.at(9_100)).toBe(100)
})
