import type { Money } from "../../core/shared/Money.ts"

/** How many units of a currency's smallest part a cent buys, as a fraction. */
const CENTS: { readonly [currency: string]: readonly [units: bigint, cents: bigint] } = {
  USD: [1n, 1n],
  EUR: [87n, 100n],
  CNY: [716n, 100n],
  SGD: [129n, 100n],
  JPY: [1_485n, 1_000n],
  KWD: [306n, 100n],
}

/** What an amount is worth in another currency's smallest part, rounded up. */
export const worthIn = ({ currency, value }: Money, other: string): number => {
  const [units, cents] = CENTS[currency] ?? [1n, 1n]
  const [otherUnits, otherCents] = CENTS[other] ?? [1n, 1n]
  const above = BigInt(value) * cents * otherUnits
  const below = units * otherCents
  return Number((above + below - 1n) / below)
}

/** What an amount is worth in US cents, rounded up. */
export const centsOf = (amount: Money): number => worthIn(amount, "USD")
