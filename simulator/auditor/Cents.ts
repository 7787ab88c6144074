import type { Money } from "../../core/shared/Money.ts"
import { givenRates } from "./GivenRates.ts"
import type { Model } from "./Model.ts"

/** A payment as far as its worth is concerned. */
interface Priced {
  readonly id: string
  readonly amount: Money
}

/**
 * What a payment is worth in another currency's smallest part, rounded up: by the rates that were
 * given when it was first asked about, at the least.
 */
export const worthIn = ({ amount, id }: Priced, other: string, model: Model): number =>
  amount.currency === other ? amount.value : model.know(givenRates).worthOf(id, amount, other)

/** What a payment is worth in US cents, rounded up. */
export const centsOf = (payment: Priced, model: Model): number => worthIn(payment, "USD", model)
