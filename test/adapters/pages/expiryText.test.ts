import { expect, test } from "vitest"
import { expiryText } from "../../../adapters/pages/shared/expiryText.ts"
import { DAY, HOUR, MINUTE } from "../../../core/shared/Timestamp.ts"

const at = (text: string): number => Date.parse(text)

test.each([
  ["a time on the same day", "2026-01-31T14:32:05Z", 15 * MINUTE, "14:32"],
  ["the last second of the day", "2026-01-31T23:59:59Z", 23 * HOUR, "23:59"],
  ["midnight, a minute later", "2026-02-01T00:00:00Z", MINUTE, "2026-02-01 00:00"],
  ["the same time a day later", "2026-02-01T14:32:00Z", DAY, "2026-02-01 14:32"],
  ["the start of the day", "2026-01-31T23:00:00Z", 23 * HOUR, "23:00"],
  ["just before the day", "2026-01-31T23:00:00Z", 23 * HOUR + 1, "2026-01-31 23:00"],
])("without a countdown, %s has its date where it needs one", (_, expiry, left, text) => {
  expect(expiryText(at(expiry), at(expiry) - left)).toBe(text)
})
