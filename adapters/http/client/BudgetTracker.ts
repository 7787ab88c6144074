import type { Money } from "./Resources.ts"

/** The spending limits of a session, in minor units of one currency. */
export interface Budget {
  readonly currency: string
  /** For one request. */
  readonly perCall: number
  /** For all requests together. */
  readonly total: number
  /** The most payments; 3 by default (Limits, client retries). */
  readonly mostPayments?: number
}

/** Why the client refused a required payment. Nothing was paid. */
export type RefusalReason =
  | "malformed"
  | "not_repeatable"
  | "unsigned"
  | "host"
  | "origin"
  | "currency"
  | "per_call_budget"
  | "total_budget"
  | "too_many_payments"

/** The client refused to make a required payment. */
export class PaymentRefused extends Error {
  override readonly name = "PaymentRefused"
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const MOST_PAYMENTS = 3

/** Keeps a session within its budget, also for concurrent payments. */
export class BudgetTracker {
  readonly #budget: Budget
  #spent = 0
  #payments = 0

  constructor(budget: Budget) {
    const { mostPayments = MOST_PAYMENTS, perCall, total } = budget
    if (![perCall, total].every((value) => Number.isSafeInteger(value) && value >= 0)) {
      throw new TypeError("A budget is a whole number of minor units.")
    }
    if (!(mostPayments >= 0)) {
      throw new TypeError(`mostPayments has to be a number from 0, not ${mostPayments}.`)
    }
    this.#budget = budget
  }

  /** Returns the amount that was spent or may have been spent. */
  get spent(): Money {
    return { currency: this.#budget.currency, value: this.#spent }
  }

  /**
   * Reserves an amount. Returns the function that releases it if nothing was paid. Throws
   * `PaymentRefused` if the budget does not allow the amount.
   */
  reserve({ currency, value }: Money): () => void {
    const { mostPayments = MOST_PAYMENTS, perCall, total } = this.#budget
    const refuse = (reason: RefusalReason, message: string) => {
      throw new PaymentRefused(reason, message)
    }
    if (!Number.isSafeInteger(value) || value < 1) {
      refuse("malformed", "The amount is not a whole number of minor units.")
    }
    if (currency !== this.#budget.currency) {
      refuse(
        "currency",
        `The budget is in ${this.#budget.currency}, but the price is in ${currency}.`,
      )
    }
    if (value > perCall)
      refuse("per_call_budget", `${value} is more than the budget of ${perCall} per call.`)
    if (this.#spent + value > total) {
      refuse("total_budget", `${value} is more than the ${total - this.#spent} left of the budget.`)
    }
    if (this.#payments >= mostPayments) {
      refuse(
        "too_many_payments",
        `This session has made its ${mostPayments} payments. Begin a new session for more.`,
      )
    }
    this.#spent += value
    this.#payments += 1
    let open = true
    return () => {
      if (!open) return
      open = false
      this.#spent -= value
      this.#payments -= 1
    }
  }
}
