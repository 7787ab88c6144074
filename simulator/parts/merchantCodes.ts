// Written independently of core/qr on purpose: codes are made from their fields here, and what they
// say is known without reading them.

import type { CurrencyTable } from "../../core/shared/Currency.ts"
import type { MerchantCode, PrintedCode } from "../auditor/invariants/scannedCodes.ts"
import type { Chance } from "../random/Chance.ts"

const field = (tag: string, value: string): string =>
  `${tag}${String([...value].length).padStart(2, "0")}${value}`

/** A scheme of merchant codes: where its accounts stand, and which channel pays them. */
interface Scheme {
  readonly vendor: string | null
  readonly tag: string
  readonly identifier: string
  /** Where the account's number stands; with a second tag inside the first. */
  readonly account: readonly [tag: string, nested?: string]
  readonly country: string
  readonly channel: string | null
  /** The currencies that the channel takes. */
  readonly takes: ReadonlyArray<string>
  readonly currency: string
  /** Another part of the account, and the address that it is shown as. */
  readonly place?: { readonly printed: string; readonly shown: string }
}

const DRAGON = ["SGD", "MYR", "THB", "IDR", "PHP", "VND"]

const SCHEMES: readonly [Scheme, ...ReadonlyArray<Scheme>] = [
  {
    vendor: "promptpay",
    tag: "29",
    identifier: "A000000677010111",
    account: ["01"],
    country: "TH",
    channel: "wallet_e",
    takes: ["THB", "JPY", "KRW", "TWD"],
    currency: "THB",
  },
  {
    vendor: "paynow",
    tag: "26",
    identifier: "SG.PAYNOW",
    account: ["02"],
    country: "SG",
    channel: "bank_qr_a",
    takes: ["SGD"],
    currency: "SGD",
  },
  {
    vendor: "pix",
    tag: "26",
    identifier: "br.gov.bcb.pix",
    account: ["01"],
    country: "BR",
    channel: "bank_qr_b",
    takes: ["BRL"],
    currency: "BRL",
    place: {
      printed: field("25", "pix.example.com/qr/7"),
      shown: "https://pix.example.com/qr/7",
    },
  },
  {
    vendor: "qris",
    tag: "51",
    identifier: "ID.CO.QRIS.WWW",
    account: ["02"],
    country: "ID",
    channel: "wallet_c",
    takes: DRAGON,
    currency: "IDR",
  },
  {
    vendor: "vietqr",
    tag: "38",
    identifier: "A000000727",
    account: ["01", "01"],
    country: "VN",
    channel: "wallet_c",
    takes: DRAGON,
    currency: "VND",
  },
  {
    vendor: "qrph",
    tag: "28",
    identifier: "ph.ppmi.p2m",
    account: ["03"],
    country: "PH",
    channel: "wallet_d",
    takes: ["PHP", "USD"],
    currency: "PHP",
  },
  {
    vendor: null,
    tag: "30",
    identifier: "COM.EXAMPLE.PAY",
    account: ["01"],
    country: "US",
    channel: null,
    takes: [],
    currency: "USD",
  },
]

/** The ISO 4217 numbers of currencies, and their decimals. */
const CURRENCIES: { readonly [code: string]: readonly [number: string, decimals: number] } = {
  THB: ["764", 2],
  SGD: ["702", 2],
  BRL: ["986", 2],
  IDR: ["360", 2],
  VND: ["704", 0],
  PHP: ["608", 2],
  USD: ["840", 2],
  KWD: ["414", 3],
}

/** The currencies of merchant codes, as a reader of codes knows them. */
export const codeCurrencies: CurrencyTable = new Map(
  Object.entries(CURRENCIES).map(([code, [numeric, exponent]]) => [
    code,
    { code, exponent, numeric },
  ]),
)

interface Name {
  readonly printed: string
  readonly shown: string
}

/** Names of merchants; characters that reorder a text or break its line are shown as U+FFFD. */
const NAMES: readonly [Name, ...ReadonlyArray<Name>] = [
  { printed: "Noodles", shown: "Noodles" },
  { printed: "Café 東京 🍜", shown: "Café 東京 🍜" },
  { printed: "Shop\u202e9.00", shown: "Shop\ufffd9.00" },
  { printed: "Two\nlines", shown: "Two\ufffdlines" },
]

/** Returns the checksum of a code: CRC-16/IBM-3740 of its bytes, bit by bit. */
export const checksum = (text: string): string => {
  let sum = 0xffff
  for (const byte of new TextEncoder().encode(text)) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const isOdd = ((sum >> 15) & 1) !== ((byte >> bit) & 1)
      sum = (sum << 1) & 0xffff
      if (isOdd) sum ^= 0x1021
    }
  }
  return sum.toString(16).toUpperCase().padStart(4, "0")
}

/** Writes minor units in major units with all decimals. */
const inMajor = (minor: number, decimals: number): string => {
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, "0")
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** What is done to a code after it was made; `cut` and `misread` leave no valid checksum. */
type Damage = "none" | "cut" | "misread" | "twice" | "unknown_currency"

