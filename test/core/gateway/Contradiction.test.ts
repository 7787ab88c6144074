import { describe, expect, test } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { amountMismatch, refusal } from "../../../core/gateway/Contradiction.ts"

type Said = Parameters<typeof amountMismatch>[1]
type Expected = Parameters<typeof amountMismatch>[0]

const usd: Expected = { currency: "USD", value: 123_456 }
const said = (amount: string, currency?: string): Said => ({ amount, currency })

describe("an amount that a channel names", () => {
  test.each<[Said, Expected]>([
    [said("1234.56"), usd],
    [said("1234.56", "USD"), usd],
    [said("1234.5600", "USD"), usd],
    [said("500", "JPY"), { currency: "JPY", value: 500 }],
    [said("1.5", "KWD"), { currency: "KWD", value: 1_500 }],
  ])("%j is %j", (amount, expected) => {
    expect(amountMismatch(expected, amount, currencies)).toBeUndefined()
  })

  test.each<[Said, Expected, expected: string, actual: string]>([
    [said("1.00"), usd, "1,234.56 USD", "1.00 USD"],
    [said("123456"), usd, "1,234.56 USD", "123456 USD"],
    [said("1234.561"), usd, "1,234.56 USD", "1234.561 USD"],
    [said("1234.56", "EUR"), usd, "1,234.56 USD", "1234.56 EUR"],
    [said("5.00"), { currency: "JPY", value: 5_00 }, "500 JPY", "5.00 JPY"],
    [said("1", "AAA"), { currency: "AAA", value: 1 }, "1 AAA in minor units", "1 AAA"],
  ])("%j is not %j, and both are said in major units", (amount, expected, ours, theirs) => {
    const found = amountMismatch(expected, amount, currencies)
    expect(found).toEqual({ kind: "amount_mismatch", expected: ours, actual: theirs })
    expect(found && refusal(found)).toMatchObject({
      code: "AMOUNT_MISMATCH",
      message: expect.stringContaining(`says ${theirs}, but the payment has ${ours}.`),
      details: { expected: ours, actual: theirs },
    })
  })
})
