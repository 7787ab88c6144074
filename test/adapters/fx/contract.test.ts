import { Effect, Layer } from "effect"
import { DatedRates } from "../../../adapters/fx/DatedRates.ts"
import { ratesContract, type RatesUnderTest } from "../../../apps/payport/testing/ratesContract.ts"
import { Rates } from "../../../core/ports/Rates.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { installation } from "../../support/installation.ts"
import { type Flaws, noticesMutants } from "../../support/mutation.ts"
import { runContract } from "../../support/runContract.ts"

type Service = Rates["Service"]

const rates = (as_of: number) =>
  DatedRates({ as_of, per_dollar: { USD: "1", EUR: "0.87", JPY: "148.5" } }).pipe(
    Layer.provide(installation({ mode: "live" })),
  )

const dated = (change = (sound: Service) => sound): RatesUnderTest => {
  const changed = (as_of: number) =>
    Layer.effect(Rates, Effect.map(Rates, change)).pipe(Layer.provide(rates(as_of)))
  return {
    open: () => changed(Date.now()),
    openOutdated: () => changed(Date.now() - 2 * DAY),
    bounds: { EUR: [0.5, 1.5], JPY: [50, 500] },
  }
}

runContract("dated rates", ratesContract(dated()))

const answers =
  (change: (rate: string, as_of: number) => { rate: unknown; as_of: number }) =>
  (sound: Service) => ({
    perDollar: (currency: string) =>
      Effect.map(sound.perDollar(currency), ({ as_of, rate }) =>
        currency === "USD"
          ? { as_of, rate }
          : (change(rate, as_of) as { as_of: number; rate: string }),
      ),
  })

const flaws: Flaws<Service> = {
  perDollar: {
    "tells numbers": answers((rate, as_of) => ({ rate: Number(rate), as_of })),
    "tells powers of ten": answers((rate, as_of) => ({ rate: `${rate}e0`, as_of })),
    "has none to tell": answers((_, as_of) => ({ rate: "0", as_of })),
    "owes it": answers((rate, as_of) => ({ rate: `-${rate}`, as_of })),
    "is upside down": answers((rate, as_of) => ({ rate: (1 / Number(rate)).toFixed(6), as_of })),
    "tells the time in seconds": answers((rate, as_of) => ({
      rate,
      as_of: Math.floor(as_of / 1_000),
    })),
    "tells of tomorrow": answers((rate, as_of) => ({ rate, as_of: as_of + DAY })),
    "tells part of a millisecond": answers((rate, as_of) => ({ rate, as_of: as_of - 0.5 })),
    "goes back in time": (sound) => {
      let asked = 0
      return answers((rate, as_of) => ({ rate, as_of: as_of - (asked += 1) }))(sound)
    },
    "dies of what it does not know": (sound) => ({
      perDollar: (currency) => Effect.orDie(sound.perDollar(currency)),
    }),
    "has a rate of everything": (sound) => ({
      perDollar: (currency) =>
        Effect.catch(sound.perDollar(currency), () =>
          Effect.succeed({ rate: "1", as_of: Date.now() }),
        ),
    }),
    "takes what it does not know for an outage": (sound) => ({
      perDollar: (currency) =>
        Effect.mapError(
          sound.perDollar(currency),
          () => new Failure({ code: "TEMPORARILY_UNAVAILABLE", message: "Later." }),
        ),
    }),
    "knows what objects have": (sound) => ({
      perDollar: (currency) =>
        currency in {}
          ? Effect.succeed({ rate: "1", as_of: Date.now() })
          : sound.perDollar(currency),
    }),
    "takes a dollar for a euro": (sound) => ({
      perDollar: (currency) => sound.perDollar(currency === "USD" ? "EUR" : currency),
    }),
  },
}

noticesMutants<Service>(
  (change) => ratesContract(dated(change)),
  flaws,
  // A rate that was as old a millisecond ago is still valid.
  [/^perDollar counts one too many/],
)
