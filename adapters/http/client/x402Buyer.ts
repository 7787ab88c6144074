import type { Budget } from "./BudgetTracker.ts"
import type { ClientOptions } from "./RequestOptions.ts"
import type { Wallet } from "./Wallet.ts"
import { decodeHeader } from "./x402Header.ts"
import { purchaseNamed } from "./x402Identifier.ts"
import type { X402Asked, X402Scheme } from "./x402Payer.ts"
import { X402Payments } from "./X402Payments.ts"

/** What pays for a buyer, and how much. */
export interface X402BuyerOptions {
  /** The service that the buyer's agent has an account with, and its key. */
  readonly payport: ClientOptions
  readonly wallet: Wallet
  readonly budget: Budget
}

/** What a server requires, in the words of x402's packages. */
export interface X402Required extends X402Asked {
  readonly scheme: string
  readonly network: string
}

/** The scheme that a buyer's x402 client registers. */
export type X402BuyerScheme = X402Scheme<X402Required>

/** Connects an x402 client to our channels. */
export interface X402Buyer {
  /** The `fetch` to wrap: it notes which payments were answered. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** The scheme to register for `payport:*`. */
  readonly scheme: X402BuyerScheme
  /**
   * The scheme `upto`, to register beside it: the buyer authorizes a maximum, which counts against
   * its budget, and the seller takes what was used.
   */
  readonly upto: X402BuyerScheme
  /** The scheme `auth-capture`: the same, where the seller holds the money before its work. */
  readonly authCapture: X402BuyerScheme
  /** The hook after a payment of an MCP client: it notes which payments were answered. */
  readonly afterPayment: (told: X402ToolAnswer) => void
}

/** What an MCP client is told of a payment, in the words of x402's package for it. */
export interface X402ToolAnswer {
  readonly paymentPayload: { readonly payload: { readonly [name: string]: unknown } }
  /** Of the result's `_meta`; null without it. */
  readonly settleResponse: { readonly success: boolean; readonly errorReason?: string } | null
}

/** What a server says of a payment that can open nothing any more. */
const OVER = new Set([
  "payment_already_settled",
  "payment_expired",
  "payment_ended",
  "payment_refunded",
])

/** Whether the server has answered for the payment, or never will. */
const isAnswered = ({ headers }: Response): boolean => {
  const settled = decodeHeader(headers.get("PAYMENT-RESPONSE"))
  const { error } = decodeHeader(headers.get("PAYMENT-REQUIRED"))
  return settled["success"] === true || OVER.has(String(settled["errorReason"] ?? error))
}

/** The payment that a request shows; empty without one. */
const shownBy = ({ headers }: Request): string => {
  const { payload } = decodeHeader(headers.get("PAYMENT-SIGNATURE"))
  const { payment_intent } = (payload ?? {}) as { readonly payment_intent?: unknown }
  return typeof payment_intent === "string" ? payment_intent : ""
}

/**
 * Lets an x402 client pay sellers that settle at our facilitator, with a wallet and within a
 * budget: `wrapFetchWithPayment(buyer.fetch, client)` with
 * `client.register("payport:*", buyer.scheme)`.
 *
 * A payment whose request was not answered is shown again by the next request for the same thing:
 * nothing is paid twice for an answer that was lost. Under one identifier
 * (`payment-identifier`) one payment is made, and no other is begun under it. The scheme rejects
 * with `PaymentRefused`, with the wallet's error, or as the service refuses; x402's wrapper turns
 * it into its own error.
 *
 * A tool (MCP) is shown the same payment by each call for the same until `afterPayment` was told
 * that it was answered: `client.onAfterPayment(buyer.afterPayment)`.
 */
export const x402Buyer = (
  fetch: (input: Request) => Promise<Response>,
  options: X402BuyerOptions,
): X402Buyer => {
  const payments = new X402Payments(options)
  const schemeOf = (scheme: string): X402BuyerScheme => ({
    scheme,
    findDefaultAsset: (asset) =>
      asset === "USD" ? { asset, decimals: 2, symbol: "USD" } : undefined,
    createPaymentPayload: async (x402Version, required, context) => ({
      x402Version,
      payload: await payments.proofFor(required, purchaseNamed(context)),
    }),
  })
  return {
    scheme: schemeOf("exact"),
    upto: schemeOf("upto"),
    authCapture: schemeOf("auth-capture"),
    afterPayment: ({ paymentPayload: { payload }, settleResponse }) => {
      const { errorReason = "", success = false } = settleResponse ?? {}
      if (success || OVER.has(errorReason)) payments.forget(String(payload["payment_intent"]))
    },
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const id = shownBy(request)
      try {
        const response = await fetch(request)
        if (isAnswered(response)) payments.forget(id)
        else payments.keep(id)
        return response
      } catch (error) {
        payments.keep(id)
        throw error
      }
    },
  }
}
