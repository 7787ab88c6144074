import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { crc16, crcText } from "../../../core/qr/Crc.ts"
import { type EmvProblem, isEmv, parseEmv } from "../../../core/qr/Emv.ts"
import { understandEmv } from "../../../core/qr/EmvItem.ts"

const tlv = (tag: string, value: string): string =>
  `${tag}${String([...value].length).padStart(2, "0")}${value}`

const sealed = (body: string): string => `${body}6304${crcText(crc16(`${body}6304`))}`

const ACCOUNT = tlv("29", tlv("00", "A000000677010111") + tlv("01", "0066912345678"))
const HEAD = tlv("00", "01") + tlv("01", "12")
const MONEY = tlv("53", "764") + tlv("54", "100.00")
const SHOP = tlv("58", "TH") + tlv("59", "Shop")
const SOUND = sealed(HEAD + ACCOUNT + MONEY + SHOP)

const parse = (text: string) => parseEmv(text, currencies)
const found = (text: string) =>
  parse(text).problems.map(({ code, tag, at }: EmvProblem) => ({ code, tag, at }))

describe("crc16", () => {
  it.each([
    ["", 0xffff],
    ["123456789", 0x29b1],
    ["é", 0xa7a5],
  ])("of %j", (text, sum) => {
    const bytes = new TextEncoder().encode(text)
    const latin = String.fromCharCode(...bytes)
    expect(crc16(text)).toBe(text === "é" ? crc16Bytes(bytes) : sum)
    expect(latin.length).toBe(bytes.length)
  })

  it("is over the bytes of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(crc16(text)).toBe(crc16Bytes(new TextEncoder().encode(text)))
      }),
    )
  })
})

/** The same sum by division of the whole message, bit by bit. */
const crc16Bytes = (bytes: Uint8Array): number => {
  let rest = 0xffff
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const top = (rest >> 15) ^ ((byte >> bit) & 1)
      rest = ((rest << 1) & 0xffff) ^ (top === 1 ? 0x1021 : 0)
    }
  }
  return rest
}

describe("a sound code", () => {
  it("has its fields", () => {
    expect(parse(SOUND)).toEqual({
      values: {
        "00": "01",
        "01": "12",
        "53": "764",
        "54": "100.00",
        "58": "TH",
        "59": "Shop",
        "63": SOUND.slice(-4),
      },
      accounts: [
        {
          tag: "29",
          globally_unique_identifier: "A000000677010111",
          value: null,
          fields: { "00": "A000000677010111", "01": "0066912345678" },
        },
      ],
      additional_data: {},
      language: {},
      point_of_initiation: "dynamic",
      currency: { code: "THB", exponent: 2, numeric: "764" },
      amount: 10_000,
      fee: null,
      country_code: "TH",
      crc: SOUND.slice(-4),
      problems: [],
    })
  })

  it.each<[name: string, code: string]>([
    ["in any order", sealed(SHOP + MONEY + ACCOUNT + HEAD)],
    ["with a lower-case CRC", SOUND.slice(0, -4) + SOUND.slice(-4).toLowerCase()],
    ["with white space around it", ` ${SOUND}\n`],
    ["with a scanner's CR LF behind it", `${SOUND}\r\n`],
    ["with NUL or separators around it", `\u0002${SOUND}\u001e\u0004\r\n\u0000`],
    ["with two accounts", sealed(HEAD + ACCOUNT + tlv("26", tlv("00", "SG.PAYNOW")) + MONEY)],
    ["with a card number", sealed(HEAD + tlv("02", "4000123456789012") + MONEY + SHOP)],
    [
      "with an amount that ends at its point",
      sealed(HEAD + ACCOUNT + tlv("53", "764") + tlv("54", "100.")),
    ],
    ["with the second format", sealed(tlv("00", "02") + ACCOUNT + MONEY)],
  ])("%s", (_name, code) => expect(found(code)).toEqual([]))

  it("counts characters, not bytes, and sums bytes", () => {
    const code = sealed(
      HEAD +
        ACCOUNT +
        MONEY +
        tlv("59", "ร้านกาแฟ") +
        tlv("64", tlv("00", "TH") + tlv("01", "茶🍵")),
    )
    const read = parse(code)
    expect(read.problems).toEqual([])
    expect(read.values["59"]).toBe("ร้านกาแฟ")
    expect(read.language).toEqual({ "00": "TH", "01": "茶🍵" })
  })

  it("may have lost the zeros that its CRC begins with", () => {
    const zeros = Array.from({ length: 100_000 }, (_, n) =>
      sealed(HEAD + ACCOUNT + MONEY + tlv("59", `Shop ${n}`)),
    ).find((code) => code.slice(-4, -2) === "00" && code.at(-2) !== "0")!
    const bare = zeros.slice(0, -4)
    for (const end of [zeros.slice(-3), zeros.slice(-2)]) {
      const read = parse(bare + end)
      expect(read.problems).toEqual([])
      expect(read.crc).toBe(zeros.slice(-4))
    }
    expect(found(`${bare.slice(0, -2)}02${zeros.slice(-2)}`)).toEqual([])
  })

  it.each<[currency: string, text: string, minor: number | null]>([
    ["392", "500", 500],
    ["392", "500.00", 500],
    ["414", "1.234", 1234],
    ["764", "0.01", 1],
    ["764", "0.00", null],
    ["704", "50000", 50_000],
  ])("currency %s, amount %s: %s minor units", (currency, text, minor) => {
    const read = parse(sealed(HEAD + ACCOUNT + tlv("53", currency) + tlv("54", text)))
    expect([read.amount, read.problems]).toEqual([minor, []])
  })
})

