import type { Currency, CurrencyTable } from "../shared/Currency.ts"
import { fromMajor } from "../shared/Money.ts"
import { crc16, crcText } from "./Crc.ts"
import { withoutEnds } from "./ScannedText.ts"
import { readTlv, type Tlv, type TlvField, type TlvProblem } from "./Tlv.ts"

/** An error in a merchant code: the path of its tag, and its position in characters. */
export interface EmvProblem {
  readonly code:
    | TlvProblem["code"]
    | "duplicate_tag"
    | "missing_tag"
    | "bad_value"
    | "bad_crc"
    | "crc_not_last"
  readonly tag: string | null
  readonly at: number | null
  readonly message: string
}

/** An account that a code can be paid to (tags 02 to 51). */
export interface EmvAccount {
  readonly tag: string
  readonly globally_unique_identifier: string | null
  /** The whole value of a card network's account, which has no parts. */
  readonly value: string | null
  /** The parts by their paths, `01` or `01.00`. */
  readonly fields: { readonly [path: string]: string }
}

/** A convenience fee of a merchant code (tags 55 to 57). */
export type EmvFee = { readonly fixed: number } | { readonly per_ten_thousand: number }

/** A merchant-presented EMV code, with everything that could be read. */
export interface Emv {
  /** The values of the tags that have no parts. */
  readonly values: { readonly [tag: string]: string }
  readonly accounts: ReadonlyArray<EmvAccount>
  readonly additional_data: { readonly [tag: string]: string }
  readonly language: { readonly [tag: string]: string }
  readonly point_of_initiation: "static" | "dynamic" | null
  readonly currency: Currency | null
  /** In minor units; null where the payer chooses the amount. */
  readonly amount: number | null
  /**
   * The fee that the payer adds to the amount: minor units, or parts per ten thousand of the
   * amount; null if the code adds none.
   */
  readonly fee: EmvFee | null
  readonly country_code: string | null
  /** Four upper-case digits; null without one. */
  readonly crc: string | null
  /** Empty for a valid code. */
  readonly problems: ReadonlyArray<EmvProblem>
}

const HEX_CRC = /^[0-9A-Fa-f]{1,4}$/

/** Tells whether a text is meant to be an EMV code, valid or not. */
export const isEmv = (text: string): boolean => {
  const code = withoutEnds(text)
  if (/^0002\d{2}\d/.test(code)) return true
  const { fields, problem } = readTlv(code)
  const tags = new Set(fields.map(({ tag }) => tag))
  return problem === null && tags.has("00") && (tags.has("63") || tags.has("58"))
}

const problem = (
  code: EmvProblem["code"],
  field: Pick<TlvField, "tag" | "at"> | { readonly tag: string; readonly at: null },
  message: string,
): EmvProblem => ({ code, tag: field.tag, at: field.at, message })

/** Returns the last field, if a generator has left out leading zeros of its CRC. */
const shortCrc = (text: string, read: Tlv): TlvField | undefined => {
  if (read.problem?.code !== "too_short" || read.problem.tag !== "63") return undefined
  const { at } = read.problem
  const last = [...text].slice(at).join("")
  const value = last.slice(4)
  return last.startsWith("6304") && HEX_CRC.test(value) ? { tag: "63", value, at } : undefined
}

const checkCrc = (text: string, fields: ReadonlyArray<TlvField>): ReadonlyArray<EmvProblem> => {
  const field = fields.find(({ tag }) => tag === "63")
  if (field === undefined) {
    const message = "The CRC (tag 63) is missing, so the code cannot be checked for damage."
    return [problem("missing_tag", { tag: "63", at: null }, message)]
  }
  const problems: Array<EmvProblem> = []
  if (fields.at(-1) !== field) {
    problems.push(problem("crc_not_last", field, "The CRC (tag 63) must be the last field."))
  }
  const before = [...text].slice(0, field.at).join("")
  const length = [...text].slice(field.at + 2, field.at + 4).join("")
  const expected = new Set([crc16(`${before}6304`), crc16(`${before}63${length}`)])
  if (!HEX_CRC.test(field.value) || !expected.has(Number.parseInt(field.value, 16))) {
    const right = crcText(crc16(`${before}6304`))
    const value = JSON.stringify(field.value)
    const message = `The CRC is ${value} but must be ${right}: the code was changed or misread.`
    problems.push(problem("bad_crc", field, message))
  }
  return problems
}

