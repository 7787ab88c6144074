import { BakongKHQR, IndividualInfo, khqrData, MerchantInfo } from "bakong-khqr"
import PaynowQR from "paynowqr"
import { createDynamicPix, createStaticPix, hasError } from "pix-utils"
import { generate } from "promptparse"
import qris from "qris-dynamic-generator"
import { describe, expect, it } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { crc16, crcText } from "../../../core/qr/Crc.ts"
import { parseEmv } from "../../../core/qr/Emv.ts"
import { understandEmv } from "../../../core/qr/EmvItem.ts"

const scan = (text: string) =>
  understandEmv(parseEmv(text, currencies), { text, version: 5 }, defaultCatalog)

/** Returns the result of a code in a line. */
const shown = (text: string) => {
  const { action, item } = scan(text)
  return {
    problems: item.problems.map(({ code, tag }) => `${code} ${tag}`),
    vendor: item.parsed_payload?.vendor,
    channel: item.channel,
    qr_type: item.qr_type,
    amount: item.amount,
    currency: item.currency,
    merchant: item.merchant.id,
    name: item.merchant.name,
    pays: action?.type ?? null,
  }
}

const brCode = (pix: ReturnType<typeof createStaticPix> | ReturnType<typeof createDynamicPix>) => {
  if (hasError(pix)) throw new Error("no Pix code")
  return pix.toBRCode()
}

const QRIS =
  "00020101021126590013ID.CO.BNI.WWW011893600009150305256502096102070790303UBE514" +
  "40014ID.CO.QRIS.WWW0215ID20222337822690303UBE5204472253033605802ID5912VFS GLOB" +
  "AL 66015JAKARTA SELATAN61051294062070703A016304D7C5"

const khqr = (made: ReturnType<BakongKHQR["generateIndividual"]>): string => made.data.qr

const pays = "create_payment_intent"
const sound = { problems: [] }

describe("codes of strangers", () => {
  it("forge no lines by the names that they hold", () => {
    const body = QRIS.slice(0, -4).replace("5912VFS GLOBAL 6", "5912VFS\r\nPAID\r22")
    const { item } = scan(`${body}${crcText(crc16(body))}\r\n`)
    expect(item.problems).toEqual([])
    expect(item.merchant.name).toBe("VFS\ufffdPAID\ufffd22")
    expect(item.parsed_payload?.merchant_name).toBe("VFS\ufffdPAID\ufffd22")
  })
})

describe("codes of generators", () => {
  it("PromptPay", () => {
    const code = generate.anyId({ type: "MSISDN", target: "0812345678", amount: 4.22 })
    expect(shown(code)).toEqual({
      ...sound,
      vendor: "promptpay",
      channel: "wallet_e",
      qr_type: "dynamic",
      amount: 4.22,
      currency: "THB",
      merchant: "0066812345678",
      name: null,
      pays,
    })
    const bill = generate.billPayment({
      billerId: "0112233445566",
      amount: 12_345.67,
      ref1: "CUST1",
      ref2: "INV001",
    })
    expect(shown(bill)).toMatchObject({
      ...sound,
      vendor: "promptpay",
      amount: 12_345.67,
      merchant: "0112233445566",
    })
    expect(scan(bill).item.parsed_payload?.merchant_account_info[0]?.fields).toMatchObject({
      "02": "CUST1",
      "03": "INV001",
    })
  })

  it("PayNow", () => {
    const code = new PaynowQR({
      uen: "201403121W",
      amount: 500,
      editable: false,
      expiry: "20301231",
      refNumber: "TQINV-10001",
      company: "ACME Pte Ltd.",
    }).output()
    expect(shown(code)).toEqual({
      ...sound,
      vendor: "paynow",
      channel: "bank_qr_a",
      qr_type: "dynamic",
      amount: 500,
      currency: "SGD",
      merchant: "201403121W",
      name: "ACME Pte Ltd.",
      pays,
    })
    expect(scan(code).item.parsed_payload?.additional_data).toEqual({ bill_number: "TQINV-10001" })
  })

  it("Pix", () => {
    const terms = { merchantName: "Loja Exemplo", merchantCity: "Sao Paulo" }
    const fixed = createStaticPix({
      ...terms,
      pixKey: "loja@example.com",
      infoAdicional: "Pedido 7",
      transactionAmount: 19.9,
    })
    expect(shown(brCode(fixed))).toEqual({
      ...sound,
      vendor: "pix",
      channel: "bank_qr_b",
      qr_type: "dynamic",
      amount: 19.9,
      currency: "BRL",
      merchant: "loja@example.com",
      name: "LOJA EXEMPLO",
      pays,
    })
    const dynamic = createDynamicPix({ ...terms, url: "pix.example.com/qr/v2/9d36b84f" })
    const { item } = scan(brCode(dynamic))
    expect(item.payment_url).toBe("https://pix.example.com/qr/v2/9d36b84f")
    expect(item.problems).toEqual([])
  })

  it("QRIS, fixed and made dynamic", () => {
    const expected = {
      ...sound,
      vendor: "qris",
      channel: "wallet_c",
      qr_type: "static",
      amount: null,
      currency: "IDR",
      merchant: "ID2022233782269",
      name: "VFS GLOBAL 6",
      pays,
    }
    expect(shown(QRIS)).toEqual(expected)
    const made = new qris.default(QRIS).generate(2500)
    expect(shown(made)).toMatchObject({ ...expected, qr_type: expect.anything(), amount: 2500 })
    expect(scan(QRIS).item.parsed_payload?.merchant_account_info.map(({ tag }) => tag)).toEqual([
      "26",
      "51",
    ])
  })

  it("KHQR, of people and of shops, in riel and dollars", () => {
    const generator = new BakongKHQR()
    const person = khqr(
      generator.generateIndividual(
        new IndividualInfo("someone@bank", "Some One", "Phnom Penh", {
          currency: khqrData.currency.khr,
          amount: 50_000,
          billNumber: "B-1",
          expirationTimestamp: Date.now() + 3_600_000,
        }),
      ),
    )
    expect(shown(person)).toMatchObject({
      ...sound,
      vendor: "khqr",
      channel: null,
      amount: 50_000,
      currency: "KHR",
      merchant: "someone@bank",
      name: "Some One",
      pays: null,
    })
    const shop = khqr(
      generator.generateMerchant(
        new MerchantInfo("shop@bank", "Shop", "Siam Reap", "1243546472", "DEVBKKHPXXX", {
          currency: khqrData.currency.usd,
          amount: 1.5,
          expirationTimestamp: Date.now() + 3_600_000,
        }),
      ),
    )
    expect(shown(shop)).toMatchObject({
      ...sound,
      vendor: "khqr",
      amount: 1.5,
      currency: "USD",
      merchant: "1243546472",
    })
  })
})