describe("a fee that the payer adds", () => {
  const feeing = (...fields: ReadonlyArray<string>) =>
    sealed(HEAD + ACCOUNT + MONEY + fields.join(""))
  const asked = (text: string) => understandEmv(parse(text), { text, version: 5 }, defaultCatalog)

  it.each<[name: string, fields: ReadonlyArray<string>, item: number, action: number]>([
    ["a tip of the payer's choice", [tlv("55", "01")], 100, 100],
    ["a fixed fee", [tlv("55", "02"), tlv("56", "15.00")], 100, 115],
    ["a percentage", [tlv("55", "03"), tlv("57", "5.00")], 100, 105],
    ["a percentage of one digit", [tlv("55", "03"), tlv("57", "5")], 100, 105],
    ["a part of a percent, rounded up", [tlv("55", "03"), tlv("57", "0.01")], 100, 100.01],
    ["a fee of nothing", [tlv("55", "02"), tlv("56", "0.00")], 100, 100],
    ["a fee that is not announced", [tlv("56", "15.00")], 100, 100],
  ])("%s", (_name, fields, amount, demanded) => {
    const { action, item } = asked(feeing(...fields))
    expect([item.problems, item.amount, action?.amount]).toEqual([[], amount, demanded])
  })

  it.each<[name: string, fields: ReadonlyArray<string>, code: string]>([
    ["without its amount", [tlv("55", "02")], "missing_tag"],
    ["without its percentage", [tlv("55", "03"), tlv("56", "1.00")], "missing_tag"],
    ["that is no amount", [tlv("55", "02"), tlv("56", "1.234")], "bad_value"],
    ["above the amount", [tlv("55", "03"), tlv("57", "100.01")], "bad_value"],
  ])("%s recommends nothing", (_name, fields, code) => {
    const { action, item } = asked(feeing(...fields))
    expect([action, item.problems.map((problem) => problem.code)]).toEqual([null, [code]])
  })

  it("recommends nothing for an open amount, which has no known fee", () => {
    const open = HEAD + ACCOUNT + tlv("53", "764")
    expect(asked(sealed(open)).action).toMatchObject({ amount: null })
    expect(asked(sealed(open + tlv("55", "02") + tlv("56", "15.00"))).action).toBeNull()
    const free = asked(sealed(open + tlv("55", "03") + tlv("57", "0")))
    expect(free.action).toMatchObject({ amount: null })
  })

  it("recommends nothing that is more than a payment may have", () => {
    const most = HEAD + ACCOUNT + tlv("53", "764") + tlv("54", "9999999999.99")
    expect(asked(sealed(most)).action).toMatchObject({ amount: 9_999_999_999.99 })
    expect(asked(sealed(most + tlv("55", "02") + tlv("56", "5.00"))).action).toBeNull()
  })
})

