import { describe, expect, test } from "vitest"
import { amountsIn, namesAmount } from "../../../../core/language/grammar/AmountText.ts"
import { currencies } from "../../../../adapters/fx/Currencies.ts"

const codes = new Set(currencies.keys())

const read = (text: string) =>
  amountsIn(text, codes).map(({ currency, value }) => `${value} ${currency ?? "?"}`)

describe("amounts that are none", () => {
  test.each([
    "pi_01997d3e-8a00-7000-8000-000000000001",
    "01997d3e-8a00-7000-8000-000000000010",
    "by 2026-11-21 at 10:30",
    "50% of it",
    "invoice 12 and #13",
    "for 3 months and 2 seats",
    "三个月",
    "付一下",
    "a lot of money",
    "try it for all of us",
    "web3 and b2b",
    // Half of one in some countries; nobody writes thousands so.
    "0,500 USD",
    "$0,050",
    "00,500 EUR",
    "01,500 USD",
    "0,500,000 USD",
    "0 500 USD",
    // A part of a run of numerals that is no number could be read, in as many ways as it is long.
    "付款一一一五元",
    "两百三十五六块",
  ])("%s", (text) => {
    expect(read(text)).toEqual([])
  })
})

test("a long run of numerals is read once, and names no amount", () => {
  expect(read(`付款${"一".repeat(980)}元`)).toEqual([])
})

describe("amounts in digits", () => {
  test.each([
    ["$20", "20 USD"],
    ["20 dollars", "20 USD"],
    ["USD 4.99", "4.99 USD"],
    ["4.99usd", "4.99 USD"],
    ["付12 USD给青鸟快递", "12 USD"],
    ["付12usd给青鸟快递", "12 USD"],
    ["付99 cents给青鸟快递", "0.99 USD"],
    ["付50p给青鸟快递", "0.5 GBP"],
    ["1,234.56 EUR", "1234.56 EUR"],
    ["1.234,56 €", "1234.56 EUR"],
    ["25,90 €", "25.90 EUR"],
    [".50 GBP", "0.50 GBP"],
    ["2.5k USD", "2500 USD"],
    ["1 million won", "1000000 KRW"],
    ["$20 CAD", "20 CAD"],
    ["HK$120", "120 HKD"],
    ["A$ 60", "60 AUD"],
    ["R$ 8", "8 BRL"],
    ["¥500", "500 JPY"],
    ["￥１８.８０ 给咖啡", "18.80 CNY"],
    ["500円", "500 JPY"],
    ["5 TRY", "5 TRY"],
    ["99 cents", "0.99 USD"],
    ["5¢", "0.05 USD"],
    ["80p", "0.8 GBP"],
    ["5 dollars and 20 cents", "5.20 USD"],
    ["5 euros 5 cents", "5.05 EUR"],
    ["7 Hong Kong dollars 20 cents", "7.20 HKD"],
    ["20", "20 ?"],
  ])("%s", (text, wanted) => {
    expect(read(text)).toEqual([wanted])
  })
})

test.each([
  ["five KWD fifty", ["5 KWD", "50 ?"]],
  ["3块005", ["3 CNY", "5 ?"]],
  ["三块零零五", ["3 CNY", "5 ?"]],
  ["三块五毛零五", ["3.5 CNY", "5 ?"]],
])("%s has digits behind the amount that no order may hold", (text, wanted) => {
  expect(read(text)).toEqual(wanted)
})

describe("amounts in words", () => {
  test.each([
    ["five dollars", "5 USD"],
    ["twenty-five euros", "25 EUR"],
    ["two hundred and fifty pounds", "250 GBP"],
    ["a hundred bucks", "100 USD"],
    ["three thousand five hundred yen", "3500 JPY"],
    ["one million rupiah", "1000000 IDR"],
    ["五元", "5 CNY"],
    ["十二块五", "12.5 CNY"],
    ["三块五毛", "3.5 CNY"],
    ["3块5", "3.5 CNY"],
    ["三块零五", "3.05 CNY"],
    ["3块05", "3.05 CNY"],
    ["３块０５", "3.05 CNY"],
    ["三元〇五", "3.05 CNY"],
    ["叁圆零伍", "3.05 CNY"],
    ["一百块零五", "100.05 CNY"],
    ["三块零五分", "3.05 CNY"],
    ["三块零五角", "3.5 CNY"],
    ["五块零", "5.0 CNY"],
    ["一块两毛五", "1.25 CNY"],
    ["一块两毛零五分", "1.25 CNY"],
    ["八毛钱", "0.8 CNY"],
    ["五分", "0.05 CNY"],
    ["一百零五元", "105 CNY"],
    ["一百五十块钱", "150 CNY"],
    ["三百五", "350 ?"],
    ["一千二百元人民币", "1200 CNY"],
    ["两万三千美元", "23000 USD"],
    ["一万二美金", "12000 USD"],
    ["1.5万元", "15000 CNY"],
    ["两亿日元", "200000000 JPY"],
    ["十二点五欧元", "12.5 EUR"],
  ])("%s", (text, wanted) => {
    expect(read(text)).toEqual([wanted])
  })
})

describe("what a text holds", () => {
  test.each([
    ["pay 10,000 USD", "10000", "USD", true],
    ["pay 10,000 USD", "1000", "USD", false],
    ["pay 10,000 USD", "10000", "EUR", false],
    ["pay 4.50", "4.5", "USD", true],
    ["pay it all", "10", "USD", false],
  ])("%s holds %s %s: %s", (text, amount, currency, holds) => {
    expect(namesAmount(amountsIn(text, codes), amount, currency)).toBe(holds)
  })
})
