import { Effect } from "effect"
import type { Rates } from "../../core/ports/Rates.ts"
import type { CurrencyTable } from "../../core/shared/Currency.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { HOUR, MINUTE, type Timestamp } from "../../core/shared/Timestamp.ts"
import { levelLimits } from "../auditor/LevelLimits.ts"
import { priceList } from "../auditor/invariants/prices.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import type { Chance } from "../random/Chance.ts"
import type { Stage } from "../world/Stage.ts"
import { type Terms, usualTerms } from "../../core/terms/Terms.ts"
import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { Installation } from "../../core/ports/Installation.ts"

/**
 * The currencies of the simulated world: one without decimals, one with three, rates above and
 * below 1. `perDollar` is in millionths of a unit.
 */
const MARKET = [
  { code: "USD", exponent: 2, perDollar: 1_000_000 },
  { code: "EUR", exponent: 2, perDollar: 870_000 },
  { code: "CNY", exponent: 2, perDollar: 7_160_000 },
  { code: "SGD", exponent: 2, perDollar: 1_290_000 },
  { code: "JPY", exponent: 0, perDollar: 148_500_000 },
  { code: "KWD", exponent: 3, perDollar: 306_000 },
] as const

/** The world's table of currencies. */
export const currencies: CurrencyTable = new Map(
  MARKET.map(({ code, exponent }) => [code, { code, exponent }]),
)

/** How long a rate stays, and by how many thousandths it may differ from the usual rate. */
const STANDS = 10 * MINUTE
const MOVES_BY = 5

/** Older rates are refused, as by the sources of live mode. */
const TOO_OLD = 24 * HOUR
const OLDEST = 48 * HOUR

const written = (millionths: number): string => {
  const fraction = String(millionths % 1_000_000).padStart(6, "0")
  return `${Math.floor(millionths / 1_000_000)}.${fraction}`
}

/** The rates of one dollar in each currency at any time; the seed decides how they move. */
class Market {
  readonly #usual = new Map<string, number>(MARKET.map(({ code, perDollar }) => [code, perDollar]))
  readonly #known = new Map<string, string>()
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
  }

  rateAt(currency: string, at: Timestamp): string | undefined {
    const usual = this.#usual.get(currency)
    if (usual === undefined) return undefined
    if (currency === "USD") return "1"
    const name = `rate of ${currency} ${Math.floor(at / STANDS)}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const moved = this.#stage.chance(name).int(1_000 - MOVES_BY, 1_000 + MOVES_BY)
    const rate = written(Math.round((usual * moved) / 1_000))
    this.#known.set(name, rate)
    return rate
  }
}

const noRate = (currency: string) =>
  new Failure({ code: "INVALID_AMOUNT", message: `The market has no ${currency}.` })

const unavailable = (message: string) =>
  new Failure({ code: "TEMPORARILY_UNAVAILABLE", message, retry_after: 60 })

/**
 * Rates that move, and are sometimes old, missing or zero. The auditor sees each rate, and gets the
 * prices if a world brings its own terms.
 */
export const marketRates = (
  stage: Stage,
  auditor: Auditor,
  terms: Terms | undefined,
): Rates["Service"] => {
  if (terms !== undefined) {
    auditor.model.know(priceList).rows = terms.fees
    const { anonymous, basic, enhanced, business } = terms.limits
    const levels = [anonymous, basic, enhanced, business]
    const known = auditor.model.know(levelLimits)
    known.atOnce = levels.map(({ per_transaction }) => 100 * per_transaction)
    known.daily = levels.map(({ daily }) => 100 * daily)
  }
  const chance: Chance = stage.chance("rates")
  const market = new Market(stage)
  const hits = (fault: "rate_stale" | "rate_absent" | "rate_zero"): boolean => {
    const hit = chance.hits(stage.faults()[fault])
    if (hit) stage.log.note(fault)
    return hit
  }
  const refuse = (failure: Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">) => {
    auditor.see("no_rate", "rates", { at: stage.now() })
    return Effect.fail(failure)
  }
  const give = (currency: string, age: number) => {
    const as_of = stage.now() - age
    const rate = market.rateAt(currency, as_of)
    if (rate === undefined) return refuse(noRate(currency))
    auditor.see("rate", currency, { currency, rate, at: stage.now() })
    return Effect.succeed({ rate, as_of })
  }
  return {
    perDollar: (currency) =>
      Effect.suspend(() => {
        if (hits("rate_absent")) {
          return refuse(chance.hits(0.5) ? noRate(currency) : unavailable("There are none."))
        }
        if (hits("rate_zero")) {
          auditor.see("no_rate", "rates", { at: stage.now() })
          return Effect.succeed({ rate: "0.00", as_of: stage.now() })
        }
        if (!hits("rate_stale")) return give(currency, 0)
        const age = chance.int(0, OLDEST)
        return age > TOO_OLD ? refuse(unavailable("They are too old.")) : give(currency, age)
      }),
  }
}

/** Returns the installation of a world's service, with its own terms if it brings any. */
export const installationOf = (terms: Terms = usualTerms): Installation["Service"] => ({
  mode: "sandbox",
  base_url: "https://payport.example",
  catalog: defaultCatalog,
  terms,
  currencies,
  local_receivers: false,
})
