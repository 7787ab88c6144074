import { type Catalog, type Channel, paysScheme, serves } from "../channels/Channel.ts"
import { MAX_VALUE, proportionUp, toMajor } from "../shared/Money.ts"
import type { Emv, EmvAccount } from "./Emv.ts"
import { merchantIdOf, schemeOf } from "./EmvScheme.ts"
import { bareItem, type ParsedPayload, type Understood } from "./ScanResult.ts"
import { visibleLine, withoutEnds } from "./ScannedText.ts"

/** The names of the parts of tag 62. */
const ADDITIONAL: { readonly [tag: string]: string } = {
  "01": "bill_number",
  "02": "mobile_number",
  "03": "store_label",
  "04": "loyalty_number",
  "05": "reference_label",
  "06": "customer_label",
  "07": "terminal_label",
  "08": "purpose",
  "09": "additional_consumer_data",
  "10": "merchant_tax_id",
  "11": "merchant_channel",
}

/** The names of the parts of tag 64. */
const LANGUAGE: { readonly [tag: string]: string } = {
  "00": "language",
  "01": "merchant_name",
  "02": "merchant_city",
}

type Texts = { readonly [key: string]: string }

/** Shows texts under the names of their tags, or under the tags without names. */
const named = (texts: Texts, names: Texts = {}): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([tag, value]) => [names[tag] ?? tag, visibleLine(value)]),
  )

interface KnownAccount {
  readonly account: EmvAccount
  readonly vendor: string | null
  readonly channel: Channel | undefined
  readonly merchant_id: string | null
}

const known = (account: EmvAccount, country: string | null, catalog: Catalog): KnownAccount => {
  const scheme = schemeOf(account, country)
  const identifier = account.globally_unique_identifier
  const names = [scheme?.id, identifier].filter((name) => name != null)
  return {
    account,
    vendor: scheme?.id ?? null,
    channel: paysScheme(catalog, names),
    merchant_id: merchantIdOf(account, scheme),
  }
}

const payloadOf = (
  emv: Emv,
  accounts: ReadonlyArray<KnownAccount>,
  vendor: string | null,
): ParsedPayload => {
  const value = (tag: string): string | null => {
    const text = emv.values[tag]
    return text === undefined ? null : visibleLine(text)
  }
  return {
    vendor,
    payload_format_indicator: value("00"),
    point_of_initiation_method: value("01"),
    merchant_account_info: accounts.map(({ account, channel, vendor: own }) => ({
      tag: account.tag,
      vendor: own,
      channel: channel?.id ?? null,
      globally_unique_identifier:
        account.globally_unique_identifier === null
          ? null
          : visibleLine(account.globally_unique_identifier),
      value: account.value === null ? null : visibleLine(account.value),
      fields: named(account.fields),
    })),
    merchant_category_code: value("52"),
    transaction_currency: value("53"),
    transaction_amount: value("54"),
    country_code: emv.country_code === null ? null : visibleLine(emv.country_code),
    merchant_name: value("59"),
    merchant_city: value("60"),
    postal_code: value("61"),
    tip_or_convenience_indicator: value("55"),
    convenience_fee_fixed: value("56"),
    convenience_fee_percentage: value("57"),
    additional_data: named(emv.additional_data, ADDITIONAL),
    merchant_information_language: named(emv.language, LANGUAGE),
    crc: emv.crc === null ? null : visibleLine(emv.crc),
    crc_valid: emv.crc !== null && !emv.problems.some(({ tag }) => tag === "63"),
  }
}

/** Returns the URL of the code's terms (Pix). It is never fetched. */
const placeOf = (account: EmvAccount | undefined): string | null => {
  const place = account?.fields["25"]
  if (place === undefined || !/^(?:https:\/\/)?[\w.-]+\.[a-z]{2,}\/[^\s\\@]*$/i.test(place)) {
    return null
  }
  return /^https:/i.test(place) ? place : `https://${place}`
}

const PARTS = 10_000

/** Returns what the payer pays in minor units, with the fee that the code adds; null if open. */
const demanded = ({ amount, fee }: Pick<Emv, "amount" | "fee">): number | null => {
  if (amount === null || fee === null) return amount
  return amount + ("fixed" in fee ? fee.fixed : proportionUp(amount, fee.per_ten_thousand, PARTS))
}

const CONFIDENCE = { sound: 1, unknown_scheme: 0.9, damaged: 0.3 }

/**
 * Interprets a merchant code: the payee, the amount, and the channel of the catalog that can pay
 * it. A damaged code shows what could be read, without a recommended action.
 */
export const understandEmv = (
  emv: Emv,
  code: { readonly text: string; readonly version: number | null },
  catalog: Catalog,
): Understood => {
  const accounts = emv.accounts.map((account) => known(account, emv.country_code, catalog))
  const currency = emv.currency
  const usable = accounts.filter(
    ({ channel }) => channel !== undefined && (currency === null || serves(channel, currency.code)),
  )
  // A scheme is more specific than the card network's number beside it.
  const national = accounts.find(({ account, vendor }) => vendor !== null && account.value === null)
  const main = usable[0] ?? national ?? accounts[0]
  const vendor = main?.vendor ?? null
  const sound = emv.problems.length === 0
  const channel = usable[0]?.channel?.id ?? null
  const major = (value: number | null): number | null =>
    value === null || currency === null
      ? null
      : Number(toMajor({ currency: currency.code, value }, currency))
  const amount = major(emv.amount)
  const due = demanded(emv)
  // Nobody knows what a fee on an amount of the payer's choice comes to.
  const isPayable = due === null ? emv.fee === null : due <= MAX_VALUE
  const merchantId = main?.merchant_id == null ? null : visibleLine(main.merchant_id)
  const payload = payloadOf(emv, accounts, vendor)
  const code_currency = currency?.code ?? null
  const terms = {
    channel,
    amount: major(due),
    currency: code_currency,
    merchant_id: merchantId,
  }
  const others = new Set(usable.flatMap(({ channel: other }) => other?.id ?? []))
  return {
    item: {
      ...bareItem("emv", withoutEnds(code.text), code.version),
      channel,
      confidence: sound
        ? vendor === null
          ? CONFIDENCE.unknown_scheme
          : CONFIDENCE.sound
        : CONFIDENCE.damaged,
      qr_type: emv.point_of_initiation ?? (amount === null ? "static" : "dynamic"),
      amount,
      currency: code_currency,
      merchant: {
        id: merchantId,
        name: payload.merchant_name,
        category: payload.merchant_category_code,
      },
      payment_url: placeOf(main?.account),
      problems: emv.problems.map((problem) => ({
        ...problem,
        message: visibleLine(problem.message),
      })),
      parsed_payload: payload,
    },
    alternatives: [...others].filter((id) => id !== channel),
    action:
      sound && channel !== null && currency !== null && isPayable
        ? { type: "create_payment_intent", ...terms }
        : null,
  }
}
