import { makeClient } from "./client.ts"
import type { WalletOrder } from "./PaymentDemand.ts"
import { PayportError } from "./PayportError.ts"
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

const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

/**
 * Returns a wallet of the sandbox, which pays at once, with any account's key. The service compares
 * the amount.
 */
export const sandboxWallet = (options: Pick<ClientOptions, "apiKey" | "baseUrl">): Wallet => {
  const { sandbox } = makeClient(options)
  return {
    pay: async ({ amount, id }) => {
      // The same order has the same key, so that it is paid once and answered alike.
      const idempotencyKey = `pay-${id}-${amount.value}-${encodeURIComponent(amount.currency)}`
      const { status } = await sandbox
        .simulate(id, { action: "pay", amount }, { idempotencyKey })
        .catch((error: unknown) => {
          if (error instanceof PayportError && !error.may_have_acted) {
            throw new PaymentDeclined(error.message, { cause: error })
          }
          throw error
        })
      if (!PAID.has(status)) {
        throw new Error(`The wallet has paid, but the payment is still ${status}.`)
      }
    },
  }
}
