import { BakongKHQR, IndividualInfo, khqrData } from "bakong-khqr"
import * as fc from "fast-check"
import PaynowQR from "paynowqr"
import { createStaticPix, hasError } from "pix-utils"
import { generate } from "promptparse"
import qris from "qris-dynamic-generator"
import { Merchant } from "steplix-emv-qrcps"
import { QRPay } from "vietnam-qr-pay"
import { describe, expect, it } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { parseEmv } from "../../../core/qr/Emv.ts"
import { understandEmv } from "../../../core/qr/EmvItem.ts"

const RUNS = { numRuns: 100 }

const read = (text: string) => {
  const { action, item } = understandEmv(
    parseEmv(text, currencies),
    { text, version: 5 },
    defaultCatalog,
  )
  const { amount, currency, merchant, parsed_payload, problems } = item
  return {
    code: text,
    problems: problems.map(({ code, tag }) => `${code} ${tag}`),
    scheme: parsed_payload?.vendor,
    amount,
    currency,
    merchant: merchant.id,
    name: merchant.name,
    more: parsed_payload?.additional_data ?? {},
    channel: action?.channel ?? null,
  }
}

const characters = (letters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength, maxLength })

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
const digits = (length: number, most = length) => characters("0123456789", length, most)
const word = characters(`${LETTERS}${LETTERS.toLowerCase()}0123456789`, 1, 20)
/** Names as shops have them, in several scripts; blanks only within. */
const name = fc
  .array(characters(`${LETTERS}abcdefghijéüñ&.-ร้านกาแฟ茶店コーヒー`, 1, 6), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) => words.join(" "))
/** Amounts in hundredths, for the generator and for the reader. */
const hundredths = fc.integer({ min: 1, max: 99_999_999 }).map((minor) => minor / 100)
const whole = fc.integer({ min: 1, max: 999_999_999 })

/** Shows for any fields that a code made from them is read back as them. */
const shows = <Fields>(
  fields: { readonly [F in keyof Fields]: fc.Arbitrary<Fields[F]> },
  make: (fields: Fields) => string,
  wanted: (fields: Fields) => object,
) =>
  fc.assert(
    fc.property(fc.record(fields), (given) => {
      expect(read(make(given as Fields))).toMatchObject({
        problems: [],
        ...wanted(given as Fields),
      })
    }),
    RUNS,
  )

describe("any code of the generator of its scheme has the fields that it was made from", () => {
  it("PromptPay", () => {
    shows(
      { target: digits(9), amount: hundredths },
      ({ amount, target }) => generate.anyId({ type: "MSISDN", target: `0${target}`, amount }),
      ({ amount, target }) => ({
        scheme: "promptpay",
        channel: "wallet_e",
        amount,
        currency: "THB",
        merchant: `0066${target}`,
      }),
    )
  })

  it("PayNow", () => {
    shows(
      { uen: word, amount: hundredths, refNumber: word, company: word },
      (fields) => new PaynowQR({ ...fields, editable: false, expiry: "20301231" }).output(),
      ({ amount, company, refNumber, uen }) => ({
        scheme: "paynow",
        channel: "bank_qr_a",
        amount,
        currency: "SGD",
        merchant: uen,
        name: company,
        more: { bill_number: refNumber },
      }),
    )
  })

  it("Pix", () => {
    shows(
      {
        user: characters("abcdefghij", 1, 20),
        amount: hundredths,
        shop: characters(LETTERS, 1, 20),
      },
      ({ amount, shop, user }) => {
        const pix = createStaticPix({
          merchantName: shop,
          merchantCity: "Sao Paulo",
          pixKey: `${user}@example.com`,
          transactionAmount: amount,
        })
        if (hasError(pix)) throw new Error("no Pix code")
        return pix.toBRCode()
      },
      ({ amount, shop, user }) => ({
        scheme: "pix",
        channel: "bank_qr_b",
        amount,
        currency: "BRL",
        merchant: `${user}@example.com`,
        name: shop,
      }),
    )
  })

  it("VietQR", () => {
    shows(
      { bankBin: digits(6), bankNumber: digits(6, 19), amount: whole, purpose: word },
      ({ amount, ...fields }) => QRPay.initVietQR({ ...fields, amount: String(amount) }).build(),
      ({ amount, bankNumber, purpose }) => ({
        scheme: "vietqr",
        channel: "wallet_c",
        amount,
        currency: "VND",
        merchant: bankNumber,
        more: { purpose },
      }),
    )
  })

  it("KHQR", () => {
    const generator = new BakongKHQR()
    shows(
      { user: characters("abcdefghij", 1, 20), shop: word, amount: whole, billNumber: word },
      ({ amount, billNumber, shop, user }) =>
        generator.generateIndividual(
          new IndividualInfo(`${user}@bank`, shop, "Phnom Penh", {
            currency: khqrData.currency.khr,
            amount,
            billNumber,
            expirationTimestamp: Date.now() + 3_600_000,
          }),
        ).data.qr,
      ({ amount, billNumber, shop, user }) => ({
        scheme: "khqr",
        amount,
        currency: "KHR",
        merchant: `${user}@bank`,
        name: shop,
        more: { bill_number: billNumber },
      }),
    )
  })

  it("QRIS, of the generator that puts an amount into a shop's own code", () => {
    const shop = made({
      account: "51",
      parts: { "00": "ID.CO.QRIS.WWW", "02": "ID2022233782269", "03": "UBE" },
      currency: "360",
      country: "ID",
      shop: "VFS GLOBAL",
    })
    shows(
      { amount: whole },
      ({ amount }) => new qris.default(shop).generate(amount),
      ({ amount }) => ({
        scheme: "qris",
        channel: "wallet_c",
        amount,
        currency: "IDR",
        merchant: "ID2022233782269",
        name: "VFS GLOBAL",
      }),
    )
  })
})

