import { makeClient } from "./client.ts"
import { keepNewest } from "./keepNewest.ts"
import type { WalletOrder } from "./PaymentDemand.ts"
import { isJudged, PayportError } from "./PayportError.ts"
import type { ClientOptions } from "./RequestOptions.ts"

/** Pays for a paying client. */
export interface Wallet {
  /**
   * Pays by the order's link, and resolves once the payer has authorized the payment. Pays an order
   * once, however often it is called. Rejects with `PaymentDeclined` if nothing was paid. After any
   * other rejection the outcome is unknown, and the money counts as spent.
   *
   * `order.amount` is what the budget has allowed. It comes from whoever asks for the money, and
   * the link may be of a payment with another amount. So a wallet compares it with the amount that
   * the payment itself has where it is paid, and rejects with `PaymentDeclined` unless value and
   * currency are the same.
   */
  readonly pay: (order: WalletOrder) => Promise<void>
}

/** The wallet has not paid and will not pay. */
export class PaymentDeclined extends Error {
  override readonly name = "PaymentDeclined"
}

/** The most orders that the sandbox's wallet remembers. */
const MOST = 100

const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

/**
 * Returns a wallet of the sandbox, which pays at once, with any account's key. The service compares
 * the amount.
 */
export const sandboxWallet = (options: Pick<ClientOptions, "apiKey" | "baseUrl">): Wallet => {
  const { sandbox } = makeClient(options)
  const maybePaid = new Map<string, true>()
  /** A refusal of the key, or for now, says nothing about what an earlier call has paid. */
  const isUnpaid = (error: unknown, idempotencyKey: string): error is PayportError =>
    error instanceof PayportError &&
    (maybePaid.has(idempotencyKey) ? isJudged(error) : !error.may_have_acted)
  return {
    pay: async ({ amount, id }) => {
      // The same order has the same key, so that it is paid once and answered alike.
      const idempotencyKey = `pay-${id}-${amount.value}-${encodeURIComponent(amount.currency)}`
      const { status } = await sandbox
        .simulate(id, { action: "pay", amount }, { idempotencyKey })
        .catch((error: unknown) => {
          if (isUnpaid(error, idempotencyKey)) {
            maybePaid.delete(idempotencyKey)
            throw new PaymentDeclined(error.message, { cause: error })
          }
          keepNewest(maybePaid, idempotencyKey, true, MOST)
          throw error
        })
      keepNewest(maybePaid, idempotencyKey, true, MOST)
      if (!PAID.has(status)) {
        throw new Error(`The wallet has paid, but the payment is still ${status}.`)
      }
    },
  }
}