const sealed = (text: string): string => `${text}6304${checksum(`${text}6304`)}`

/** Writes a checksum as some generators do: in small letters, without leading zeros. */
const loose = (whole: string): string =>
  `${whole.slice(0, -4)}${whole
    .slice(-4)
    .toLowerCase()
    .replace(/^0{1,3}/, "")}`

const damaged = (fields: ReadonlyArray<string>, damage: Damage, chance: Chance): string => {
  const whole = sealed(fields.join(""))
  switch (damage) {
    case "cut":
      return whole.slice(0, -chance.int(5, 12))
    case "misread": {
      const at = whole.length - chance.int(1, 4)
      const other = whole[at] === "0" ? "1" : "0"
      return `${whole.slice(0, at)}${other}${whole.slice(at + 1)}`
    }
    case "twice":
      return sealed(`${fields.join("")}${field("58", "ZZ")}`)
    default:
      return chance.hits(0.2) ? loose(whole) : whole
  }
}

const accountOf = (
  { account: [tag, nested], identifier, place }: Scheme,
  number: string,
): string => {
  const inner = nested === undefined ? number : `${field("00", "970436")}${field(nested, number)}`
  return `${field("00", identifier)}${field(tag, inner)}${place?.printed ?? ""}`
}

/** A fee as it is printed, and what the payer owes of an amount with it. */
interface Fee {
  readonly fields: ReadonlyArray<string>
  readonly due: (amount: bigint) => bigint
}

const drawFee = (chance: Chance, decimals: number): Fee | undefined => {
  if (!chance.hits(0.4)) return undefined
  if (chance.hits(0.5)) {
    const fixed = chance.int(1, 500)
    return {
      fields: [field("55", "02"), field("56", inMajor(fixed, decimals))],
      due: (amount) => amount + BigInt(fixed),
    }
  }
  const hundredths = chance.int(1, 1_000)
  return {
    fields: [field("55", "03"), field("57", inMajor(hundredths, 2))],
    due: (amount) => amount + (amount * BigInt(hundredths) + 9_999n) / 10_000n,
  }
}

/** Draws a merchant code of some scheme: with an amount or without, with a fee, or damaged. */
export const drawMerchantCode = (chance: Chance): PrintedCode => {
  const scheme = chance.pick(SCHEMES)
  const damage: Damage = chance.hits(0.7)
    ? "none"
    : chance.pick(["cut", "misread", "twice", "unknown_currency"])
  const code = chance.hits(0.8) ? scheme.currency : chance.pick(["USD", "KWD"])
  const [number, decimals] = CURRENCIES[code] ?? ["840", 2]
  const isKnown = damage !== "unknown_currency"
  const amount = isKnown && chance.hits(0.7) ? chance.int(1, 999_999) : null
  const fee = isKnown ? drawFee(chance, decimals) : undefined
  const merchant_id = `0066${chance.int(100_000_000, 999_999_999)}`
  const { printed, shown } = chance.pick(NAMES)
  const point = chance.pick(["11", "12", undefined] as const)
  const hasCard = scheme.vendor !== null && chance.hits(0.3)
  const rest = [
    // A card network's number beside it never counts before the scheme.
    ...(hasCard ? [field("02", "4111111111111111")] : []),
    field(scheme.tag, accountOf(scheme, merchant_id)),
    field("52", "5812"),
    field("53", isKnown ? number : "000"),
    ...(amount === null ? [] : [field("54", inMajor(amount, decimals))]),
    ...(fee?.fields ?? []),
    field("58", scheme.country),
    field("59", printed),
    field("60", "Town"),
    field("62", field("01", `B-${chance.int(1, 9_999)}`)),
  ]
  const turned = chance.int(0, rest.length - 1)
  const fields = [
    field("00", "01"),
    ...(point === undefined ? [] : [field("01", point)]),
    ...rest.slice(turned),
    ...rest.slice(0, turned),
  ]
  const due = amount === null ? null : (fee?.due(BigInt(amount)) ?? BigInt(amount))
  const major = (minor: number | bigint | null) =>
    minor === null ? null : Number(inMajor(Number(minor), decimals))
  const merchant: MerchantCode = {
    type: "merchant",
    isSound: damage === "none",
    vendor: scheme.vendor,
    vendors: [scheme.vendor, ...(hasCard ? ["visa"] : [])],
    payment_url: scheme.place?.shown ?? null,
    channel: scheme.takes.includes(code) ? scheme.channel : null,
    currency: code,
    amount: major(amount),
    due: major(due),
    // Nobody knows what a fee on an amount of the payer's choice comes to.
    isPayable: amount !== null || fee === undefined,
    merchant_id,
    name: shown,
    qr_type: point === undefined ? (amount === null ? "static" : "dynamic") : POINTS[point],
  }
  const text = damaged(fields, damage, chance)
  return { text: `${text}${chance.pick(["", "\r\n", "\u0000"])}`, says: merchant }
}

const POINTS: { readonly [point in "11" | "12"]: MerchantCode["qr_type"] } = {
  "11": "static",
  "12": "dynamic",
}
