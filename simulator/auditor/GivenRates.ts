import type { Money } from "../../core/shared/Money.ts"
import { MINUTE, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { Knowledge } from "./Knowledge.ts"

interface Given {
  readonly rate: string
  readonly at: Timestamp
}

/** Nobody decides by a rate that was asked for longer ago. */
const KEPT = 20 * MINUTE

const DECIMALS: { readonly [currency: string]: bigint } = { JPY: 0n, KWD: 3n }

/** How many decimals an amount of the currency has. */
export const decimalsOf = (currency: string): bigint => DECIMALS[currency] ?? 2n

/** A positive decimal as an exact fraction. */
export const fraction = (decimal: string): readonly [over: bigint, under: bigint] => {
  const [whole = "0", digits = ""] = decimal.split(".")
  return [BigInt(whole + digits), 10n ** BigInt(digits.length)]
}

/** What an amount comes to by what a dollar buys of its currency and of another, rounded up. */
const worthAt = ({ currency, value }: Money, sold: string, bought: string, other: string) => {
  const [soldOver, soldUnder] = fraction(sold)
  const [boughtOver, boughtUnder] = fraction(bought)
  const above = BigInt(value) * soldUnder * boughtOver * 10n ** decimalsOf(other)
  const below = soldOver * boughtUnder * 10n ** decimalsOf(currency)
  return Number((above + below - 1n) / below)
}

/** The exchange rates that the service was given of late: what one dollar buys. */
export class GivenRates {
  readonly #given = new Map<string, Array<Given>>()
  readonly #worths = new Map<string, number>()

  give(currency: string, rate: string, at: Timestamp): void {
    const given = this.#given.get(currency) ?? []
    this.#given.set(currency, given)
    const last = given.at(-1)
    if (last?.rate === rate && last.at === at) return
    while ((given[0]?.at ?? at) < at - KEPT) given.shift()
    given.push({ rate, at })
  }

  /** Each rate of a currency that was given lately; a dollar is a dollar. */
  of(currency: string): ReadonlyArray<string> {
    if (currency === "USD") return ["1"]
    return [...new Set((this.#given.get(currency) ?? []).map(({ rate }) => rate))]
  }

  /** What a payment is worth in another currency, at the least; always what was said first. */
  worthOf(id: string, amount: Money, other: string): number {
    const name = `${id} ${other}`
    const known = this.#worths.get(name)
    if (known !== undefined) return known
    const worths = this.of(amount.currency).flatMap((sold) =>
      this.of(other).map((bought) => worthAt(amount, sold, bought, other)),
    )
    const worth = worths.length === 0 ? 0 : Math.min(...worths)
    this.#worths.set(name, worth)
    return worth
  }
}

/** What the auditor keeps in mind of rates: no write tells of them. */
export const givenRates: Knowledge<GivenRates> = {
  name: "given rates",
  make: () => new GivenRates(),
  learn: () => undefined,
}
