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
   */
  readonly pay: (order: WalletOrder) => Promise<void>
}

/** The wallet has not paid and will not pay. */
export class PaymentDeclined extends Error {
  override readonly name = "PaymentDeclined"
}

const PAID: ReadonlySet<string> = new Set(["authorized", "captured", "succeeded", "completed"])

/** Returns a wallet of the sandbox, which pays at once, with any account's key. */
export const sandboxWallet = (options: Pick<ClientOptions, "apiKey" | "baseUrl">): Wallet => {
  const { sandbox } = makeClient(options)
  return {
    pay: async ({ id }) => {
      const { status } = await sandbox.simulate(id, { action: "pay" }).catch((error: unknown) => {
        if (error instanceof PayportError && error.status < 500) {
          throw new PaymentDeclined(error.message, { cause: error })
        }
        throw error
      })
      if (!PAID.has(status)) throw new PaymentDeclined(`The payment is ${status}.`)
    },
  }
}
