// Written independently of core/shared on purpose: with fractions of whole numbers, and in another
// order.

import {
  equals,
  fromMajor,
  grouped,
  halfEven,
  isPayable,
  nextShare,
  proportion,
  proportionUp,
  toMajor,
  written,
} from "../../core/shared/Money.ts"
import { convert, cross, leastConverted, worth } from "../../core/shared/Rate.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"
import { readings } from "./ratesRead.ts"

const big = (chance: Chance): number =>
  chance.pick<() => number>([
    () => chance.int(0, 20),
    () => chance.int(0, 5_000),
    () => chance.int(1, 999_999_999),
    () => chance.int(1, 1_000) * 1_000_000_000 - chance.int(0, 1),
  ])()

/** Divides whole numbers; halves go to the even neighbour, up, or all goes down. */
const divided = (above: bigint, below: bigint, mode: "half-even" | "floor" | "up"): bigint => {
  const rest = ((above % below) + below) % below
  const floor = (above - rest) / below
  if (rest === 0n || mode === "floor") return floor
  if (mode === "up") return floor + 1n
  if (rest + rest === below) return floor % 2n === 0n ? floor : floor + 1n
  return rest + rest < below ? floor : floor + 1n
}

/** Returns a decimal as a fraction. */
const fraction = (text: string): readonly [bigint, bigint] => {
  const at = text.indexOf(".")
  const places = at === -1 ? 0 : text.length - at - 1
  return [BigInt(text.replace(".", "")), 10n ** BigInt(places)]
}

/** Writes a fraction of a power of ten as the shortest decimal. */
const decimalOf = (value: bigint, places: number): string => {
  const digits = value.toString().padStart(places + 1, "0")
  const cut = digits.length - places
  const end = places === 0 ? "" : digits.slice(cut).replace(/0+$/, "")
  return `${digits.slice(0, cut)}${end === "" ? "" : `.${end}`}`
}

/** Rounds a fraction to so many significant digits. */
const significant = (
  above: bigint,
  below: bigint,
  count: number,
  mode: "half-even" | "floor",
): string => {
  // More places than any rate has, so that the first digits are exact.
  const long = (above * 10n ** 60n) / below
  const places = Math.max(0, 60 - (long.toString().length - count))
  if (places > 0) return decimalOf(divided(above * 10n ** BigInt(places), below, mode), places)
  return decimalOf(divided(above, below, mode), 0)
}

const drawRate = (chance: Chance): string =>
  chance.pick<() => string>([
    () => "1",
    () => `${chance.int(1, 20_000)}`,
    () => `${chance.int(0, 9)}.${chance.int(1, 999_999)}`,
    () => `0.00${chance.int(1, 999_999)}`,
    () => `${chance.int(100, 99_999)}.${chance.int(10, 99)}5`,
  ])()

const EXPONENTS = [0, 2, 2, 3] as const

const shares = (chance: Chance): ReadonlyArray<Calculated> => {
  const [value, whole] = [big(chance), big(chance)]
  const part = whole === 0 ? 0 : chance.int(0, 3) === 0 ? whole : chance.int(0, whole)
  const before = chance.int(0, whole - part)
  const of = (some: number, mode: "half-even" | "up"): number =>
    whole === 0 ? 0 : Number(divided(BigInt(value) * BigInt(some), BigInt(whole), mode))
  const what = `${value} × ${part} / ${whole}`
  const denominator = whole + 1
  return [
    { what, expected: of(part, "half-even"), found: proportion(value, part, whole) },
    { what: `${what}, up`, expected: of(part, "up"), found: proportionUp(value, part, whole) },
    {
      what: `${what} after ${before}`,
      expected: of(before + part, "half-even") - of(before, "half-even"),
      found: nextShare(value, before, part, whole),
    },
    {
      what: `${value} / ${denominator}`,
      expected: Number(divided(BigInt(value), BigInt(denominator), "half-even")),
      found: halfEven(BigInt(value), BigInt(denominator)),
    },
    ...[1, 3, 5, 7].map((odd) => ({
      what: `${odd} / 2`,
      expected: Number(divided(BigInt(odd), 2n, "half-even")),
      found: proportion(odd, 1, 2),
    })),
  ]
}

/** Splits a number in groups of three from behind. */
const groups = (text: string): string => {
  const [whole = "", ...rest] = text.split(".")
  let left = whole
  const parts: Array<string> = []
  while (left.length > 3) {
    parts.unshift(left.slice(-3))
    left = left.slice(0, -3)
  }
  return [[left, ...parts].join(","), ...rest].join(".")
}