describe("a damaged code", () => {
  const after = (text: string): number => [...text].length
  it.each<[name: string, code: string, problems: ReadonlyArray<object>]>([
    [
      "a changed amount",
      SOUND.replace("100.00", "900.00"),
      [{ code: "bad_crc", tag: "63", at: SOUND.length - 8 }],
    ],
    [
      "a CRC that says another length than its own",
      SOUND.replace(/6304(.{4})$/, "6307$1"),
      [
        { code: "too_short", tag: "63", at: SOUND.length - 8 },
        { code: "missing_tag", tag: "63", at: null },
      ],
    ],
    [
      "cut off within a value",
      SOUND.slice(0, 40),
      [
        { code: "too_short", tag: "29", at: 12 },
        { code: "missing_tag", tag: "26", at: null },
        { code: "missing_tag", tag: "63", at: null },
      ],
    ],
    [
      "a length that is no number",
      sealed(`${HEAD + ACCOUNT}53x3764`),
      [
        { code: "bad_length", tag: "53", at: after(HEAD + ACCOUNT) },
        { code: "missing_tag", tag: "63", at: null },
      ],
    ],
    [
      "a tag that is no number",
      sealed(`${HEAD + ACCOUNT}zz03764`),
      [
        { code: "bad_tag", tag: null, at: after(HEAD + ACCOUNT) },
        { code: "missing_tag", tag: "63", at: null },
      ],
    ],
    ["no CRC", HEAD + ACCOUNT + MONEY, [{ code: "missing_tag", tag: "63", at: null }]],
    [
      "a CRC that is no number",
      `${HEAD + ACCOUNT}6304WXYZ`,
      [{ code: "bad_crc", tag: "63", at: after(HEAD + ACCOUNT) }],
    ],
    [
      "something behind the CRC",
      SOUND + tlv("59", "Thief"),
      [
        { code: "duplicate_tag", tag: "59", at: SOUND.length },
        { code: "crc_not_last", tag: "63", at: SOUND.length - 8 },
      ],
    ],
    [
      "two amounts",
      sealed(HEAD + ACCOUNT + MONEY + tlv("54", "1.00")),
      [{ code: "duplicate_tag", tag: "54", at: after(HEAD + ACCOUNT + MONEY) }],
    ],
    ["no account", sealed(HEAD + MONEY), [{ code: "missing_tag", tag: "26", at: null }]],
    ["no format", sealed(ACCOUNT + MONEY), [{ code: "missing_tag", tag: "00", at: null }]],
    [
      "a format of another world",
      sealed(tlv("00", "77") + ACCOUNT + MONEY),
      [{ code: "bad_value", tag: "00", at: 0 }],
    ],
    [
      "an initiation that is none",
      sealed(tlv("00", "01") + tlv("01", "13") + ACCOUNT),
      [{ code: "bad_value", tag: "01", at: 6 }],
    ],
    [
      "an account whose parts do not fit",
      sealed(HEAD + tlv("29", "0099SHORT") + MONEY),
      [{ code: "too_short", tag: "29.00", at: after(HEAD) + 4 }],
    ],
    [
      "additional data whose parts do not fit",
      sealed(HEAD + ACCOUNT + tlv("62", "07x1A")),
      [{ code: "bad_length", tag: "62.07", at: after(HEAD + ACCOUNT) + 4 }],
    ],
    [
      "an unknown currency",
      sealed(HEAD + ACCOUNT + tlv("53", "000") + tlv("54", "1")),
      [
        { code: "bad_value", tag: "53", at: after(HEAD + ACCOUNT) },
        { code: "bad_value", tag: "54", at: after(HEAD + ACCOUNT) + 7 },
      ],
    ],
    ...["-1", "1e3", "1,00", "1.001", "1.2.3", "", ".", "9".repeat(30), "1O0"].map(
      (amount): [string, string, ReadonlyArray<object>] => [
        `the amount ${JSON.stringify(amount)}`,
        sealed(HEAD + ACCOUNT + tlv("53", "764") + tlv("54", amount)),
        [{ code: "bad_value", tag: "54", at: after(HEAD + ACCOUNT) + 7 }],
      ],
    ),
    [
      "yen in hundredths",
      sealed(HEAD + ACCOUNT + tlv("53", "392") + tlv("54", "1.50")),
      [{ code: "bad_value", tag: "54", at: after(HEAD + ACCOUNT) + 7 }],
    ],
  ])("%s", (_name, code, problems) => {
    expect(isEmv(code) || !code.startsWith("0002")).toBe(true)
    expect(found(code)).toEqual(problems)
  })

  it("still shows what was read before the damage", () => {
    const read = parse(SOUND.slice(0, 70))
    expect(read.accounts[0]?.fields["01"]).toBe("0066912345678")
    expect(read.currency?.code).toBe("THB")
  })

  it("never shows half a value", () => {
    const cut = parse(SOUND.slice(0, SOUND.indexOf("100.00") + 2))
    expect([cut.amount, cut.values["54"]]).toEqual([null, undefined])
  })
})

