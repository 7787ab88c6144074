// Written independently of core/qr on purpose, from the published schemes.

/** A field of a code. */
export type Field = readonly [tag: string, value: string]

/** A scheme, an account of it, and what is read of that. */
export interface Scheme {
  readonly vendor: string | null
  readonly tag: string
  readonly parts: ReadonlyArray<Field>
  readonly merchant_id: string | null
  readonly country: string
  readonly url?: string | null
}

const scheme = (
  vendor: string | null,
  tag: string,
  identifier: string,
  parts: ReadonlyArray<Field>,
  merchant_id: string | null,
  more: Partial<Scheme> = {},
): Scheme => ({
  vendor,
  tag,
  parts: [["00", identifier], ...parts],
  merchant_id,
  country: "XX",
  ...more,
})

/** Schemes of merchant codes, each with an account. */
export const SCHEMES: readonly [Scheme, ...ReadonlyArray<Scheme>] = [
  scheme("promptpay", "29", "A000000677010111", [["01", "0066"]], "0066"),
  scheme("promptpay", "30", "A000000677010112", [["03", "77"]], "77"),
  scheme(
    "promptpay",
    "31",
    "A000000677010113",
    [
      ["04", "78"],
      ["02", "79"],
    ],
    "79",
  ),
  scheme("promptpay", "31", "A000000677010114", [["04", "78"]], "78"),
  scheme(
    "paynow",
    "26",
    "sg.paynow",
    [
      ["02", "UEN"],
      ["01", "2"],
    ],
    "UEN",
  ),
  scheme(
    "pix",
    "26",
    "br.gov.bcb.pix",
    [
      ["01", "key"],
      ["25", "pix.example.com/qr"],
    ],
    "key",
    {
      url: "https://pix.example.com/qr",
    },
  ),
  scheme("pix", "26", "BR.GOV.BCB.PIX", [["25", "HTTPS://a.example.com/q?x=1"]], null, {
    url: "HTTPS://a.example.com/q?x=1",
  }),
  scheme(
    "pix",
    "26",
    "br.gov.bcb.pix",
    [
      ["01", "k"],
      ["25", "http://a.example.com/q"],
    ],
    "k",
    { url: null },
  ),
  scheme(
    "pix",
    "26",
    "br.gov.bcb.pix",
    [
      ["01", "k"],
      ["25", "a.example.com@evil.com/"],
    ],
    "k",
    { url: null },
  ),
  scheme("upi", "27", "A000000524", [["01", "a@b"]], "a@b"),
  scheme("qris", "51", "ID.CO.QRIS.WWW", [["02", "ID1"]], "ID1"),
  scheme(
    "duitnow",
    "26",
    "A0000006150001",
    [
      ["01", "5"],
      ["02", "6"],
    ],
    "6",
  ),
  scheme("duitnow", "26", "A0000006150001", [["01", "5"]], "5"),
  scheme("vietqr", "38", "A000000727", [["01", "0006970436010312300"]], null),
  scheme("vietqr", "38", "A000000727", [["01", "00069704360103123"]], "123"),
  scheme("qrph", "28", "ph.ppmi.p2m", [["03", "M"]], "M"),
  scheme("qrph", "27", "com.p2pqrpay", [["05", "N"]], "N"),
  scheme("fps", "26", "hk.com.hkicl", [["03", "+852"]], "+852"),
  scheme("fonepay", "26", "fonepay.com", [["07", "F"]], "F"),
  scheme(
    "fonepay",
    "26",
    "fonepay.com",
    [
      ["07", ""],
      ["02", "G"],
    ],
    "G",
  ),
  scheme("khqr", "29", "shop@bank", [["01", "855"]], "855", { country: "KH" }),
  scheme("khqr", "30", "shop@bank", [], "shop@bank", { country: "kh" }),
  scheme(null, "31", "shop@bank", [["01", "855"]], "855", { country: "KH" }),
  scheme(null, "29", "shop.bank", [["02", "5"]], "5", { country: "KH" }),
  scheme(
    null,
    "45",
    "com.example",
    [
      ["01", "1"],
      ["02", "2"],
    ],
    "1",
  ),
  scheme(null, "45", "com.example", [["03", "1"]], null),
]

