import type { CreateIntentInput } from "../payments/IntentInput.ts"
import type { Invoice } from "../invoices/Invoice.ts"
import type { CreateRefundRequestInput } from "../refundRequests/RefundRequestInput.ts"
import type { Interval } from "../shared/Period.ts"
import type { Money } from "../shared/Money.ts"

/** An action that a text asks for: one of the API's own requests. */
export type Action =
  | { readonly type: "pay"; readonly input: CreateIntentInput }
  | {
      readonly type: "subscribe"
      readonly service_id: string
      readonly input: {
        readonly plan_id: string
        readonly interval: Interval
        readonly amount: Money
        readonly payer?: NonNullable<CreateIntentInput["payer"]>
      }
    }
  | {
      readonly type: "query_invoice"
      readonly query: { readonly service_id?: string; readonly status?: Invoice["status"] }
    }
  | {
      readonly type: "refund"
      readonly payment_intent: string
      readonly input: { readonly amount?: Money; readonly reason?: string }
    }
  | { readonly type: "request_refund"; readonly input: CreateRefundRequestInput }
  | { readonly type: "void"; readonly payment_intent: string }

/** An action as an HTTP request. */
export interface WireAction {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body: { readonly [field: string]: unknown } | null
}

const queryText = (query: { readonly [name: string]: string | undefined }): string => {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return parts.length === 0 ? "" : `?${parts.join("&")}`
}

/** Returns the HTTP request of the action (AI-native endpoints, intent classification). */
export const wireOf = (action: Action): WireAction => {
  switch (action.type) {
    case "pay":
      return { method: "POST", path: "/v1/payment-intents", body: { ...action.input } }
    case "subscribe": {
      const path = `/v1/service-manifests/${action.service_id}/subscribe`
      return { method: "POST", path, body: { ...action.input } }
    }
    case "query_invoice":
      return { method: "GET", path: `/v1/invoices${queryText(action.query)}`, body: null }
    case "refund": {
      const path = `/v1/payment-intents/${action.payment_intent}/refund`
      return { method: "POST", path, body: { ...action.input } }
    }
    case "request_refund":
      return { method: "POST", path: "/v1/refund-requests", body: { ...action.input } }
    case "void":
      return { method: "POST", path: `/v1/payment-intents/${action.payment_intent}/void`, body: {} }
  }
}