describe("any text", () => {
  it("is parsed without an exception, and problems have places within it", () => {
    const near = fc
      .tuple(fc.nat(SOUND.length), fc.string({ maxLength: 6 }))
      .map(([at, text]) => SOUND.slice(0, at) + text + SOUND.slice(at + text.length))
    const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), maxLength: 120 })
    fc.assert(
      fc.property(fc.oneof(near, digits, fc.string({ unit: "binary" })), (text) => {
        isEmv(text)
        const read = parse(text)
        for (const { at } of read.problems) {
          expect(at === null || (at >= 0 && at <= [...text.trim()].length)).toBe(true)
        }
        if (read.amount !== null) expect(Number.isSafeInteger(read.amount)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it("with one character changed is no longer sound", () => {
    fc.assert(
      fc.property(fc.nat(SOUND.length - 9), fc.constantFrom(..."0123456789AZ"), (at, character) => {
        fc.pre(SOUND.charAt(at) !== character)
        const changed = SOUND.slice(0, at) + character + SOUND.slice(at + 1)
        expect(parse(changed).problems).not.toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  it("that was put together from fields gives them back", () => {
    const value = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 25 })
      .map((text) => [...text].slice(0, 25).join(""))
    fc.assert(
      fc.property(
        value,
        value,
        value,
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        (name, city, label, order) => {
          const parts = [
            HEAD,
            ACCOUNT,
            tlv("59", name),
            tlv("60", city),
            tlv("62", tlv("05", label)),
          ]
          const read = parse(sealed(order.map((n) => parts[n]).join("")))
          expect(read.problems).toEqual([])
          expect(read.values["59"]).toBe(name)
          expect(read.values["60"]).toBe(city)
          expect(read.additional_data["05"]).toBe(label)
        },
      ),
    )
  })
})

describe("isEmv", () => {
  it.each(["", "hello", "12345678", "https://example.com", "svc://pay/x", "4006381333931", "0102"])(
    "%j is none",
    (text) => expect(isEmv(text)).toBe(false),
  )
})
