import { Clock, Effect, Exit, type Layer } from "effect"
import { Rates } from "../../../core/ports/Rates.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { isRate } from "../../../core/shared/Rate.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import type { Check, Contract, MethodsCovered } from "./Contract.ts"
import { expect } from "./expect.ts"
import { portContract } from "./portContract.ts"

/** The source of exchange rates to be checked. */
export interface RatesUnderTest {
  /** Makes a layer of the adapter; called once for each check, which closes the layer. */
  readonly open: () => Layer.Layer<Rates, unknown>
  /**
   * Currencies of the source, with the least and the most that a dollar buys of each: `{ JPY: [50,
   * 500], EUR: [0.5, 1.5] }`. Two that are far apart reveal inverted rates.
   */
  readonly bounds: { readonly [currency: string]: readonly [least: number, most: number] }
  /** The same source with rates that are too old for payments. Without it, this is not checked. */
  readonly openOutdated?: () => Layer.Layer<Rates, unknown>
}

/** A time in seconds or in days would be before this one. */
const YEAR_2000 = 946_684_800_000

/** How far the clock of the source and this one may differ. */
const APART = 5 * MINUTE

/** Strings that are not currencies, among them names of an object's own properties. */
const NONE = ["XXX", "usd", "", "US", "USDT", "__proto__", "toString", "constructor"]

const ask = (currency: string) => Effect.flatMap(Rates, (rates) => rates.perDollar(currency))

/** Returns the failure of a question, which has to be one of ours. */
const refusal = (currency: string) =>
  Effect.map(Effect.exit(ask(currency)), (exit) => {
    const found = Exit.findErrorOption(exit)
    const failure = found._tag === "Some" ? found.value : exit
    expect(failure, JSON.stringify(currency)).toBeInstanceOf(Failure)
    return failure as Failure
  })

const rates =
  ({ bounds, openOutdated }: RatesUnderTest) =>
  (check: Check<Rates>): void => {
    const known = Object.entries(bounds)

    check("a dollar buys one dollar", () =>
      Effect.gen(function* () {
        const { rate } = yield* ask("USD")
        expect(typeof rate).toBe("string")
        expect(isRate(rate) && Number(rate) === 1, rate).toBe(true)
      }),
    )

    for (const [currency, [least, most]] of known) {
      check(`what a dollar buys of ${currency} is a decimal of now`, () =>
        Effect.gen(function* () {
          const { as_of, rate } = yield* ask(currency)
          expect(typeof rate).toBe("string")
          expect(isRate(rate), rate).toBe(true)
          expect(Number(rate)).toBeGreaterThanOrEqual(least)
          expect(Number(rate)).toBeLessThanOrEqual(most)
          expect(Number.isSafeInteger(as_of), `milliseconds: ${as_of}`).toBe(true)
          expect(as_of).toBeGreaterThanOrEqual(YEAR_2000)
          expect(as_of).toBeLessThanOrEqual((yield* Clock.currentTimeMillis) + APART)
        }),
      )
    }

    check("each currency has a rate of its own, which does not go back in time", () =>
      Effect.gen(function* () {
        const since = new Map<string, number>()
        for (const [currency, [least, most]] of [...known, ...known.toReversed()]) {
          const asked = Array.from({ length: 20 }, () => ask(currency))
          for (const { as_of, rate } of yield* Effect.all(asked, { concurrency: "unbounded" })) {
            expect(Number(rate) >= least && Number(rate) <= most, `${currency} ${rate}`).toBe(true)
            expect(as_of).toBeGreaterThanOrEqual(since.get(currency) ?? as_of)
            since.set(currency, as_of)
          }
        }
      }),
    )

    check("what has no rate is an INVALID_AMOUNT", () =>
      Effect.gen(function* () {
        for (const currency of NONE) {
          const { code, message } = yield* refusal(currency)
          expect(code, JSON.stringify(currency)).toBe("INVALID_AMOUNT")
          expect(message.length).toBeGreaterThanOrEqual(1)
        }
      }),
    )

    if (openOutdated !== undefined) {
      check("rates that are too old are TEMPORARILY_UNAVAILABLE", () =>
        Effect.gen(function* () {
          for (const currency of Object.keys(bounds)) {
            expect((yield* refusal(currency)).code).toBe("TEMPORARILY_UNAVAILABLE")
          }
        }).pipe(Effect.provide(openOutdated())),
      )
    }
  }

/** Checks what every source of exchange rates does. */
export const ratesContract = (source: RatesUnderTest): Contract<MethodsCovered> =>
  portContract(Rates, { perDollar: 0 }, source.open, [rates(source)])
