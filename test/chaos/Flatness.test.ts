import { describe, expect, test } from "vitest"
import { growth, type Sample } from "./Flatness.ts"

const MINUTE = 60_000
const KILOBYTE = 1024

const steady = (n: number): Sample => ({
  at: n * MINUTE,
  resident: 180 + (n % 3),
  lag: 3 + (n % 2),
  payments: 1_000 * n,
  tables: { events: 8_000 * KILOBYTE + n * 2_000 * KILOBYTE, challenges: 64 * KILOBYTE },
})

const half = (change: (sample: Sample, n: number) => Partial<Sample>): ReadonlyArray<Sample> =>
  Array.from({ length: 37 }, (_, n) => {
    const sample = steady(n)
    return n <= 26 ? sample : { ...sample, ...change(sample, n - 26) }
  })

/** Half an hour in which payments end too, from the fifteenth minute on. */
const ending = Array.from({ length: 31 }, (_, n) => {
  const bytes = (2_000 * n + 1_000 * Math.max(0, n - 15)) * KILOBYTE
  return { ...steady(n), tables: { events: bytes } }
})

describe("a steady load", () => {
  test.each<readonly [string, ReadonlyArray<Sample>, ReadonlyArray<string>]>([
    ["finds nothing where all is flat", half(() => ({})), []],
    [
      "finds memory that grows",
      half(({ resident }, n) => ({ resident: resident + 10 * n })),
      ["181.0 MB of memory became 231.0"],
    ],
    [
      "finds a lag that grows",
      half(({ lag }, n) => ({ lag: lag + 5 * n })),
      ["3.5 ms that others waited became 28.5"],
    ],
    [
      "finds a table that grows faster than what is put into it",
      half(({ tables }, n) => ({
        tables: { ...tables, events: tables["events"]! * (1 + n / 10) },
      })),
      ["events grew by 100000 kB where 20000 were expected (10240 bytes a payment)"],
    ],
    [
      "finds a table that was not to grow at all",
      half(({ tables }, n) => ({ tables: { ...tables, challenges: n * 100 * KILOBYTE } })),
      ["challenges grew by 936 kB where 0 were expected (96 bytes a payment)"],
    ],
    ["waits until as many payments end as begin", ending, []],
    [
      "says where there is too little to say",
      [steady(0)],
      ["there are too few samples to be compared"],
    ],
  ])("%s", (_, samples, found) => {
    expect(growth(samples)).toEqual(found)
  })
})
