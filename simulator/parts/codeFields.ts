// Written independently of core/qr on purpose: codes are made from their fields here, and what is
// wrong with them is known without reading them.

import type { Chance } from "../random/Chance.ts"
import { type End, ended, ENDS, type Problem, problem } from "./codeEnds.ts"
import { CARDS, type Field, MONIES, SCHEMES } from "./codeTables.ts"

/** Texts by their tags or names. */
export type Texts = { readonly [name: string]: string }

const written = ([tag, value]: Field): string =>
  `${tag}${String([...value].length).padStart(2, "0")}${value}`

const joined = (fields: ReadonlyArray<Field>): string => fields.map(written).join("")

const lengthOf = (fields: ReadonlyArray<Field>): number =>
  fields.reduce((sum, field) => sum + [...written(field)].length, 0)

/** The first value of each tag. */
export const texts = (fields: ReadonlyArray<Field>): Texts =>
  Object.fromEntries(fields.toReversed().map(([tag, value]) => [tag, value]))

const ADDITIONAL = [
  ["01", "bill_number"],
  ["02", "mobile_number"],
  ["03", "store_label"],
  ["04", "loyalty_number"],
  ["05", "reference_label"],
  ["06", "customer_label"],
  ["07", "terminal_label"],
  ["08", "purpose"],
  ["09", "additional_consumer_data"],
  ["10", "merchant_tax_id"],
  ["11", "merchant_channel"],
  ["50", "50"],
] as const

const LANGUAGE = [
  ["00", "language"],
  ["01", "merchant_name"],
  ["02", "merchant_city"],
  ["03", "03"],
] as const

type Named = readonly [string, string]

/** Draws some parts of a field, and their names. */
const drawParts = (all: ReadonlyArray<Named>, chance: Chance) => {
  const some = all
    .filter(() => chance.hits(0.5))
    .map(([tag, name]) => [tag, name, `${name.slice(0, 3)}東`] as const)
  return {
    fields: some.map(([tag, , value]): Field => [tag, value]),
    names: Object.fromEntries(some.map(([, name, value]) => [name, value])),
  }
}

/** Returns the paths of an account's parts: those of parts of parts have a dot. */
export const pathsOf = (parts: ReadonlyArray<Field>): Texts => ({
  ...texts(parts),
  ...(parts.some(([tag, value]) => tag === "01" && value === "00069704360103123") && {
    "01.00": "970436",
    "01.01": "123",
  }),
})

/** What may be wrong with the beginning of a code. */
const HEADS: ReadonlyArray<readonly [fields: ReadonlyArray<Field>, wrong: string | undefined]> = [
  [[["00", "01"]], undefined],
  [[["00", "02"]], undefined],
  [[["00", "10"]], "bad_value"],
  [[["00", "00"]], "bad_value"],
  [[], "missing_tag"],
]

/** Draws what a code has, and what is wrong with it. */
const drawFields = (chance: Chance) => {
  const [head = [], wrongHead] = chance.hits(0.7)
    ? (HEADS[0] ?? [])
    : (HEADS[chance.int(0, 4)] ?? [])
  const point = chance.pick(["11", "12", "13", undefined, undefined] as const)
  const own = chance.pick(SCHEMES)
  const hasAccount = chance.hits(0.9)
  const card = chance.hits(0.3) ? chance.pick(CARDS) : undefined
  const isCut = hasAccount && chance.hits(0.1)
  const account = `${joined(own.parts)}${isCut ? "99" : ""}`
  const paid = chance.pick(MONIES)
  const additional = drawParts(ADDITIONAL, chance)
  const language = drawParts(LANGUAGE, chance)
  const name = chance.pick(["Noodles", "Café 東京", "Two\nlines"])
  const isRepeated = chance.hits(0.1)
  const fields: ReadonlyArray<Field> = [
    ...head,
    ...(point === undefined ? [] : [["01", point] as const]),
    ...(card === undefined ? [] : [[card[0], "4111"] as const]),
    ...(hasAccount ? [[own.tag, account] as const] : []),
    ["52", "5812"],
    ...paid.fields,
    ["58", own.country],
    ["59", name],
    ["60", "Town"],
    ["61", "10115"],
    ...(isRepeated ? [["60", "City"] as const] : []),
    ["62", joined(additional.fields)],
    ["64", joined(language.fields)],
  ]
  return {
    additional: additional.names,
    card,
    fields,
    hasAccount,
    head,
    isCut,
    isRepeated,
    language: language.names,
    name,
    own,
    paid,
    point,
    wrongHead,
  }
}

type Drawn = ReturnType<typeof drawFields>

/** Returns what is wrong with the fields of a code, in the order in which it is told. */
const wrongWith = (drawn: Drawn): ReadonlyArray<Problem> => {
  const { card, fields, hasAccount, isCut, isRepeated, own, paid, point, wrongHead } = drawn
  const before = (at: number): number => lengthOf(fields.slice(0, at))
  const first = (tag: string): number => before(fields.findIndex(([one]) => one === tag))
  const last = (tag: string): number => before(fields.findLastIndex(([one]) => one === tag))
  const inner = first(own.tag) + 4 + [...joined(own.parts)].length
  return [
    ...(isRepeated ? [problem("duplicate_tag", "60", last("60"))] : []),
    ...(wrongHead === undefined
      ? []
      : [problem(wrongHead, "00", wrongHead === "missing_tag" ? null : 0)]),
    ...(hasAccount || card !== undefined ? [] : [problem("missing_tag", "26", null)]),
    ...(point === "13" ? [problem("bad_value", "01", first("01"))] : []),
    ...(isCut ? [problem("bad_length", `${own.tag}.99`, inner)] : []),
    ...paid.wrong.map(([code, tag, isMissing]) =>
      problem(code, tag, isMissing === true ? null : first(tag)),
    ),
  ]
}

/** Draws a code: its text, its fields, and what is wrong with it. */
export const drawCode = (chance: Chance) => {
  const drawn = drawFields(chance)
  const end: End = chance.hits(0.5) ? "sound" : chance.pick(ENDS)
  const { crc, first, isRight, last, text } = ended(joined(drawn.fields), end)
  const problems = [...first, ...wrongWith(drawn), ...last]
  return { ...drawn, crc, hasRightSum: isRight, problems, text }
}
