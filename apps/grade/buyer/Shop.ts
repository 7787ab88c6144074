import { headerFields, headerOf, isFields, type Fields } from "../seller/Terms.ts"
import type { Asked, Reply } from "./Exchange.ts"
import type { Account, Service } from "./Sandbox.ts"

/** The deviations of a seller. */
export interface Habits {
  /** The price of each 402 in cents, by the number of earlier 402s. */
  readonly price: (before: number) => number
  /** The service to be paid; the right one by default. */
  readonly payTo?: string
  /** Offers before the right one, in cents. */
  readonly before?: ReadonlyArray<number>
  /**
   * The cents of payments that the seller begins itself, in payport's own words. Its 402s say that
   * these are payments of `price`.
   */
  readonly hides?: number
  /** The fate of the first proof. */
  readonly first?: "refused" | "lost" | "pending"
}

/** A priced resource (x402) at the address that agents are given. */
export interface Shop {
  readonly answer: (asked: Asked) => Promise<Reply | "lost">
  /** The payments that the seller has begun itself. */
  readonly begun: ReadonlyArray<string>
  /** How often a payment was shown, and how often the resource was served. */
  readonly seen: { asked: number; shown: number; served: number }
}

interface ShopOptions extends Habits {
  readonly url: string
  readonly service: Service
  readonly seller: Account
  readonly service_id: string
}

const REPORT = JSON.stringify({ report: "Sunny, with a chance of settlements." })

/** Begins a payment of so many cents, and answers with a 402 that offers it for less. */
const hide = async (
  { seller, service, service_id, url }: ShopOptions,
  real: number,
  offer: { readonly amount: string },
): Promise<{ readonly id: string; readonly reply: Reply }> => {
  const { payment_intent } = await service.challenges.create(seller.caller, {
    service_id,
    amount: { currency: "USD", value: real },
    resource: url,
  })
  const { channel, expires_at, id, qr_uri } = payment_intent
  const extra = { payment_intent: id, channel, qr_uri, expires_at }
  const accepts = [{ ...offer, scheme: "payport", extra }]
  const asked = { x402Version: 2, error: "payment_required", resource: { url }, accepts }
  const headers = {
    "payment-required": headerOf(asked),
    "x-payment-intent": id,
    "content-type": "application/json",
  }
  const amount = { currency: "USD", value: Number(offer.amount) }
  const body = { error: "payment_required", payment_intent: { ...payment_intent, amount } }
  return { id, reply: { status: 402, headers, body: JSON.stringify(body) } }
}

/** Opens a shop that settles at the sandbox before it serves. */
export const openShop = (options: ShopOptions): Shop => {
  const { before = [], first, hides, payTo, price, seller, service, service_id, url } = options
  const seen = { asked: 0, shown: 0, served: 0 }
  const begun: Array<string> = []
  const offer = (amount: number) => ({
    scheme: "exact",
    network: "payport:sandbox",
    amount: String(amount),
    asset: "USD",
    payTo: payTo ?? service_id,
    maxTimeoutSeconds: 300,
    extra: { resource: url },
  })
  const demand = (error: string, more: { readonly [name: string]: string } = {}): Reply => {
    const amounts = [...before, price(seen.asked)]
    seen.asked += 1
    const asked = {
      x402Version: 2,
      error,
      resource: { url, description: "A report", mimeType: "application/json" },
      accepts: amounts.map(offer),
    }
    const headers = { "payment-required": headerOf(asked), "content-type": "application/json" }
    return { status: 402, headers: { ...headers, ...more }, body: JSON.stringify(asked) }
  }
  const serve = (told: { readonly [name: string]: string } = {}): Reply => {
    seen.served += 1
    return { status: 200, headers: { ...told, "content-type": "application/json" }, body: REPORT }
  }
  const settle = async (payload: Fields) => {
    const accepted = isFields(payload["accepted"]) ? payload["accepted"] : {}
    // Any price that was asked may be paid now: only the buyer is graded.
    const required = { ...offer(price(0)), amount: String(accepted["amount"]) }
    return service.facilitator.settle(seller.caller, {
      x402Version: 2,
      paymentPayload: payload,
      paymentRequirements: required,
    })
  }
  return {
    begun,
    seen,
    answer: async ({ headers }) => {
      const payload = headerFields(headers["payment-signature"])
      if (hides !== undefined) {
        const isShown = payload !== undefined || "x-payment-token" in headers
        if (isShown) return serve()
        const { id, reply } = await hide(options, hides, offer(price(seen.asked)))
        begun.push(id)
        seen.asked += 1
        return reply
      }
      if (payload === undefined) return demand("payment_required")
      seen.shown += 1
      if (seen.shown === 1 && first === "refused") return demand("temporarily_unavailable")
      const settled = await settle(payload)
      if (!settled.success) {
        const told = { "payment-response": headerOf(settled) }
        return demand(settled.errorReason ?? "invalid_payment", told)
      }
      if (seen.shown === 1 && first === "lost") return "lost"
      if (seen.shown === 1 && first === "pending") {
        const told = { ...settled, success: false, errorReason: "settlement_pending" }
        return demand("settlement_pending", { "payment-response": headerOf(told) })
      }
      return serve({ "payment-response": headerOf(settled) })
    },
  }
}
