// Written independently of core/shared on purpose: addresses as texts of bits, and numbers of cards
// that are made and not recognized.

import { covers, networkOf } from "../../core/shared/Network.ts"
import { reasonFor } from "../../core/shared/Reasons.ts"
import { holdsCardNumber, shortLine } from "../../core/shared/Text.ts"
import { type Block, isInside } from "../auditor/invariants/addressBlocks.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"
import { names } from "./comparedNames.ts"
import { values } from "./sortedJson.ts"

const bitsOf = (number: number, length: number): string => number.toString(2).padStart(length, "0")

interface Drawn extends Block {
  readonly text: string
}

const drawBlock = (chance: Chance): Drawn => {
  const isOld = chance.hits(0.5)
  const width = isOld ? 32 : 128
  const near = (most: number): number => (chance.hits(0.6) ? chance.int(0, 1) : chance.int(0, most))
  const parts = Array.from({ length: isOld ? 4 : 8 }, () => near(isOld ? 255 : 65_535))
  if (!isOld && chance.hits(0.3)) parts.splice(0, 6, 0, 0, 0, 0, 0, 65_535)
  const bits = parts.map((part) => bitsOf(part, isOld ? 8 : 16)).join("")
  const length = chance.hits(0.4) ? width : chance.int(0, width)
  const address = parts.map((part) => part.toString(isOld ? 10 : 16)).join(isOld ? "." : ":")
  const suffix = length === width && chance.hits(0.5) ? "" : `/${length}`
  // The first two zeros or more may be left out once.
  const short = isOld ? address : address.replace(/(?:^|:)0(?::0)+(?::|$)/, "::")
  return { text: `${chance.hits(0.5) ? short : address}${suffix}`, bits, length }
}

const networks = (chance: Chance): ReadonlyArray<Calculated> => {
  const [outer, other] = [drawBlock(chance), drawBlock(chance)]
  const longer = outer.length + (outer.bits.length - outer.length > 0 ? 1 : 0)
  const narrower = {
    text: outer.text.replace(/\/\d+$|$/, `/${longer}`),
    bits: outer.bits,
    length: longer,
  }
  return [outer, other, narrower].flatMap((inner) => [
    {
      what: `${inner.text} in ${outer.text}`,
      expected: isInside(inner, outer),
      found: covers(outer.text, inner.text),
    },
    {
      what: `${outer.text} in ${inner.text}`,
      expected: isInside(outer, inner),
      found: covers(inner.text, outer.text),
    },
    { what: inner.text, expected: true, found: networkOf(inner.text) !== undefined },
    { what: `no ${inner.text}`, expected: false, found: covers("no block", inner.text) },
    { what: `${inner.text} in none`, expected: false, found: covers(inner.text, "no block") },
  ])
}

/** Returns digits with the check digit that makes them a card's, or with another one. */
const withCheck = (digits: string, isRight: boolean): string => {
  const sum = [...digits].toReversed().reduce((all, digit, n) => {
    const twice = Number(digit) * 2
    return all + (n % 2 === 1 ? Number(digit) : twice > 9 ? twice - 9 : twice)
  }, 0)
  const check = (10 - (sum % 10)) % 10
  return `${digits}${isRight ? check : (check + 1) % 10}`
}

/** First digits of issuers with a length of their numbers, and of nobody. */
const ISSUERS: readonly [
  readonly [string, number, boolean],
  ...ReadonlyArray<readonly [string, number, boolean]>,
] = [
  ["4", 13, true],
  ["4", 16, true],
  ["4", 19, true],
  ["4", 14, false],
  ["51", 16, true],
  ["55", 16, true],
  ["50", 16, false],
  ["56", 16, false],
  ["2221", 16, true],
  ["2229", 16, true],
  ["2220", 16, false],
  ["223", 16, true],
  ["23", 16, true],
  ["26", 16, true],
  ["270", 16, true],
  ["2720", 16, true],
  ["2721", 16, false],
  ["28", 16, false],
  ["34", 15, true],
  ["37", 15, true],
  ["36", 14, true],
  ["38", 16, true],
  ["35", 15, false],
  ["6011", 16, true],
  ["6012", 16, false],
  ["644", 16, true],
  ["643", 16, false],
  ["65", 19, true],
  ["3528", 16, true],
  ["3527", 16, false],
  ["353", 16, true],
  ["300", 14, true],
  ["306", 14, false],
  ["62", 17, true],
  ["9", 16, false],
]

const cards = (chance: Chance): ReadonlyArray<Calculated> => {
  const [first, length, isIssuer] = chance.pick(ISSUERS)
  const fill = Array.from({ length: length - 1 - first.length }, () => chance.int(0, 9)).join("")
  const isRight = chance.hits(0.7)
  const digits = withCheck(`${first}${fill}`, isRight)
  const grouped = (by: string) => digits.replace(/(\d{4})(?=\d)/g, `$1${by}`)
  const frames: ReadonlyArray<readonly [string, boolean]> = [
    [digits, true],
    [`it is ${grouped(" ")}.`, true],
    [`(${grouped("-")})`, true],
    [grouped(", "), true],
    [grouped("   "), false],
    [`a${digits}`, false],
    [`${digits}b`, false],
    [digits.slice(0, 12), false],
    [[...digits].map((digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0)).join(""), true],
  ]
  // A part of a wrong number in groups may be a right one, so only whole ones are judged.
  return frames
    .filter(([text, holds]) => (isIssuer && isRight) || !holds || text === digits)
    .map(([text, holds]) => ({
      what: `a card in ${text}`,
      expected: holds && isIssuer && isRight,
      found: holdsCardNumber(text),
    }))
}

/** Words of the decoder, and what callers are told. */
const REASONS: ReadonlyArray<readonly [string, string]> = [
  ["Missing key", "is required"],
  ["must be right", "must be right"],
  ["Expected string", "must be a text"],
  ["Expected string | null", "must be a text or null"],
  ['Expected "a" | "b" | "c"', 'must be "a", "b" or "c"'],
  ['Expected "a | b" | string', 'must be "a | b" or a text'],
  ['Expected "\\" | x" | null', 'must be "\\" | x" or null'],
  ["Expected { a: string | null } | null", "must be an object or null"],
  ["Expected Array<string | number>", "must be a list"],
  ["Expected readonly [string] | boolean", "must be a list or true or false"],
  ["Expected Manifest | Other", "must be an object"],
  ["Expected a value with a length of at least 1", "must not be empty"],
  ["Expected a value with a length of at most 5", "must have a length of at most 5"],
  ["Expected PayableMoney", 'must be an object such as {"currency": "USD", "value": 699}'],
  ["Expected an integer", "must be a whole number"],
]

/** Reads addresses, card numbers, names and JSON in two ways. */
export const textsCompared = (chance: Chance): ReadonlyArray<Calculated> => [
  ...Array.from({ length: 12 }, () => [...networks(chance), ...cards(chance)]).flat(),
  ...values(chance),
  ...names(),
  ...REASONS.map(([message, reason]) => ({
    what: message,
    expected: reason,
    found: reasonFor(message),
  })),
  { what: "a short line", expected: "a b c", found: shortLine("  a \n b\tc d", 6) },
  { what: "a line of emoji", expected: "📚📚", found: shortLine("📚📚📚", 2) },
]
