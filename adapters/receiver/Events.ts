// Written by npm run generate from the contract: change that, and write it anew.

interface EventOf<Type extends string, Data> {
  /** `evt_…`; the same in every delivery of this event. */
  readonly id: string
  readonly type: Type
  readonly data: Data
  /** Unix seconds. */
  readonly created: number
}

/** What is told, the same for every envelope (Events). Later versions have further types. */
export type WebhookEvent =
  | PaymentIntentSucceededEvent
  | PaymentIntentFailedEvent
  | PaymentIntentExpiredEvent
  | PaymentIntentCancelledEvent
  | RevocationSucceededEvent
  | RevocationFailedEvent
  | RevocationBatchCompletedEvent
  | RefundSucceededEvent
  | RefundFailedEvent
  | RefundRequestedEvent
  | RefundDeclinedEvent
  | RefundWithdrawnEvent
  | KycVerifiedEvent
  | KycRejectedEvent
  | KycExpiringEvent
  | KycExpiredEvent
  | WebhookDeliverySucceededEvent
  | WebhookDeliveryRetryingEvent
  | WebhookDeliveryFailedEvent
  | WebhookEndpointDisabledEvent
  | BudgetAlertEvent
  | ApiKeyCreatedEvent
  | ApiKeyRolledEvent
  | ApiKeyRevokedEvent
  | SubscriptionCreatedEvent
  | SubscriptionRenewedEvent
  | SubscriptionPastDueEvent
  | SubscriptionRecoveredEvent
  | SubscriptionCancelScheduledEvent
  | SubscriptionCancelledEvent
  | InvoiceCreatedEvent
  | InvoicePaidEvent
  | InvoiceOverdueEvent
  | InvoiceVoidedEvent
  | InvoiceUncollectibleEvent
  | PingEvent

/** The payment is made: deliver what was bought. */
export type PaymentIntentSucceededEvent = EventOf<
  "payment_intent.succeeded",
  {
    /** `pi_` and a UUIDv7. */
    readonly id: string
    /** The service's id. */
    readonly service_id: string
    /** The amount that the payer pays. */
    readonly amount: Money
    readonly captured_amount?: Money
    /**
     * What the payee gets, and the applied rate. After a capture it is based on the
     * captured amount.
     */
    readonly settlement: {
      /** The currency that the payee is paid in. */
      readonly currency: string
      /** The amount in minor units of the settlement currency. */
      readonly value: number
      /** The value of one unit of the payer's currency in the settlement currency. */
      readonly rate: number
    }
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    /** The channel's transaction number. */
    readonly channel_txn_id: string
    /** When the channel settled the payment. */
    readonly succeeded_at: string
    /** Whether an install's mandate paid, without asking a person. */
    readonly auto_paid?: boolean
    /** The invoice that the payment pays. Only for payments of invoices. */
    readonly invoice?: string
    /** The caller's own data; null for none. */
    readonly metadata: {
      readonly [name: string]: unknown
    } | null
  }
>

/** The channel refused the payment, or its settlement. */
export type PaymentIntentFailedEvent = EventOf<
  "payment_intent.failed",
  {
    /** `pi_` and a UUIDv7. */
    readonly id: string
    /** The service's id. */
    readonly service_id: string
    /** The final state: failed, expired, cancelled or voided. */
    readonly status: string
    /** The amount that the payer pays. */
    readonly amount: Money
    readonly captured_amount?: Money
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    /** Why the payment failed, for programs. */
    readonly failure_code?: string
    /** Why the payment failed, for people. */
    readonly failure_message?: string
    /** The invoice that the payment pays. Only for payments of invoices. */
    readonly invoice?: string
    /** When the payment ended. */
    readonly occurred_at: string
    /** The caller's own data; null for none. */
    readonly metadata: {
      readonly [name: string]: unknown
    } | null
  }
>

/** Nobody paid in time. */
export type PaymentIntentExpiredEvent = EventOf<
  "payment_intent.expired",
  PaymentIntentFailedEvent["data"]
>

/** The payment was voided or cancelled before it was made. */
export type PaymentIntentCancelledEvent = EventOf<
  "payment_intent.cancelled",
  PaymentIntentFailedEvent["data"]
>

/** A refund has taken a scope of an access away. */
export type RevocationSucceededEvent = EventOf<
  "revocation.succeeded",
  {
    /** The refund that caused the revocation. */
    readonly refund_id: string
    /** The kind of access item. */
    readonly target_type: string
    /** The access item's id, chosen by the seller. */
    readonly target_id: string
    /** The current state. */
    readonly status: "revoked"
    /** When the access was revoked. */
    readonly revoked_at: string
  }