/** Published samples of VietQR, and of schemes whose own generators are not on npm. */
describe("published samples", () => {
  it.each<[scheme: string, code: string, comes: object]>([
    [
      "VietQR",
      "00020101021238530010A0000007270123000697041601092245284790208QRIBFTTA530370454" +
        "05100005802VN62340107NPS68690819TRANSFER TO SOMEONE6304AC13",
      {
        ...sound,
        vendor: "vietqr",
        channel: "wallet_c",
        amount: 10_000,
        currency: "VND",
        merchant: "224528479",
        pays,
      },
    ],
    [
      "FPS",
      "00020101021226320012hk.com.hkicl021299999999999952040000530334454031005802HK59" +
        "02NA6002HK62110507QR123456304983E",
      {
        ...sound,
        vendor: "fps",
        channel: null,
        amount: 100,
        currency: "HKD",
        merchant: "999999999999",
        pays: null,
      },
    ],
    [
      "DuitNow",
      "00020201021126520014A000000615000101068900530220MDN163112377136573055204539953" +
        "034585802MY5925PERTUBUHANPENGANUTAGAMABU6008ULUTIRAM630494FE",
      {
        ...sound,
        vendor: "duitnow",
        channel: "wallet_c",
        amount: null,
        currency: "MYR",
        merchant: "MDN16311237713657305",
        pays,
      },
    ],
    [
      "QR Ph",
      "00020101021128720011ph.ppmi.p2m0111UBPHPHMMXXX03089991791004197738530110230243" +
        "39005030105204601653036085802PH5916Merchant Acq-123600312362410012ph.ppmi.qrph" +
        "0304710305062110000803***80310012ph.ppmi.qrph01031230204710388300012ph.ppmi.qr" +
        "ph0110970941393963045967",
      {
        ...sound,
        vendor: "qrph",
        channel: "wallet_d",
        amount: null,
        currency: "PHP",
        merchant: "99917910",
        pays,
      },
    ],
    [
      "Fonepay, beside a card network",
      "0002010102110216427142001818576326350011fonepay.com071622220300181857645204566" +
        "153035245802NP5918SANJANA SHOE STORE6013DHARAN BRANCH62110707186740963048913",
      {
        ...sound,
        vendor: "fonepay",
        channel: null,
        amount: null,
        currency: "NPR",
        merchant: "2222030018185764",
        pays: null,
      },
    ],
  ])("%s", (_scheme, code, comes) => expect(shown(code)).toMatchObject(comes))

  it("a Fonepay code whose lengths are one too long says where", () => {
    const code =
      "00020101021126350011fonepay.com071640897200000017835204541253035245802NP5914Su" +
      "danMerchant6015AathraiTriveni62060702316304d60f"
    const { action, item } = scan(code)
    expect(action).toBeNull()
    expect(item.problems[0]).toMatchObject({ code: "bad_length", at: 90 })
    expect(item.merchant.id).toBe("4089720000001783")
    expect(item.confidence).toBeLessThan(0.5)
  })
})
