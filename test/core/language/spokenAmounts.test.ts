import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { openShop, said, shop } from "./spoken/shop.ts"

const PAID: ReadonlyArray<readonly [amount: string, wanted: string]> = [
  // Groups and decimals as they are written in different countries.
  ["1 000,50 EUR", "100050 EUR"],
  ["EUR 1 000 000.5", "100000050 EUR"],
  ["1\u202f000,50 €", "100050 EUR"],
  ["1.234.567 EUR", "123456700 EUR"],
  ["1.234,567 KWD", "1234567 KWD"],
  ["CHF 1'000.50", "100050 CHF"],
  ["1’234’567 CHF", "123456700 CHF"],
  ["1,00,000 INR", "10000000 INR"],
  ["₹12,34,567.89", "123456789 INR"],
  ["5.- CHF", "500 CHF"],
  ["5,-- EUR", "500 EUR"],
  ["5，０００ USD", "500000 USD"],
  ["5 lakh rupees", "50000000 INR"],
  ["two crore rupees", "2000000000 INR"],
  ["$2bn", "200000000000 USD"],
  // All decimals of the currency.
  ["6.123 KWD", "6123 KWD"],
  ["0.250 KWD", "250 KWD"],
  ["1,234.567 BHD", "1234567 BHD"],
  ["0.500 USD", "50 USD"],
  // Halves, and a dollar sign beside the currency that it means.
  ["half a dollar", "50 USD"],
  ["half a million dollars", "50000000 USD"],
  ["a dollar and a half", "150 USD"],
  ["five and a half euros", "550 EUR"],
  ["2 and a half million USD", "250000000 USD"],
  ["a buck fifty", "150 USD"],
  ["USD $5", "500 USD"],
  ["CAD$20", "2000 CAD"],
  ["$20 MXN", "2000 MXN"],
  ["COP $5,000", "500000 COP"],
]

const ASKED = `
  1.000 EUR|6.123 IQD|1,234 KWD|1,0000 USD|10,000,00 EUR|12,345,67 USD|1,000,5 EUR
  100.000 KWD|1,234.000 BHD|five KWD fifty|five KWD fifty cents|five IQD fifty
  1500.000 IDR|1000.000 VND|1,000.000 VND|1.000,000 USD|1 000,000 IDR|$20 pesos|20 dollars MXN
  1.00.000 INR|5.000.00 USD|1.234'567 CHF|5'50 USD|5..10 USD|,50 EUR|1 23 USD|1234 567 USD
  5 thousand 500 USD|1 lakh 20 thousand rupees|5 hundred and 50 USD|5 dollars 50|$19 99|5€50
  5-10 USD|5 – 10 USD|5/10 USD|5 or 6 USD|five or six USD|five point five USD|1/2 dollar|5 1/2 USD
  nineteen ninety-nine USD|one oh one USD|5 x 10 USD|5 USD x 3|2x 5 USD|quadruple 5 USD|double 5 USD
  USD 5 each for 3|negative 5 USD|−5 USD|(5) USD|5% USD|5 pct of 10 USD|5 USD/month|5 USD per person
  ~5 USD|>5 USD|over 5 USD|5 USD max|5+ USD|another 5 USD|5 USD extra|10 USD + VAT|£5.50p|$1.5mm|$2b
  EUR 5 dollars|$20 EUR|5 USD EUR|5 USD (EUR)|USD EUR 5|٥٠ USD|a few dollars|a fiver|half of 5 USD
  five million and a half dollars|5 dollars and a half million|half a yen|five to six USD
`

const NOBODY = "double only exactly another negative max back up off maybe perhaps".split(" ")

describe("an amount in a person's words", () => {
  it.effect.each(PAID)("%s", ([amount, wanted]) =>
    Effect.gen(function* () {
      yield* openShop
      const { action } = yield* said(`Pay ${amount} to Weather report`)
      const money = action?.type === "pay" ? action.input.amount : undefined
      expect(`${money?.value} ${money?.currency}`).toBe(wanted)
    }).pipe(Effect.provide(shop)),
  )

  it.effect("is asked for where it may be another one, and none is named meanwhile", () =>
    Effect.gen(function* () {
      yield* openShop
      const acted: Array<string> = []
      for (const amount of ASKED.trim().split(/\||\n\s*/)) {
        const { action, view } = yield* said(`Pay ${amount} to Weather report`)
        const isSaid = view.entities.amount !== undefined || view.clarification === undefined
        if (action !== null || isSaid) acted.push(`${amount}: ${JSON.stringify(view.entities)}`)
      }
      expect(acted).toEqual([])
    }).pipe(Effect.provide(shop)),
  )

  it.effect("is not read past a word that takes the place of a name", () =>
    Effect.gen(function* () {
      yield* openShop
      for (const words of NOBODY) {
        const { action, view } = yield* said(`Pay ${words} 5 USD`)
        expect([words, action, view.entities.service]).toEqual([words, null, undefined])
      }
      const { view } = yield* said("给青鸟快递付五六元")
      expect(view.entities.amount).toBeUndefined()
    }).pipe(Effect.provide(shop)),
  )
})