const majors = (chance: Chance): ReadonlyArray<Calculated> => {
  const exponent = chance.pick(EXPONENTS)
  const currency = { code: "XTS", exponent }
  const value = big(chance)
  const digits = String(value).padStart(exponent + 1, "0")
  const cut = digits.length - exponent
  const text = exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`
  const money = { currency: "XTS", value }
  const what = `${value} with ${exponent} decimals`
  const odd = chance.pick(["", "-1", "1.", ".5", "1e3", "1,5", " 1", "12345678901234567", "0x1"])
  const fine = `${text}${exponent === 0 ? "." : ""}${"0".repeat(3)}`
  return [
    { what, expected: text, found: toMajor(money, currency) },
    {
      what: `−${what}`,
      expected: value === 0 ? text : `-${text}`,
      found: toMajor({ ...money, value: -value }, currency),
    },
    { what: `${what} in words`, expected: `${groups(text)} XTS`, found: written(money, currency) },
    { what: `${what} in groups`, expected: groups(String(value)), found: grouped(value) },
    { what: text, expected: value, found: fromMajor(text, currency) },
    { what: fine, expected: value, found: fromMajor(fine, currency) },
    { what: `${fine}1`, expected: undefined, found: fromMajor(`${fine}1`, currency) },
    { what: odd, expected: undefined, found: fromMajor(odd, currency) },
    {
      what: `${what}, payable`,
      expected: value > 0 && value <= 1e12,
      found: isPayable(value),
    },
    ...[0, 1, 1e12, 1e12 + 1, 0.5].map((one) => ({
      what: `${one}, payable`,
      expected: one === 1 || one === 1e12,
      found: isPayable(one),
    })),
    {
      what: "the most",
      expected: [1e12, undefined],
      found: ["1000000000000", "1000000000001"].map((most) =>
        fromMajor(most, { code: "XTS", exponent: 0 }),
      ),
    },
    {
      what: "equal amounts",
      expected: [true, false, false],
      found: [
        equals(money, { ...money }),
        equals(money, { ...money, value: value + 1 }),
        equals(money, { ...money, currency: "XXX" }),
      ],
    },
  ]
}

const rates = (chance: Chance): ReadonlyArray<Calculated> => {
  const [one, other] = [drawRate(chance), drawRate(chance)]
  const spread = chance.pick([0, 0, 1, 100, 2_500])
  const [a, b] = [fraction(one), fraction(other)]
  const above = b[0] * a[1] * (10_000n - BigInt(spread))
  const below = a[0] * b[1] * 10_000n
  const mode = spread === 0 ? "floor" : "half-even"
  const [from, to] = [chance.pick(EXPONENTS), chance.pick(EXPONENTS)]
  const [sold, bought] = [
    { code: "XAA", exponent: from },
    { code: "XBB", exponent: to },
  ]
  const value = big(chance)
  const scaled = (top: bigint, bottom: bigint, way: "half-even" | "floor" | "up") =>
    Number(divided(BigInt(value) * top * 10n ** BigInt(to), bottom * 10n ** BigInt(from), way))
  const what = `${value} (${from}) at ${one} to (${to})`
  const dollars = [
    { rate: one, currency: sold },
    { rate: other, currency: bought },
  ] as const
  const least = divided(a[1] * 10n ** BigInt(from), a[0] * 10n ** BigInt(to), "up")
  return [
    {
      what: `${one} to ${other} less ${spread}`,
      expected: significant(above, below, 12, mode),
      found: cross(one, other, spread),
    },
    {
      what,
      expected: scaled(a[0], a[1], "half-even"),
      found: convert(value, one, sold, bought, "half-even"),
    },
    {
      what: `${what}, down`,
      expected: scaled(a[0], a[1], "floor"),
      found: convert(value, one, sold, bought, "floor"),
    },
    {
      what: `the least ${what}`,
      expected: Number(least),
      found: leastConverted(one, sold, bought),
    },
    {
      what: `${what} by ${other}`,
      expected: scaled(b[0] * a[1], a[0] * b[1], "half-even"),
      found: worth(value, ...dollars, "half-even"),
    },
    {
      what: `${what} by ${other}, up`,
      expected: Math.min(scaled(b[0] * a[1], a[0] * b[1], "up"), Number.MAX_SAFE_INTEGER),
      found: worth(value, ...dollars, "up"),
    },
  ]
}

/** Calculates amounts, shares and rates in two ways. */
export const sums = (chance: Chance): ReadonlyArray<Calculated> => [
  ...Array.from({ length: 6 }, () => [
    ...shares(chance),
    ...majors(chance),
    ...rates(chance),
  ]).flat(),
  ...readings(),
]
