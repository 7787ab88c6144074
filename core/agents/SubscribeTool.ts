import { Schema } from "effect"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { SubscribeInput } from "../subscriptions/SubscribeInput.ts"
import { SUBSCRIPTION_STATUSES } from "../invoices/Subscription.ts"
import { CurrencyCode, MAX_VALUE, PayableValue } from "../shared/Money.ts"
import { quoted } from "./SafeText.ts"
import type { ToolDescription } from "./Tool.ts"
import {
  agreedCurrency,
  calledBy,
  DATA,
  decodeCall,
  idempotencyKey,
  KeyedToolCall,
  manifestId,
  money,
  NAME_SHOWN,
  replayed,
  TEXT_SHOWN,
} from "./ToolCall.ts"
import { INTERVALS } from "../shared/Period.ts"
import type { SubscriptionPlan } from "../registry/Pricing.ts"

/** The arguments of `pay_subscribe`. */
const PaySubscribeInput = Schema.Struct({
  ...KeyedToolCall,
  plan_id: SubscribeInput.fields.plan_id,
  interval: SubscribeInput.fields.interval,
  amount: Schema.optionalKey(PayableValue),
  currency: Schema.optionalKey(CurrencyCode),
})

/** Decodes the arguments of a call. Fails with the codes of `subscribe`. */
export const decodePaySubscribe = decodeCall(PaySubscribeInput, {
  codes: { amount: "INVALID_AMOUNT", currency: "INVALID_AMOUNT" },
})

const PLANS_SHOWN = 10

const plansText = (plans: ReadonlyArray<SubscriptionPlan>): string => {
  const shown = plans
    .slice(0, PLANS_SHOWN)
    .map(
      ({ amount, currency, interval, name, plan_id }) =>
        `${quoted(plan_id, 64)} ${quoted(name, 64)} at ${amount} ${currency} ${interval}`,
    )
  const more = plans.length - shown.length
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "")
}

const outputSchema = {
  type: "object" as const,
  properties: {
    id: { type: "string", description: "The subscription's id." },
    service_id: { type: "string" },
    plan_id: { type: "string" },
    interval: { type: "string" },
    amount: money,
    status: { type: "string", enum: [...SUBSCRIPTION_STATUSES] },
    latest_invoice: { type: "string", description: "The id of the invoice for this period." },
    payment: {
      type: "object",
      description:
        "The payment of the first period: completed, or pending with a deeplink for the payer.",
      properties: {
        id: { type: "string" },
        status: { type: "string" },
        amount: money,
        deeplink: { type: "string" },
        expires_at: { type: "string" },
      },
      required: ["id", "status", "amount", "expires_at"],
    },
    current_period_start: { type: "string" },
    current_period_end: { type: "string" },
    created_at: { type: "string" },
    ...replayed,
  },
  required: ["id", "service_id", "plan_id", "status", "amount", "latest_invoice", "payment"],
}

/** Returns the tool that subscribes to a service (MCP tool mapping). */
export const subscribeTool = (manifest: ServiceManifest): ToolDescription => {
  const plans = manifest.pricing.subscription ?? []
  return {
    title: `Subscribe: ${quoted(manifest.name, NAME_SHOWN)}`,
    description:
      `Subscribe, with recurring payments, to the service ${quoted(manifest.name, NAME_SHOWN)}, ` +
      `which its seller describes as ${quoted(manifest.description, TEXT_SHOWN)}. ` +
      `Plans, in minor units: ${plansText(plans)}. ${DATA}`,
    inputSchema: {
      type: "object",
      properties: {
        manifest_id: manifestId(manifest.id),
        plan_id: {
          type: "string",
          enum: plans.map(({ plan_id }) => plan_id),
          description: "The id of one of the service's plans.",
        },
        amount: {
          type: "integer",
          minimum: 1,
          maximum: MAX_VALUE,
          description:
            "The plan's price that you agree to, in minor units. If it differs, nothing is " +
            "bought. Needs `interval` and `currency`.",
        },
        interval: {
          type: "string",
          enum: [...INTERVALS],
          description: "How often you agree to pay it. If it differs, nothing is bought.",
        },
        ...agreedCurrency,
        ...calledBy,
        ...idempotencyKey,
      },
      required: ["manifest_id", "plan_id"],
    },
    outputSchema,
    idempotent: false,
  }
}