>

/** An access could not be revoked; it is not tried again. */
export type RevocationFailedEvent = EventOf<
  "revocation.failed",
  {
    /** The refund that caused the revocation. */
    readonly refund_id: string
    /** The kind of access item. */
    readonly target_type: string
    /** The access item's id, chosen by the seller. */
    readonly target_id: string
    /** The error. */
    readonly error: {
      /** The error code, for programs. */
      readonly code: string
      /** The error message, for people. */
      readonly message: string
    }
  }
>

/** All revocations of a refund have ended, with how each of them did. */
export type RevocationBatchCompletedEvent = EventOf<
  "revocation.batch.completed",
  {
    /** The refund's id. */
    readonly refund_id: string
    /** The number of access items that the refund revokes. */
    readonly total_targets: number
    /** The number of successful revocations. */
    readonly revoked: number
    /** The number of failed revocations. */
    readonly failed: number
    /** When the last revocation succeeded or failed. */
    readonly completed_at: string
  }
>

/** The channel has given the money back. */
export type RefundSucceededEvent = EventOf<
  "refund.succeeded",
  {
    /** `ref_` and a UUID. */
    readonly id: string
    /** The id of the refunded payment. */
    readonly payment_intent: string
    /** The service's id. */
    readonly service_id: string
    /**
     * `pending` until the channel has confirmed or rejected the refund. Read it
     * again with GET.
     */
    readonly status: "pending" | "succeeded" | "failed"
    readonly amount: Money
    /** Why it was refunded, in the payee's words. */
    readonly reason: string | null
    /** The channel's name, such as `wallet_a`. */
    readonly channel: string
    /** Why the channel rejected the refund. Only for failed refunds. */
    readonly channel_reason?: string
    /** When the refund ended. */
    readonly occurred_at: string
  }
>

/** The channel rejected the refund: the money stays with the payee. */
export type RefundFailedEvent = EventOf<"refund.failed", RefundSucceededEvent["data"]>

/** A buyer asks for money back: approve or decline in seven days. */
export type RefundRequestedEvent = EventOf<
  "refund.requested",
  {
    /** `rr_` and a UUIDv7. */
    readonly id: string
    /** The payment's id. */
    readonly payment_intent: string
    /** The service's id. */
    readonly service_id: string
    /**
     * `open` until the payee decides, the buyer withdraws the request, or it
     * expires. An approved request has a refund, which the channel may still reject.
     */
    readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
    readonly amount: Money
    /** Why the buyer asks for a refund. */
    readonly reason: string
    /** The payee's reason. Only for declined requests. */
    readonly decline_reason?: string
    /** The payee's deadline for a decision. */
    readonly expires_at: string
  }
>

/** The payee has refused a request for a refund, or let it pass. */
export type RefundDeclinedEvent = EventOf<"refund.declined", RefundRequestedEvent["data"]>

/** A buyer has taken a request for a refund back. */
export type RefundWithdrawnEvent = EventOf<"refund.withdrawn", RefundRequestedEvent["data"]>

/** An agent's payer is verified for a level. */
export type KycVerifiedEvent = EventOf<
  "kyc.verified",
  {
    /** The verification's id. */
    readonly verification_id: string
    /** The id of the verified agent. */
    readonly agent_id: string
    /** The requested level. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** The level that was in force before. */
    readonly previous_level: "anonymous" | "basic" | "enhanced" | "business"
    /** The level's payment limits in whole US dollars. */
    readonly limits: KycLimits
    /** The channels that the level unlocks. */
    readonly channels: ReadonlyArray<string>
  }
>

/** A verification was rejected, with the reason. */
export type KycRejectedEvent = EventOf<
  "kyc.rejected",
  {
    /** The verification's id. */
    readonly verification_id: string
    /** The id of the verified agent. */
    readonly agent_id: string
    /** The requested level. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** Why the verification was rejected. */
    readonly rejection_reason: {
      /** The error code, for programs. */
      readonly code: string
      /** The error message, for people. */
      readonly message: string
    }
    /** Whether the account may appeal. */
    readonly appeal_available: boolean
    /** The URL for appeals. */
    readonly appeal_url: string
  }
>

/** A level ends soon: verify again. */
export type KycExpiringEvent = EventOf<
  "kyc.expiring",
  {
    /** The verification's id. */
    readonly verification_id: string
    /** The id of the verified agent. */
    readonly agent_id: string
    /** The requested level. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** When the verified level expires. */
    readonly expires_at?: string
  }
>

