import type { BudgetTracker } from "./BudgetTracker.ts"
import { isJudged, PayportError } from "./PayportError.ts"
import type { RequestOptions } from "./RequestOptions.ts"
import type { Money } from "./Resources.ts"
import { PaymentDeclined } from "./Wallet.ts"

/** A charge whose outcome is unknown. */
interface Reserved {
  readonly idempotencyKey: string
  /** Releases its part of the budget. */
  readonly release: () => void
}

/** Whether nothing was paid: the service began nothing, or the wallet declined. */
const isUnpaid = (error: unknown): boolean =>
  error instanceof PaymentDeclined || (error instanceof PayportError && !error.may_have_acted)

/** Whether nothing is left to find out about a charge whose outcome was unknown. */
const isFinal = (error: unknown): boolean =>
  error instanceof PaymentDeclined || (error instanceof PayportError && isJudged(error))

/**
 * Makes charges of an account within a budget. A charge keeps its part of the budget unless it is
 * known that nothing was paid. If its outcome is unknown, the next charge of that name and amount
 * is the same one: it uses the same part of the budget and the same idempotency key, so that
 * nothing is charged twice. That ends with an answer or with a refusal of the charge itself. A
 * refusal of the key, such as of a suspended account, says nothing about the charge.
 */
export const chargeOnce = (tracker: BudgetTracker) => {
  const unknown = new Map<string, Reserved>()

  const reserve = (amount: Money): Reserved => ({
    idempotencyKey: crypto.randomUUID(),
    release: tracker.reserve(amount),
  })

  return async <A>(
    name: string,
    amount: Money,
    charge: (options: RequestOptions) => Promise<A>,
  ): Promise<A> => {
    const { currency, value } = amount
    const key = `${name} ${value} ${currency}`
    const before = unknown.get(key)
    const reserved = before ?? reserve(amount)
    const { idempotencyKey, release } = reserved
    unknown.set(key, reserved)
    try {
      const answer = await charge({ idempotencyKey })
      unknown.delete(key)
      return answer
    } catch (error) {
      // A refusal of the repetition says nothing about what the first attempt has done.
      const isNothing = before === undefined && isUnpaid(error)
      if (isNothing) release()
      if (isNothing || isFinal(error)) unknown.delete(key)
      throw error
    }
  }
}