const partsOf = (
  field: TlvField,
): { readonly fields: ReadonlyArray<TlvField>; readonly problem: TlvProblem | null } =>
  readTlv(field.value, field.at + 4, field.tag)

const byTag = (fields: ReadonlyArray<TlvField>): { readonly [tag: string]: string } =>
  Object.fromEntries(fields.toReversed().map(({ tag, value }) => [tag, value]))

/** Returns the parts of an account, and the parts of nested parts. */
const accountFields = (parts: ReadonlyArray<TlvField>): { readonly [path: string]: string } => {
  const found: Record<string, string> = { ...byTag(parts) }
  for (const { tag, value } of parts) {
    const nested = readTlv(value)
    if (tag === "00" || nested.problem !== null || nested.fields[0]?.tag !== "00") continue
    for (const part of nested.fields) found[`${tag}.${part.tag}`] ??= part.value
  }
  return found
}

const isAccount = ({ tag }: TlvField): boolean => tag >= "02" && tag <= "51"

const readAccount = (field: TlvField) => {
  const none = { tag: field.tag, globally_unique_identifier: null, value: field.value, fields: {} }
  // Card networks and older schemes have a plain number here, without parts.
  if (field.tag < "26") return { account: none, problem: null }
  const parts = partsOf(field)
  const fields = accountFields(parts.fields)
  const account: EmvAccount = {
    tag: field.tag,
    globally_unique_identifier: fields["00"] ?? null,
    value: null,
    fields,
  }
  return { account, problem: parts.problem }
}

const repeated = (fields: ReadonlyArray<TlvField>): ReadonlyArray<EmvProblem> => {
  const seen = new Set<string>()
  return fields.flatMap((field) => {
    if (seen.has(field.tag)) {
      return [problem("duplicate_tag", field, `Tag ${field.tag} occurs twice. The first is used.`)]
    }
    seen.add(field.tag)
    return []
  })
}

interface Checked<A> {
  readonly value: A | null
  readonly problem?: EmvProblem
}

const currencyOf = (field: TlvField | undefined, table: CurrencyTable): Checked<Currency> => {
  if (field === undefined) return { value: null }
  const found = [...table.values()].find(({ numeric }) => numeric === field.value)
  if (found !== undefined) return { value: found }
  const message = `The currency ${JSON.stringify(field.value)} (tag 53) is not an ISO 4217 number.`
  return { value: null, problem: problem("bad_value", field, message) }
}

const amountOf = (field: TlvField | undefined, currency: Currency | null): Checked<number> => {
  if (field === undefined) return { value: null }
  const shown = JSON.stringify(field.value)
  if (currency === null) {
    const message = `The amount ${shown} (tag 54) has no known currency.`
    return { value: null, problem: problem("bad_value", field, message) }
  }
  const minor = fromMajor(field.value.replace(/\.$/, ""), currency)
  if (minor === undefined) {
    const { code, exponent } = currency
    const message = `The amount ${shown} (tag 54) is not valid in ${code} (${exponent} decimals).`
    return { value: null, problem: problem("bad_value", field, message) }
  }
  return { value: minor === 0 ? null : minor }
}

const MOST_PERCENT = 100

const wholeHundredths = (text: string): number | undefined => {
  const found = /^(\d{1,3})(?:\.(\d{0,2}))?$/.exec(text)
  if (found === null) return undefined
  const value = Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"))
  return value <= MOST_PERCENT * 100 ? value : undefined
}