/** A level has ended, and its limits with it. */
export type KycExpiredEvent = EventOf<
  "kyc.expired",
  {
    /** The verification's id. */
    readonly verification_id: string
    /** The id of the verified agent. */
    readonly agent_id: string
    /** The requested level. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** When the verified level expires. */
    readonly expires_at?: string
    readonly limits: KycLimits
  }
>

/** A receiver has accepted an event. */
export type WebhookDeliverySucceededEvent = EventOf<
  "webhook.delivery.succeeded",
  {
    /** The endpoint's id; null for a service's own endpoint. */
    readonly endpoint_id: string | null
    /** The id of the event to deliver. */
    readonly event_id: string
    /** The number of attempts made. */
    readonly attempts: number
    /** The current state. */
    readonly status: "delivered"
  }
>

/** A receiver did not accept an event; it is tried again. */
export type WebhookDeliveryRetryingEvent = EventOf<
  "webhook.delivery.retrying",
  {
    /** The endpoint's id; null for a service's own endpoint. */
    readonly endpoint_id: string | null
    /** The id of the event to deliver. */
    readonly event_id: string
    /** The number of attempts made. */
    readonly attempts: number
    /** The current state. */
    readonly status: "pending"
    /** When the next attempt is made. */
    readonly next_attempt_at: string
  }
>

/** The last attempt failed: replay it once the receiver is well. */
export type WebhookDeliveryFailedEvent = EventOf<
  "webhook.delivery.failed",
  {
    /** The endpoint's id; null for a service's own endpoint. */
    readonly endpoint_id: string | null
    /** The id of the event to deliver. */
    readonly event_id: string
    /** The number of attempts made. */
    readonly attempts: number
    /** Each attempt with its result. */
    readonly failures: ReadonlyArray<{
      /** The number of the attempt, from 1. */
      readonly attempt: number
      /** The receiver's HTTP status; null without an answer. */
      readonly status: number | null
      /** When the attempt was made. */
      readonly at: string
    }>
    /** Always `failed`. There are no further attempts. */
    readonly final_status: "failed"
    /** Why there was no answer. */
    readonly error?: string
  }
>

/** An endpoint has failed for days and was switched off. */
export type WebhookEndpointDisabledEvent = EventOf<
  "webhook_endpoint.disabled",
  {
    /** The webhook endpoint's id. */
    readonly endpoint_id: string
    /** The https URL that receives the events. */
    readonly url: string
    /** The endpoint's current state. */
    readonly status: "enabled" | "disabled"
    /** Why the endpoint is disabled: at your request, or after five days of failures. */
    readonly disabled_reason: "requested" | "delivery_failures" | null
    /** When the endpoint was disabled; null while it is enabled. */
    readonly disabled_at: string | null
    /** When the first of the consecutive failures happened. */
    readonly first_failure_at: string | null
  }
>

/** An agent's spending has passed a threshold of its install. */
export type BudgetAlertEvent = EventOf<
  "budget.alert",
  {
    /** The install's id. */
    readonly install_id: string
    /** The service's id. */
    readonly service_id: string
    /** The agent's id, chosen by its account. */
    readonly agent_id: string
    /** The threshold that was reached, in percent of the cap. */
    readonly percent: number
    /** The sum that the agent has paid in the period. */
    readonly spent: Money
    /** The maximum that the agent may pay to the service per period. */
    readonly spend_cap: {
      /** The maximum per period. */
      readonly amount: Money
      /** The cap's period: a UTC day, a week from Monday, or a month. */
      readonly period: "daily" | "weekly" | "monthly"
    }
  }
>

/** A key was issued. */
export type ApiKeyCreatedEvent = EventOf<
  "api_key.created",
  {
    /** The key's id. */
    readonly api_key_id: string
    /** The key's first characters. */
    readonly hint: string
    /**
     * The key that issued this key, or that replaced it if it was a first key; null
     * for a first key.
     */
    readonly minted_by: string | null
    /** When the key expires. */
    readonly expires_at: string | null
    /** When the key was revoked. */
    readonly revoked_at: string | null
    /** The id of the acting key, or `operator`. */
    readonly actor: string
  }
>

/** A key was replaced by a new one. */
export type ApiKeyRolledEvent = EventOf<"api_key.rolled", ApiKeyCreatedEvent["data"]>

/** A key was revoked. */
export type ApiKeyRevokedEvent = EventOf<"api_key.revoked", ApiKeyCreatedEvent["data"]>

/** An agent has subscribed. */
export type SubscriptionCreatedEvent = EventOf<"subscription.created", Subscription>

/** A new period has begun. */
export type SubscriptionRenewedEvent = EventOf<
  "subscription.renewed",
  SubscriptionCreatedEvent["data"]
>

/** The invoice of a period was not paid in time. */
export type SubscriptionPastDueEvent = EventOf<
  "subscription.past_due",
  SubscriptionCreatedEvent["data"]
