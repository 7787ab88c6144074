import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { parseEmv } from "../../core/qr/Emv.ts"
import { understandEmv } from "../../core/qr/EmvItem.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"
import { drawCode, pathsOf, texts } from "./codeFields.ts"
import { codeCurrencies } from "./merchantCodes.ts"

type Code = ReturnType<typeof drawCode>

const POINTS = { "11": "static", "12": "dynamic" } as const

/** Returns what a code says, under the names of its fields. */
const payloadOf = ({
  additional,
  crc,
  hasRightSum,
  head,
  language,
  name,
  own,
  paid,
  point,
}: Code) => {
  const money = texts(paid.fields)
  return {
    payload_format_indicator: texts(head)["00"] ?? null,
    point_of_initiation_method: point ?? null,
    merchant_category_code: "5812",
    transaction_currency: money["53"] ?? null,
    transaction_amount: money["54"] ?? null,
    country_code: own.country.toUpperCase(),
    merchant_name: name.replace("\n", "\ufffd"),
    merchant_city: "Town",
    postal_code: "10115",
    tip_or_convenience_indicator: money["55"] ?? null,
    convenience_fee_fixed: money["56"] ?? null,
    convenience_fee_percentage: money["57"] ?? null,
    additional_data: additional,
    merchant_information_language: language,
    crc,
    crc_valid: hasRightSum,
    point: point === undefined || point === "13" ? null : POINTS[point],
  }
}

const accountsOf = ({ card, hasAccount, own }: Code) => [
  ...(card === undefined
    ? []
    : [{ tag: card[0], vendor: card[1] || null, identifier: null, value: "4111", fields: {} }]),
  ...(hasAccount
    ? [
        {
          tag: own.tag,
          vendor: own.vendor,
          identifier: own.parts[0]?.[1] ?? null,
          value: null,
          fields: pathsOf(own.parts),
        },
      ]
    : []),
]

/** Draws a code, and compares all that is read of it. */
const readCode = (chance: Chance, hears: (text: string) => string): ReadonlyArray<Calculated> => {
  const code = drawCode(chance)
  const { card, hasAccount, own, paid, problems, text } = code
  const scanned = hears(`${text}${chance.pick(["", "\r\n", " \u0000"])}`)
  const emv = parseEmv(scanned, codeCurrencies)
  const { item } = understandEmv(emv, { text, version: null }, defaultCatalog)
  const payload = item.parsed_payload
  const { merchant_account_info = [], vendor = null, ...said } = payload ?? {}
  const what = JSON.stringify(text)
  const isOnly = hasAccount && card === undefined
  return [
    {
      what: `problems of ${what}`,
      expected: problems,
      found: emv.problems.map(({ at, code: kind, tag }) => ({ code: kind, tag, at })),
    },
    {
      what: `the money of ${what}`,
      expected: [paid.currency, paid.amount, paid.fee],
      found: [emv.currency?.code ?? null, emv.amount, emv.fee],
    },
    {
      what: `the payload of ${what}`,
      expected: payloadOf(code),
      found: { ...said, point: emv.point_of_initiation },
    },
    {
      what: `the accounts of ${what}`,
      expected: accountsOf(code),
      found: merchant_account_info.map((one) => ({
        tag: one.tag,
        vendor: one.vendor,
        identifier: one.globally_unique_identifier,
        value: one.value,
        fields: one.fields,
      })),
    },
    {
      what: `the trust in ${what}`,
      expected: problems.length > 0 ? 0.3 : vendor === null ? 0.9 : 1,
      found: item.confidence,
    },
    {
      what: `the payee of ${what}`,
      expected: isOnly ? [own.vendor, own.merchant_id, own.url ?? null] : null,
      found: isOnly ? [vendor, item.merchant.id, item.payment_url] : null,
    },
  ]
}

/** Reads merchant codes, sound and damaged, whose fields are known. */
export const codesRead = (
  chance: Chance,
  hears: (text: string) => string,
): ReadonlyArray<Calculated> => Array.from({ length: 20 }, () => readCode(chance, hears)).flat()
