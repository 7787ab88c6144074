import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Rates } from "../../../core/ports/Rates.ts"
import { rateOf } from "../../../core/pricing/quoteSettlement.ts"

const whenItIs = (rate: string) =>
  Effect.provideService(rateOf("EUR"), Rates, {
    perDollar: () => Effect.succeed({ rate, as_of: 0 }),
  })

describe("a rate that is none", () => {
  for (const rate of ["0", "0.00", "000", "", "-1", "NaN", "1e3", "Infinity", "1,5"]) {
    it.effect(`is refused for a moment: ${JSON.stringify(rate)}`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(whenItIs(rate))
        expect(failure).toMatchObject({ code: "TEMPORARILY_UNAVAILABLE", retry_after: 60 })
        expect(failure.message).toContain("EUR")
      }),
    )
  }
})

it.effect("a rate is given as it is", () =>
  Effect.gen(function* () {
    expect(yield* whenItIs("0.87")).toBe("0.87")
  }),
)