>

/** What was owed is paid: the subscription is active again. */
export type SubscriptionRecoveredEvent = EventOf<
  "subscription.recovered",
  SubscriptionCreatedEvent["data"]
>

/** It will end with its period. */
export type SubscriptionCancelScheduledEvent = EventOf<
  "subscription.cancel_scheduled",
  SubscriptionCreatedEvent["data"]
>

/** It has ended. */
export type SubscriptionCancelledEvent = EventOf<
  "subscription.cancelled",
  SubscriptionCreatedEvent["data"]
>

/** An invoice for a period or for use was made. */
export type InvoiceCreatedEvent = EventOf<"invoice.created", Invoice>

/** An invoice is paid. */
export type InvoicePaidEvent = EventOf<"invoice.paid", InvoiceCreatedEvent["data"]>

/** An invoice was not paid by its day. */
export type InvoiceOverdueEvent = EventOf<"invoice.overdue", InvoiceCreatedEvent["data"]>

/** An invoice is owed no more. */
export type InvoiceVoidedEvent = EventOf<"invoice.voided", InvoiceCreatedEvent["data"]>

/** An invoice was given up. It can still be paid. */
export type InvoiceUncollectibleEvent = EventOf<
  "invoice.uncollectible",
  InvoiceCreatedEvent["data"]
>

/** Somebody asked for a test of the endpoint. */
export type PingEvent = EventOf<
  "ping",
  {
    /** The webhook endpoint's id. */
    readonly endpoint_id: string
  }
>

/** The amount that the payer pays. */
export interface Money {
  /** An ISO 4217 currency code, or a stablecoin's code. */
  readonly currency: string
  /** In minor units: 699 USD is 6.99. */
  readonly value: number
}

/** The level's payment limits in whole US dollars. */
export interface KycLimits {
  /** The maximum per UTC day. */
  readonly daily: WholeUsd
  /** The maximum per payment. */
  readonly per_transaction: WholeUsd
}

/** The maximum per UTC day. */
export interface WholeUsd {
  /** Always `USD`. */
  readonly currency: "USD"
  /** Whole US dollars: 100 is 100 USD. Amounts elsewhere are in minor units. */
  readonly value: number
}

/** A plan that an agent pays every period. */
export interface Subscription {
  /** `sub_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The plan's id within its service. */
  readonly plan_id: string
  /** The length of a plan's period. */
  readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  readonly amount: Money
  /** `past_due` when an invoice is unpaid after 7 days, `cancelled` after 14. */
  readonly status: "active" | "past_due" | "cancelled"
  /** The agent that pays, and the person it pays for. */
  readonly payer: {
    /** The agent's id, chosen by its account. */
    readonly agent_id: string
    /** The person whom the agent pays for; null if unknown. */
    readonly human_id: string | null
  }
  /** When the paid period began. */
  readonly current_period_start: string
  /** When the paid period ends, and the next invoice is due. */
  readonly current_period_end: string
  /** Whether the subscription ends with its current period. */
  readonly cancel_at_period_end: boolean
  /** The id of the newest invoice. */
  readonly latest_invoice: string
  /** Since when an invoice has been overdue. */
  readonly past_due_at?: string
  /** When the subscription was cancelled. */
  readonly cancelled_at?: string
  /** Why the subscription ended. */
  readonly cancel_reason?: "requested" | "unpaid" | "service_ended"
  /** The time of creation. */
  readonly created_at: string
}

/** The charges for a period of a subscription or of metered use. */
export interface Invoice {
  /** `inv_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The subscription's id; null for an invoice of metered use. */
  readonly subscription: string | null
  /** The agent that pays. */
  readonly agent_id: string
  /** The invoice's state. An `open` invoice has to be paid. */
  readonly status: "open" | "paid" | "void" | "uncollectible"
  /** The lines that make up the amount. */
  readonly lines: ReadonlyArray<{
    /** What the line is for. */
    readonly description: string
    /** The quantity, as an exact decimal. */
    readonly quantity: string
    /** The price of one unit in minor units, as an exact decimal. */
    readonly unit_amount: string
    /** The total of the line. */
    readonly amount: Money
  }>
  /** The total amount due. */
  readonly amount: Money
  /** The payment that pays the invoice, or the last attempt to pay it. */
  readonly payment_intent: string | null
  /** When the period began. */
  readonly period_start: string
  /** When the period ends. */
  readonly period_end: string
  /** When the payment is due. */
  readonly due_at: string
  /** When the invoice was paid. */
  readonly paid_at?: string
  /** The time of creation. */
  readonly created_at: string
}