/** Reads the fee that tag 55 announces: 02 the fixed one of tag 56, 03 the percentage of 57. */
const feeOf = (
  first: (tag: string) => TlvField | undefined,
  currency: Currency | null,
): Checked<EmvFee> => {
  const announced = first("55")
  const tag = announced?.value === "02" ? "56" : announced?.value === "03" ? "57" : undefined
  if (announced === undefined || tag === undefined) return { value: null }
  const field = first(tag)
  if (field === undefined) {
    const message = `A fee is announced (tag 55), but its tag ${tag} is missing.`
    return { value: null, problem: problem("missing_tag", { tag, at: null }, message) }
  }
  const fixed =
    tag === "56" && currency !== null
      ? fromMajor(field.value.replace(/\.$/, ""), currency)
      : undefined
  const per_ten_thousand = tag === "57" ? wholeHundredths(field.value) : undefined
  if (fixed === 0 || per_ten_thousand === 0) return { value: null }
  if (fixed !== undefined) return { value: { fixed } }
  if (per_ten_thousand !== undefined) return { value: { per_ten_thousand } }
  const wrong = tag === "56" && currency === null ? "has no known currency" : "is not valid"
  const message = `The fee ${JSON.stringify(field.value)} (tag ${tag}) ${wrong}.`
  return { value: null, problem: problem("bad_value", field, message) }
}

const INITIATION = { "11": "static", "12": "dynamic" } as const

const initiationOf = (field: TlvField | undefined): Checked<"static" | "dynamic"> => {
  if (field === undefined) return { value: null }
  if (field.value === "11" || field.value === "12") return { value: INITIATION[field.value] }
  const value = JSON.stringify(field.value)
  const message = `The point of initiation (tag 01) must be 11 or 12, not ${value}.`
  return { value: null, problem: problem("bad_value", field, message) }
}

const required = (fields: ReadonlyArray<TlvField>): ReadonlyArray<EmvProblem> => {
  const format = fields.find(({ tag }) => tag === "00")
  const missing = { tag: "00", at: null }
  return [
    ...(format === undefined
      ? [problem("missing_tag", missing, "The payload format (tag 00) is missing.")]
      : /^0[1-9]$/.test(format.value)
        ? []
        : [
            problem(
              "bad_value",
              format,
              "The payload format (tag 00) must be 01, or 02 in some schemes.",
            ),
          ]),
    ...(fields.some(isAccount)
      ? []
      : [problem("missing_tag", { tag: "26", at: null }, "The code names no account to pay.")]),
  ]
}

const TEMPLATES = new Set(["62", "64"])

/**
 * Reads a merchant-presented EMV code of any country. Lengths count characters, the CRC is over
 * bytes, and tags come in any order. For a damaged code, `problems` describes the errors, and the
 * parts before them are returned. {@link isEmv} tells whether a text is meant to be such a code.
 */
export const parseEmv = (scanned: string, currencies: CurrencyTable): Emv => {
  const text = withoutEnds(scanned)
  const read = readTlv(text)
  const short = shortCrc(text, read)
  const fields = short === undefined ? read.fields : [...read.fields, short]
  const first = (tag: string) => fields.find((field) => field.tag === tag)
  const accounts = fields.filter(isAccount).map(readAccount)
  const templates = ["62", "64"].map((tag) => {
    const field = first(tag)
    return field === undefined ? { fields: [], problem: null } : partsOf(field)
  })
  const currency = currencyOf(first("53"), currencies)
  const amount = amountOf(first("54"), currency.value)
  const fee = feeOf(first, currency.value)
  const initiation = initiationOf(first("01"))
  const problems: ReadonlyArray<EmvProblem | null | undefined> = [
    short === undefined ? read.problem : null,
    ...repeated(fields),
    ...required(fields),
    initiation.problem,
    ...accounts.map(({ problem: found }) => found),
    currency.problem,
    amount.problem,
    fee.problem,
    ...templates.map(({ problem: found }) => found),
    ...checkCrc(text, fields),
  ]
  const plain = fields.filter((field) => !isAccount(field) && !TEMPLATES.has(field.tag))
  const crc = first("63")?.value.toUpperCase() ?? null
  return {
    values: byTag(plain),
    accounts: accounts.map(({ account }) => account),
    additional_data: byTag(templates[0]?.fields ?? []),
    language: byTag(templates[1]?.fields ?? []),
    point_of_initiation: initiation.value,
    currency: currency.value,
    amount: amount.value,
    fee: fee.value,
    country_code: first("58")?.value.toUpperCase() ?? null,
    crc: crc === null ? null : crc.padStart(4, "0"),
    problems: problems.filter((found) => found != null),
  }
}
