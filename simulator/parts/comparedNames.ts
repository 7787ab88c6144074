// Written independently of core/shared on purpose.

import { isDisguised, lookOf } from "../../core/shared/Look.ts"
import { nameKey } from "../../core/shared/Text.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"

/** Names beside what they are compared by, and what they look like. */
const NAMES: ReadonlyArray<readonly [name: string, key: string, look: string, odd: boolean]> = [
  ["Papers", "papers", "papers", false],
  ["  Two   Words ", "two words", "two words", true],
  ["STRASSE", "strasse", "strasse", false],
  ["Straße", "strasse", "strasse", false],
  ["ΣΊΣΥΦΟΣ", "σίσυφος", "cίcuφoc", false],
  ["Pаpers", "pаpers", "papers", true],
  ["раре", "раре", "pape", true],
  ["Рубль", "рубль", "pybлb", false],
  ["zero\u200bwidth", "zerowidth", "zerowidth", false],
  ["Ｐａｐｅｒｓ", "ｐａｐｅｒｓ", "papers", true],
  ["Papers.", "papers.", "papers", true],
  [".Papers", ".papers", "papers", true],
  ["PayPaI", "paypai", "paypal", false],
  ["HAI", "hai", "hai", false],
  ["g00gle 1", "g00gle 1", "google l", false],
  ["Søren", "søren", "soren", false],
  ["don’t", "don’t", "don't", false],
  ["Wi‐Fi", "wi‐fi", "wi-fi", false],
  ["a\u2800b", "a\u2800b", "a b", false],
  ["①", "①", "l", true],
]

/** Compares names by their keys and their looks. */
export const names = (): ReadonlyArray<Calculated> =>
  NAMES.flatMap(([name, key, look, odd]) => [
    { what: `the key of ${name}`, expected: key, found: nameKey(name) },
    { what: `the look of ${name}`, expected: look, found: lookOf(name) },
    { what: `whether ${name} is odd`, expected: odd, found: isDisguised(name) },
  ])
