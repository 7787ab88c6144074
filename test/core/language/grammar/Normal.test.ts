import { describe, expect, test } from "vitest"
import { currencies } from "../../../../adapters/fx/Currencies.ts"
import { normal } from "../../../../core/language/grammar/Normal.ts"
import { readOrder } from "../../../../core/language/grammar/Reading.ts"

const codes = new Set(currencies.keys())

describe("what is normalized", () => {
  test.each([
    ["５．９９", "5.99"],
    ["￥１８", "¥18"],
    ["𝟓 USD", "5 USD"],
    ["ｋｋ", "kk"],
    ["ﾊﾟﾟ", "パ゚"],
    ["⼆⼗元", "二十元"],
    ["Cafe\u0301 ²", "Café ²"],
    ["H₂O™", "H₂OTM"],
    ["5½ ５", "5½ 5"],
  ])("%s is %s", (text, wanted) => {
    expect(normal(text)).toBe(wanted)
  })

  test("no character becomes a part of a number, other than plain digits", () => {
    const made: Array<string> = []
    for (let code = 0x80; code < 0x110000; code += 1) {
      const character = String.fromCodePoint(code)
      if (/[\p{Cs}\p{Nd}]/u.test(character)) continue
      if (/[\d⁄]/.test(normal(character))) made.push(character)
    }
    expect(made).toEqual(["⁄"])
  })
})

describe("no order is read past digits that are none", () => {
  test.each([
    ["Pay $5⁹⁹ to Weather", "⁹⁹"],
    ["Pay 10² dollars to Weather", "²"],
    ["Pay 5₀ USD to Weather", "₀"],
    ["Pay ⑤ USD to Weather", "⑤"],
    ["Pay $5ᵏ to Weather", "ᵏ"],
    ["Pay 5ⓜ USD to Weather", "ⓜ"],
    ["Pay 5Ⅿ USD to Weather", "Ⅿ"],
    ["给Weather付㈤百元", "㈤"],
    ["Pay ㉑ USD to Weather", "㉑"],
    ["Pay ½ dollar to Weather", "½"],
  ])("%s: %s is unread", (text, wanted) => {
    const { orders, unread } = readOrder(text, codes)
    expect(orders).toEqual([])
    expect(unread.join()).toContain(wanted)
  })

  test.each([
    ["Pay $５ to Weather", "5", "Weather"],
    ["Pay $5 to H₂O Pure", "5", "H₂O Pure"],
    ['Pay $5 to "Area ⑤"', "5", "Area ⑤"],
  ])("%s pays %s to %s", (text, amount, service) => {
    const { orders } = readOrder(text, codes)
    expect(orders).toContainEqual({ intent: "pay", amount, shared: "$", service })
  })

  test("a reason may have them", () => {
    const [order] = readOrder(
      "Refund pi_01997d3e-8a00-7000-8000-000000000001 because item ② of 5 m² broke",
      codes,
    ).orders
    expect(order?.reason).toBe("item ② of 5 m² broke")
  })
})
