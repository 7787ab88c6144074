import { askedAt } from "./askedAt.ts"
import { namedPayment, type PaymentDemand, readPaymentDemand } from "./PaymentDemand.ts"
import { type Budget, PaymentRefused, BudgetTracker } from "./BudgetTracker.ts"
import { PATIENCE } from "./present.ts"
import { discard } from "./readJson.ts"
import type { Wallet } from "./Wallet.ts"
import { shownBy } from "./x402Header.ts"
import { purchaseNamed, type X402Context } from "./x402Identifier.ts"
import { type X402Demanded, X402Purchases } from "./X402Purchases.ts"

/** The part of a server's requirements that a payment of its own challenge needs. */
export interface X402Asked {
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly extra: { readonly [name: string]: unknown }
}

/** A scheme for x402's clients, in the form of their package. */
export interface X402Scheme<Required = X402Asked> {
  readonly scheme: string
  readonly findDefaultAsset: (
    asset: string,
  ) => { readonly asset: string; readonly decimals: number; readonly symbol: string } | undefined
  readonly createPaymentPayload: (
    x402Version: number,
    requirements: Required,
    context?: X402Context,
  ) => Promise<{ x402Version: number; payload: { payment_intent: string; token: string } }>
}

/** Connects an x402 client to payport. */
export interface X402Payer {
  /** The `fetch` to wrap. It records the tokens in the bodies of 402s, which x402 does not read. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** The scheme to register for `payport:*`. */
  readonly scheme: X402Scheme
}

/** The most required payments that are kept until they are made. */
const MOST = 100

const refuse = (message: string) => new PaymentRefused("malformed", message)

/** Returns the digest of a request's body, which a paywall may bind the payment to. */
const digestOf = async (request: Request | undefined): Promise<string> => {
  if (request === undefined) return ""
  const digest = await crypto.subtle.digest("SHA-256", await request.arrayBuffer())
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** Whether a seller has accepted or refused the payment that a request showed. */
const isJudged = ({ headers, status }: Response, shown: string): boolean =>
  status === 402
    ? namedPayment(headers) !== shown
    : status < 500 && status !== 408 && status !== 409 && status !== 429

/**
 * Lets an x402 client pay with a wallet, within a budget:
 * `wrapFetchWithPayment(payer.fetch, client)` with `client.register("payport:*", payer.scheme)`.
 * The 402's body names the payment, and its header must agree. One identifier
 * (`payment-identifier`) has one payment, which the scheme shows again for the same thing. After a
 * payment of unknown outcome, the same request asks the wallet for that one again. A payment that
 * was made, and whose request got no answer or one that judges nothing (408, 409, 429, 5xx), is
 * shown again by the next such request.
 *
 * The scheme rejects with `PaymentRefused` or the wallet's error. x402's wrapper turns that into
 * its own error. `fetch` rejects with `PaymentRefused`: `host` if a 402 was redirected from another
 * origin, and `malformed` if its body contradicts it, is longer than 64 KiB, or has not ended after
 * half a minute.
 */
export const x402Payer = (
  fetch: (input: Request) => Promise<Response>,
  wallet: Wallet,
  budget: Budget,
): X402Payer => {
  const demands = new Map<string, Pick<X402Demanded, "asked" | "demand">>()
  const note = (due: PaymentDemand, origin: string, asked: string): void => {
    demands.set(due.id, { asked, demand: { ...due, origin } })
    const [oldest] = demands.size > MOST ? demands.keys() : []
    if (oldest !== undefined) demands.delete(oldest)
  }
  const purchases = new X402Purchases(wallet, new BudgetTracker(budget))
  const demandedBy = ({ amount, asset, extra, payTo }: X402Asked): X402Demanded => {
    const id = extra["payment_intent"]
    const noted = typeof id === "string" ? demands.get(id) : undefined
    if (noted === undefined) throw refuse("This client has received no 402 with this payment.")
    const { asked, demand } = noted
    if (amount !== String(demand.amount.value) || asset !== demand.amount.currency) {
      throw refuse("The header and the body of the 402 require different amounts.")
    }
    demands.delete(demand.id)
    return { asked, demand, key: JSON.stringify([demand.origin, payTo, asset, amount]) }
  }
  const scheme: X402Scheme = {
    scheme: "payport",
    findDefaultAsset: (asset) =>
      asset === "USD" ? { asset, decimals: 2, symbol: "USD" } : undefined,
    createPaymentPayload: async (x402Version, required, context) => {
      const identifier = purchaseNamed(context)
      const { id, token } = await purchases.pay(demandedBy(required), identifier)
      return { x402Version, payload: { payment_intent: id, token } }
    },
  }
  return {
    scheme,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const spare = request.body === null ? undefined : request.clone()
      const shown = shownBy(request)
      const response = await fetch(request).catch((error: unknown) => {
        purchases.shown(shown, false)
        throw error
      })
      purchases.shown(shown, isJudged(response, shown))
      if (response.status !== 402 || namedPayment(response.headers) === null) return response
      try {
        const { href, origin } = askedAt(request.url, response)
        const demand = await readPaymentDemand(response, PATIENCE)
        // x402's wrapper would read the whole body, however long it is.
        if (typeof demand !== "object") {
          throw refuse("The 402 contradicts itself, is too long, or has no end.")
        }
        note(demand, origin, `${request.method} ${href} ${await digestOf(spare)}`)
        return response
      } catch (error) {
        discard(response)
        throw error
      }
    },
  }
}
