import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { holdsCardNumber } from "../../../core/shared/Text.ts"

describe("a text", () => {
  it.each([
    "4111111111111111",
    "4111 1111 1111 1111",
    "card: 4111-1111-1111-1111, thanks",
    "4111–1111–1111–1111",
    "４１１１１１１１１１１１１１１１",
    "5555555555554444",
    "2223003122003222",
    "378282246310005",
    "3782 822463 10005",
    "6011111111111117",
    "3530111333300000",
    "30569309025904",
    "6200000000000005",
    '{"note":"4012888888881881"}',
    '{"card":4222222222222}',
    "4111 1111 1111 1111 12/26",
    "4111-1111-1111-1111 123",
    "1 4111111111111111",
    "019b7726-0000-7000-8000-000000000001 4111111111111111",
    "4111-1111-1111-1111-111111111111",
    "4111  1111  1111  1111",
    "4111_1111_1111_1111",
    "4111/1111/1111/1111",
    "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
  ])("%s holds a card's number", (text) => {
    expect(holdsCardNumber(text)).toBe(true)
  })

  it.each([
    "",
    "One paper",
    "order 8842",
    "4111111111111112",
    "411111111111111",
    "1767225600000",
    "9999999999999995",
    "a4111111111111111",
    "41111111111111110000000",
    "019b7726-0000-7000-8000-000000000001",
    "41143382-6842-4032-b6a7-f2a21a618dd9",
    "order 42016588-2692-4080-843D-926514EDD4C9, twice",
    "+14155550123",
    "4111 and 1111 and 1111 and 1111",
    "2026-11-22 17:32:44, 4.50 of 1,000,000",
  ])("%s holds none", (text) => {
    expect(holdsCardNumber(text)).toBe(false)
  })

  it("of any length is looked at in time", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("4", "1", " ", "-", "a"), maxLength: 4096 }),
        (text) => {
          const begun = process.cpuUsage()
          holdsCardNumber(text)
          expect(process.cpuUsage(begun).user).toBeLessThan(5_000_000)
        },
      ),
      { numRuns: 200 },
    )
  })
})
