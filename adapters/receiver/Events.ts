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
    readonly service_id: string
    readonly amount: Money
    /** What the payee gets, and the rate that was applied. */
    readonly settlement: {
      readonly currency: string
      readonly value: number
      readonly rate: number
    }
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    readonly channel_txn_id: string
    /** An ISO 8601 timestamp in UTC. */
    readonly succeeded_at: string
    readonly auto_paid?: boolean
    /** The invoice that it pays; with payments of invoices. */
    readonly invoice?: string
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
    readonly service_id: string
    /** failed, expired, cancelled or voided. */
    readonly status: string
    readonly amount: Money
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    readonly failure_code?: string
    readonly failure_message?: string
    /** The invoice that it pays; with payments of invoices. */
    readonly invoice?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly occurred_at: string
    readonly metadata: {
      readonly [name: string]: unknown
    } | null
  }
>

/** Nobody paid in time. */
export type PaymentIntentExpiredEvent = EventOf<
  "payment_intent.expired",
  {
    /** `pi_` and a UUIDv7. */
    readonly id: string
    readonly service_id: string
    /** failed, expired, cancelled or voided. */
    readonly status: string
    readonly amount: Money
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    readonly failure_code?: string
    readonly failure_message?: string
    /** The invoice that it pays; with payments of invoices. */
    readonly invoice?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly occurred_at: string
    readonly metadata: {
      readonly [name: string]: unknown
    } | null
  }
>

/** The payment was voided or cancelled before it was made. */
export type PaymentIntentCancelledEvent = EventOf<
  "payment_intent.cancelled",
  {
    /** `pi_` and a UUIDv7. */
    readonly id: string
    readonly service_id: string
    /** failed, expired, cancelled or voided. */
    readonly status: string
    readonly amount: Money
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    readonly failure_code?: string
    readonly failure_message?: string
    /** The invoice that it pays; with payments of invoices. */
    readonly invoice?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly occurred_at: string
    readonly metadata: {
      readonly [name: string]: unknown
    } | null
  }
>

/** A refund has taken a scope of an access away. */
export type RevocationSucceededEvent = EventOf<
  "revocation.succeeded",
  {
    readonly refund_id: string
    readonly target_type: string
    /** The seller's own identifier. */
    readonly target_id: string
    readonly status: "revoked"
    /** An ISO 8601 timestamp in UTC. */
    readonly revoked_at: string
  }
>

/** An access could not be revoked; it is not tried again. */
export type RevocationFailedEvent = EventOf<
  "revocation.failed",
  {
    readonly refund_id: string
    readonly target_type: string
    /** The seller's own identifier. */
    readonly target_id: string
    readonly error: {
      readonly code: string
      readonly message: string
    }
  }
>

/** All revocations of a refund have ended, with how each of them did. */
export type RevocationBatchCompletedEvent = EventOf<
  "revocation.batch.completed",
  {
    readonly refund_id: string
    readonly total_targets: number
    readonly revoked: number
    readonly failed: number
    /** An ISO 8601 timestamp in UTC. */
    readonly completed_at: string
  }
>

/** The channel has given the money back. */
export type RefundSucceededEvent = EventOf<
  "refund.succeeded",
  {
    /** `ref_` and a UUID. */
    readonly id: string
    /** The refunded payment. */
    readonly payment_intent: string
    readonly service_id: string
    /** pending until the channel has confirmed or rejected it; ask again with GET. */
    readonly status: "pending" | "succeeded" | "failed"
    readonly amount: Money
    readonly reason: string | null
    readonly channel: string
    /** Why the channel rejected it; with failed refunds. */
    readonly channel_reason?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly occurred_at: string
  }
>

/** The channel rejected the refund: the money stays with the payee. */
export type RefundFailedEvent = EventOf<
  "refund.failed",
  {
    /** `ref_` and a UUID. */
    readonly id: string
    /** The refunded payment. */
    readonly payment_intent: string
    readonly service_id: string
    /** pending until the channel has confirmed or rejected it; ask again with GET. */
    readonly status: "pending" | "succeeded" | "failed"
    readonly amount: Money
    readonly reason: string | null
    readonly channel: string
    /** Why the channel rejected it; with failed refunds. */
    readonly channel_reason?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly occurred_at: string
  }
>