interface Made {
  readonly account: string
  readonly parts: { readonly [tag: string]: string }
  readonly currency: string
  readonly country: string
  readonly shop: string
  readonly amount?: string
  readonly reference?: string
}

/** A code by the generator for EMV as such, which is told the scheme's account. */
const made = ({ account, amount, country, currency, parts, reference, shop }: Made): string => {
  const code = Merchant.buildEMVQR()
  code.setPayloadFormatIndicator("01")
  code.setPointOfInitiationMethod(amount === undefined ? "11" : "12")
  const template = Merchant.buildMerchantAccountInformation()
  template.setGloballyUniqueIdentifier(parts["00"] ?? "")
  for (const [tag, value] of Object.entries(parts)) {
    if (tag !== "00") template.addPaymentNetworkSpecific(tag, value)
  }
  code.addMerchantAccountInformation(account, template)
  code.setMerchantCategoryCode("5411")
  code.setTransactionCurrency(currency)
  if (amount !== undefined) code.setTransactionAmount(amount)
  code.setCountryCode(country)
  code.setMerchantName(shop)
  code.setMerchantCity("City")
  if (reference !== undefined) {
    const additional = Merchant.buildAdditionalDataFieldTemplate()
    additional.setReferenceLabel(reference)
    code.setAdditionalDataFieldTemplate(additional)
  }
  return code.generatePayload()
}

describe("schemes without a generator of their own, by the one for EMV as such", () => {
  it.each<[scheme: string, channel: string | null, code: string, country: string, parts: object]>([
    ["duitnow", "wallet_c", "MYR 458 26", "MY", { "00": "A0000006150001", "01": "890053" }],
    ["fps", null, "HKD 344 26", "HK", { "00": "hk.com.hkicl" }],
    ["qrph", "wallet_d", "PHP 608 28", "PH", { "00": "ph.ppmi.p2m", "01": "UBPHPHMMXXX" }],
    ["fonepay", null, "NPR 524 26", "NP", { "00": "fonepay.com" }],
  ])("%s", (scheme, channel, code, country, parts) => {
    const [currency = "", numeric = "", account = ""] = code.split(" ")
    const own = { duitnow: "02", fps: "02", qrph: "03", fonepay: "07" }[scheme] ?? ""
    shows(
      { id: digits(6, 20), amount: hundredths, shop: name, reference: word },
      ({ amount, id, reference, shop }) =>
        made({
          account,
          parts: { ...(parts as Made["parts"]), [own]: id },
          currency: numeric,
          country,
          shop,
          amount: amount.toFixed(2),
          reference,
        }),
      ({ amount, id, reference, shop }) => ({
        scheme,
        channel,
        amount,
        currency,
        merchant: id,
        name: shop,
        more: { reference_label: reference },
      }),
    )
  })
})

it("of a code in which one character was changed, nothing is recommended", () => {
  const sound = QRPay.initVietQR({
    bankBin: "970416",
    bankNumber: "257678859",
    amount: "10000",
    purpose: "Chuyen tien",
  }).build()
  expect(read(sound).channel).toBe("wallet_c")
  fc.assert(
    fc.property(fc.nat(sound.length - 5), fc.constantFrom(..."0123456789A"), (at, other) => {
      fc.pre(sound[at] !== other)
      const damaged = read(sound.slice(0, at) + other + sound.slice(at + 1))
      expect(damaged.problems).not.toEqual([])
      expect(damaged.channel).toBeNull()
    }),
    RUNS,
  )
})