/** The tags of card networks. */
export const CARDS: readonly [Field, ...ReadonlyArray<Field>] = [
  ["02", "visa"],
  ["03", "visa"],
  ["04", "mastercard"],
  ["05", "mastercard"],
  ["09", "discover"],
  ["10", "discover"],
  ["11", "amex"],
  ["12", "amex"],
  ["13", "jcb"],
  ["14", "jcb"],
  ["15", "unionpay"],
  ["16", "unionpay"],
  ["17", ""],
  ["06", ""],
  ["08", ""],
]

/** Fields of an amount and a fee, what they say, and what is wrong with them. */
export interface Money {
  readonly fields: ReadonlyArray<Field>
  readonly currency: string | null
  readonly amount: number | null
  readonly fee: object | null
  readonly wrong: ReadonlyArray<readonly [code: string, tag: string, isMissing?: true]>
}

const money = (
  fields: ReadonlyArray<Field>,
  currency: string | null,
  amount: number | null,
  fee: object | null,
  ...wrong: Money["wrong"]
): Money => ({ fields, currency, amount, fee, wrong })

const USD: Field = ["53", "840"]

/** Amounts and fees, and what is wrong with them. */
export const MONIES: readonly [Money, ...ReadonlyArray<Money>] = [
  money([], null, null, null),
  money([USD], "USD", null, null),
  money([USD, ["54", "12.30"]], "USD", 1_230, null),
  money([USD, ["54", "12."]], "USD", 1_200, null),
  money([USD, ["54", "0.00"]], "USD", null, null),
  money([USD, ["54", "1.234"]], "USD", null, null, ["bad_value", "54"]),
  money([USD, ["54", "1,50"]], "USD", null, null, ["bad_value", "54"]),
  money(
    [
      ["53", "704"],
      ["54", "15000"],
    ],
    "VND",
    15_000,
    null,
  ),
  money(
    [
      ["53", "414"],
      ["54", "1.234"],
    ],
    "KWD",
    1_234,
    null,
  ),
  money([["53", "000"]], null, null, null, ["bad_value", "53"]),
  money(
    [
      ["53", "000"],
      ["54", "1"],
    ],
    null,
    null,
    null,
    ["bad_value", "53"],
    ["bad_value", "54"],
  ),
  money([["54", "1"]], null, null, null, ["bad_value", "54"]),
  money([USD, ["54", "10"], ["55", "01"]], "USD", 1_000, null),
  money([USD, ["54", "10"], ["55", "02"], ["56", "0.75"]], "USD", 1_000, { fixed: 75 }),
  money([USD, ["54", "10"], ["55", "02"], ["56", "0"]], "USD", 1_000, null),
  money([USD, ["55", "02"], ["57", "5"]], "USD", null, null, ["missing_tag", "56", true]),
  money([USD, ["55", "02"], ["56", "x"]], "USD", null, null, ["bad_value", "56"]),
  money(
    [
      ["55", "02"],
      ["56", "5"],
    ],
    null,
    null,
    null,
    ["bad_value", "56"],
  ),
  money([USD, ["54", "10"], ["55", "03"], ["57", "2.5"]], "USD", 1_000, { per_ten_thousand: 250 }),
  money([USD, ["55", "03"], ["57", "100"]], "USD", null, { per_ten_thousand: 10_000 }),
  money([USD, ["55", "03"], ["57", "100.01"]], "USD", null, null, ["bad_value", "57"]),
  money([USD, ["55", "03"], ["57", "1.234"]], "USD", null, null, ["bad_value", "57"]),
  money([USD, ["55", "03"]], "USD", null, null, ["missing_tag", "57", true]),
  money([USD, ["57", "3"]], "USD", null, null),
]
