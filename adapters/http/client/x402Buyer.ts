import { askedAt } from "./askedAt.ts"
import type { Budget } from "./BudgetTracker.ts"
import type { ClientOptions } from "./RequestOptions.ts"
import type { Wallet } from "./Wallet.ts"
import { X402Demands, type X402Origins } from "./X402Demands.ts"
import { decodeHeader, shownBy } from "./x402Header.ts"
import { purchaseNamed } from "./x402Identifier.ts"
import type { X402Asked, X402Scheme } from "./x402Payer.ts"
import { X402Payments } from "./X402Payments.ts"

/** The means by which a buyer pays, and the limits. */
export interface X402BuyerOptions {
  /** The payport service of the buyer's agent, and the agent's key. */
  readonly payport: ClientOptions
  readonly wallet: Wallet
  readonly budget: Budget
  /**
   * For sellers behind a proxy of another public origin: which other origins the 402s of an origin
   * may name as paid for, such as `{ "https://api.example": ["https://inner.example"] }`. By
   * default a 402 asks for payments for its own origin only.
   */
  readonly origins?: X402Origins
}

/** A server's requirements, in the form of x402's packages. */
export interface X402Required extends X402Asked {
  readonly scheme: string
  readonly network: string
}

/** The scheme that a buyer's x402 client registers. */
export type X402BuyerScheme = X402Scheme<X402Required>

/** Connects an x402 client to payport's channels. */
export interface X402Buyer {
  /** The `fetch` to wrap. It records which payments were answered. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** The scheme to register for `payport:*`. */
  readonly scheme: X402BuyerScheme
  /**
   * The scheme `upto`, to register beside it. The buyer authorizes a maximum, which counts against
   * its budget, and the seller captures the used amount.
   */
  readonly upto: X402BuyerScheme
  /** The scheme `auth-capture`. Unlike with `upto`, the seller holds the money before its work. */
  readonly authCapture: X402BuyerScheme
  /** The hook after a payment of an MCP client. It records which payments were answered. */
  readonly afterPayment: (told: X402ToolAnswer) => void
}

/** What an MCP client learns about a payment, in the form of x402's MCP package. */
export interface X402ToolAnswer {
  readonly paymentPayload: { readonly payload: { readonly [name: string]: unknown } }
  /** From the result's `_meta`; null without it. */
  readonly settleResponse: { readonly success: boolean; readonly errorReason?: string } | null
}

/** A server's reasons why a payment can open nothing any more. */
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

/**
 * Lets an x402 client pay sellers that settle at payport's facilitator, with a wallet and within a
 * budget: `wrapFetchWithPayment(buyer.fetch, client)` with
 * `client.register("payport:*", buyer.scheme)`.
 *
 * If a request was not answered, the next request for the same thing shows its payment again: a
 * lost answer is not paid twice. One identifier (`payment-identifier`) has one payment. The scheme
 * rejects with `PaymentRefused`, the wallet's error or the service's refusal. x402's wrapper turns
 * that into its own error.
 *
 * The wallet gets the origin whose 402 asks for the payment. If a 402 asks for a payment for
 * another origin (`origin`), or was redirected from another one (`host`), `fetch` rejects with
 * `PaymentRefused` before anything is paid. Requirements that `fetch` has not seen are refused.
 *
 * Every call of a tool (MCP) for the same thing shows the same payment until `afterPayment` learns
 * that it was answered: `client.onAfterPayment(buyer.afterPayment)`.
 */
export const x402Buyer = (
  fetch: (input: Request) => Promise<Response>,
  options: X402BuyerOptions,
): X402Buyer => {
  const payments = new X402Payments(options)
  const demands = new X402Demands(options.origins)
  const schemeOf = (scheme: string): X402BuyerScheme => ({
    scheme,
    findDefaultAsset: (asset) =>
      asset === "USD" ? { asset, decimals: 2, symbol: "USD" } : undefined,
    createPaymentPayload: async (x402Version, required, context) => ({
      x402Version,
      payload: await payments.proofFor(
        required,
        demands.originOf(required),
        purchaseNamed(context),
      ),
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
        if (response.status === 402 && response.headers.has("PAYMENT-REQUIRED")) {
          demands.note(askedAt(request.url, response), response.headers)
        }
        return response
      } catch (error) {
        payments.keep(id)
        throw error
      }
    },
  }
}
