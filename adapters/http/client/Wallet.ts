import { Data } from "effect"
import { makeClient } from "./client.ts"
import type { ClientOptions } from "./ClientTypes.ts"
import type { WalletOrder } from "./PaymentDemand.ts"
import { PayportError } from "./PayportError.ts"

/** Pays for a paying client. */
export interface Wallet {
  /**
   * Pays by the order's link and resolves once the payer has authorized it. It pays an order once,
   * however often it is called. Rejects with `PaymentDeclined` when nothing was paid; after any
   * other rejection the outcome is unknown, and the money counts as spent.
   */
  readonly pay: (order: WalletOrder) => Promise<void>
}

/** The wallet has not paid and will not pay. */
export class PaymentDeclined extends Data.TaggedError("PaymentDeclined")<{
  readonly message: string
}> {}

/** A wallet of the sandbox, which pays at once, with any account's key. */
export const sandboxWallet = (options: Pick<ClientOptions, "apiKey" | "baseUrl">): Wallet => {
  const { sandbox } = makeClient(options)
  return {
    pay: async ({ id }) => {
      const { status } = await sandbox
        .simulate({ params: { id }, payload: { action: "pay" } })
        .catch((error: unknown) => {
          if (error instanceof PayportError && error.status < 500) {
            throw new PaymentDeclined({ message: error.message })
          }
          throw error
        })
      const paid = status === "authorized" || status === "captured" || status === "succeeded"
      if (!paid) throw new PaymentDeclined({ message: `The payment is ${status}.` })
    },
  }
}
