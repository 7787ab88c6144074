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
  /** The fate of the first proof. */
  readonly first?: "refused" | "lost" | "pending"
}

/** A priced resource (x402) at the address that agents are given. */
export interface Shop {
  readonly answer: (asked: Asked) => Promise<Reply | "lost">
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

/** Opens a shop that settles at the sandbox before it serves. */
export const openShop = (options: ShopOptions): Shop => {
  const { before = [], first, payTo, price, seller, service, service_id, url } = options
  const seen = { asked: 0, shown: 0, served: 0 }
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
    seen,
    answer: async ({ headers }) => {
      const payload = headerFields(headers["payment-signature"])
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
      seen.served += 1
      const told = { "payment-response": headerOf(settled), "content-type": "application/json" }
      return { status: 200, headers: told, body: REPORT }
    },
  }
}