/** A buyer asks for money back: approve or decline in seven days. */
export type RefundRequestedEvent = EventOf<
  "refund.requested",
  {
    /** `rr_` and a UUIDv7. */
    readonly id: string
    readonly payment_intent: string
    readonly service_id: string
    /**
     * open until the payee decides, the buyer withdraws it, or its time is over. An approved one
     * has its refund, which the channel may still reject.
     */
    readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
    readonly amount: Money
    readonly reason: string
    /** The payee's words; with declined ones. */
    readonly decline_reason?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
>

/** The payee has refused a request for a refund, or let it pass. */
export type RefundDeclinedEvent = EventOf<
  "refund.declined",
  {
    /** `rr_` and a UUIDv7. */
    readonly id: string
    readonly payment_intent: string
    readonly service_id: string
    /**
     * open until the payee decides, the buyer withdraws it, or its time is over. An approved one
     * has its refund, which the channel may still reject.
     */
    readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
    readonly amount: Money
    readonly reason: string
    /** The payee's words; with declined ones. */
    readonly decline_reason?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
>

/** A buyer has taken a request for a refund back. */
export type RefundWithdrawnEvent = EventOf<
  "refund.withdrawn",
  {
    /** `rr_` and a UUIDv7. */
    readonly id: string
    readonly payment_intent: string
    readonly service_id: string
    /**
     * open until the payee decides, the buyer withdraws it, or its time is over. An approved one
     * has its refund, which the channel may still reject.
     */
    readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
    readonly amount: Money
    readonly reason: string
    /** The payee's words; with declined ones. */
    readonly decline_reason?: string
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
>

/** An agent's payer is verified for a level. */
export type KycVerifiedEvent = EventOf<
  "kyc.verified",
  {
    readonly verification_id: string
    readonly agent_id: string
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    readonly previous_level: "anonymous" | "basic" | "enhanced" | "business"
    readonly limits: KycLimits
    /** What the level unlocks. */
    readonly channels: ReadonlyArray<string>
  }
>

/** A verification was rejected, with the reason. */
export type KycRejectedEvent = EventOf<
  "kyc.rejected",
  {
    readonly verification_id: string
    readonly agent_id: string
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    readonly rejection_reason: {
      readonly code: string
      readonly message: string
    }
    readonly appeal_available: boolean
    readonly appeal_url: string
  }
>

/** A level ends soon: verify again. */
export type KycExpiringEvent = EventOf<
  "kyc.expiring",
  {
    readonly verification_id: string
    readonly agent_id: string
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at?: string
  }
>

/** A level has ended, and its limits with it. */
export type KycExpiredEvent = EventOf<
  "kyc.expired",
  {
    readonly verification_id: string
    readonly agent_id: string
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at?: string
    readonly limits: KycLimits
  }
>

/** A receiver has accepted an event. */
export type WebhookDeliverySucceededEvent = EventOf<
  "webhook.delivery.succeeded",
  {
    readonly endpoint_id: string | null
    readonly event_id: string
    /** How many were made. */
    readonly attempts: number
    readonly status: "delivered"
  }
>

/** A receiver did not accept an event; it is tried again. */
export type WebhookDeliveryRetryingEvent = EventOf<
  "webhook.delivery.retrying",
  {
    readonly endpoint_id: string | null
    readonly event_id: string
    /** How many were made. */
    readonly attempts: number
    readonly status: "pending"
    /** An ISO 8601 timestamp in UTC. */
    readonly next_attempt_at: string
  }
>

/** The last attempt failed: replay it once the receiver is well. */
export type WebhookDeliveryFailedEvent = EventOf<
  "webhook.delivery.failed",
  {
    readonly endpoint_id: string | null
    readonly event_id: string
    /** How many were made. */
    readonly attempts: number
    readonly failures: ReadonlyArray<{
      readonly attempt: number
      readonly status: number | null
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
    }>
    readonly final_status: "failed"
    readonly error?: string
  }
>

/** An endpoint has failed for days and was switched off. */
export type WebhookEndpointDisabledEvent = EventOf<
  "webhook_endpoint.disabled",
  {
    readonly endpoint_id: string
    readonly url: string
    /** Deliveries to a disabled endpoint are skipped. */
    readonly status: "enabled" | "disabled"
    /** Why it is disabled: you asked for it, or it failed for five days. */
    readonly disabled_reason: "requested" | "delivery_failures" | null
    readonly disabled_at: string | null
    readonly first_failure_at: string | null
  }
>

/** An agent's spending has passed a threshold of its install. */
export type BudgetAlertEvent = EventOf<
  "budget.alert",
  {
    readonly install_id: string
    readonly service_id: string
    readonly agent_id: string
    /** The alert that was reached, in percent. */
    readonly percent: number
    readonly spent: Money
    readonly spend_cap: {
      readonly amount: Money
      readonly period: "daily" | "weekly" | "monthly"
    }
  }
>

/** A key was issued. */
export type ApiKeyCreatedEvent = EventOf<
  "api_key.created",
  {
    readonly api_key_id: string
    readonly hint: string
    readonly minted_by: string | null
    readonly expires_at: string | null
    readonly revoked_at: string | null
    /** The key that did it, or `operator`. */
    readonly actor: string
  }
>

/** A key was replaced by a new one. */
export type ApiKeyRolledEvent = EventOf<
  "api_key.rolled",
  {
    readonly api_key_id: string
    readonly hint: string
    readonly minted_by: string | null
    readonly expires_at: string | null
    readonly revoked_at: string | null
    /** The key that did it, or `operator`. */
    readonly actor: string
  }
>

/** A key was revoked. */
export type ApiKeyRevokedEvent = EventOf<
  "api_key.revoked",
  {
    readonly api_key_id: string
    readonly hint: string
    readonly minted_by: string | null
    readonly expires_at: string | null
    readonly revoked_at: string | null
    /** The key that did it, or `operator`. */
    readonly actor: string
  }
>

/** An agent has subscribed. */
export type SubscriptionCreatedEvent = EventOf<"subscription.created", Subscription>

/** A new period has begun. */
export type SubscriptionRenewedEvent = EventOf<"subscription.renewed", Subscription>

/** The invoice of a period was not paid in time. */
export type SubscriptionPastDueEvent = EventOf<"subscription.past_due", Subscription>

/** What was owed is paid: the subscription is active again. */
export type SubscriptionRecoveredEvent = EventOf<"subscription.recovered", Subscription>

/** It will end with its period. */
export type SubscriptionCancelScheduledEvent = EventOf<
  "subscription.cancel_scheduled",
  Subscription
>

/** It has ended. */
export type SubscriptionCancelledEvent = EventOf<"subscription.cancelled", Subscription>

/** An invoice for a period or for use was made. */
export type InvoiceCreatedEvent = EventOf<"invoice.created", Invoice>

/** An invoice is paid. */
export type InvoicePaidEvent = EventOf<"invoice.paid", Invoice>

/** An invoice was not paid by its day. */
export type InvoiceOverdueEvent = EventOf<"invoice.overdue", Invoice>

/** An invoice is owed no more. */
export type InvoiceVoidedEvent = EventOf<"invoice.voided", Invoice>

/** An invoice was given up. */
export type InvoiceUncollectibleEvent = EventOf<"invoice.uncollectible", Invoice>

/** Somebody asked for a test of the endpoint. */
export type PingEvent = EventOf<
  "ping",
  {
    readonly endpoint_id: string
  }
>

/** An amount in minor units of a currency. */
export interface Money {
  /** An ISO 4217 code. */
  readonly currency: string
  /** The amount in minor units. */
  readonly value: number
}

/** In whole US dollars: 100 is 100 USD. */
export interface KycLimits {
  readonly daily: WholeUsd
  readonly per_transaction: WholeUsd
}

/** A limit in whole US dollars. It is no Money, whose values are in minor units. */
export interface WholeUsd {
  readonly currency: "USD"
  /** Whole US dollars: 100 is 100 USD. Amounts elsewhere are in minor units. */
  readonly value: number
}

/** A plan that an agent pays every period. */
export interface Subscription {
  /** `sub_` and a UUID. */
  readonly id: string
  readonly service_id: string
  readonly plan_id: string
  readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  readonly amount: Money
  /** past_due when an invoice is unpaid after 7 days, cancelled after 14. */
  readonly status: "active" | "past_due" | "cancelled"
  readonly payer: {
    readonly agent_id: string
    readonly human_id: string | null
  }
  /** An ISO 8601 timestamp in UTC. */
  readonly current_period_start: string
  /** An ISO 8601 timestamp in UTC. */
  readonly current_period_end: string
  readonly cancel_at_period_end: boolean
  readonly latest_invoice: string
  /** An ISO 8601 timestamp in UTC. */
  readonly past_due_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly cancelled_at?: string
  readonly cancel_reason?: "requested" | "unpaid" | "service_ended"
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** What a period of a subscription, or of use, comes to. */
export interface Invoice {
  /** `inv_` and a UUID. */
  readonly id: string
  readonly service_id: string
  /** Null where it is for use. */
  readonly subscription: string | null
  /** The agent that pays. */
  readonly agent_id: string
  readonly status: "open" | "paid" | "void" | "uncollectible"
  readonly lines: ReadonlyArray<{
    readonly description: string
    /** An exact decimal. */
    readonly quantity: string
    /** Minor units for one unit, as an exact decimal. */
    readonly unit_amount: string
    readonly amount: Money
  }>
  readonly amount: Money
  /** The payment that pays it, or the last one that was to. */
  readonly payment_intent: string | null
  /** An ISO 8601 timestamp in UTC. */
  readonly period_start: string
  /** An ISO 8601 timestamp in UTC. */
  readonly period_end: string
  /** When it is to be paid. */
  readonly due_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly paid_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}
