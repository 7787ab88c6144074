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
    /** What the payer pays. */
    readonly amount: Money
    readonly captured_amount?: Money
    /** What the payee gets, and the rate that was applied; of what was captured, once it was. */
    readonly settlement: {
      /** What the payee is paid in. */
      readonly currency: string
      /** In minor units of that currency. */
      readonly value: number
      /** What one unit of the payer's currency was worth in it. */
      readonly rate: number
    }
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    /** The channel's own number of what moved. */
    readonly channel_txn_id: string
    /** When the channel settled it. */
    readonly succeeded_at: string
    /** Whether an install's mandate has paid it, without asking a person. */
    readonly auto_paid?: boolean
    /** The invoice that it pays; with payments of invoices. */
    readonly invoice?: string
    /** The caller's own facts; null without any. */
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
    /** failed, expired, cancelled or voided. */
    readonly status: string
    /** What the payer pays. */
    readonly amount: Money
    readonly captured_amount?: Money
    /** The channel used; null until the payer chooses among several. */
    readonly channel: string | null
    /** Why the payment failed, for programs. */
    readonly failure_code?: string
    /** Why the payment failed, for people. */
    readonly failure_message?: string
    /** The invoice that it pays; with payments of invoices. */
    readonly invoice?: string
    /** When it ended. */
    readonly occurred_at: string
    /** The caller's own facts; null without any. */
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
    /** The refund that revoked it. */
    readonly refund_id: string
    /** The kind of access item. */
    readonly target_type: string
    /** The seller's own identifier. */
    readonly target_id: string
    /** The state that it is in. */
    readonly status: "revoked"
    /** When it was revoked. */
    readonly revoked_at: string
  }
>

/** An access could not be revoked; it is not tried again. */
export type RevocationFailedEvent = EventOf<
  "revocation.failed",
  {
    /** The refund that revoked it. */
    readonly refund_id: string
    /** The kind of access item. */
    readonly target_type: string
    /** The seller's own identifier. */
    readonly target_id: string
    /** What went wrong. */
    readonly error: {
      /** What went wrong, for programs. */
      readonly code: string
      /** What went wrong, for people. */
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
    /** How many access items the refund revokes. */
    readonly total_targets: number
    /** How many were revoked. */
    readonly revoked: number
    /** How many could not be revoked. */
    readonly failed: number
    /** When the last of them was done. */
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
    /** The service's id. */
    readonly service_id: string
    /** pending until the channel has confirmed or rejected it; ask again with GET. */
    readonly status: "pending" | "succeeded" | "failed"
    readonly amount: Money
    /** Why it was refunded, in the payee's words. */
    readonly reason: string | null
    /** A channel by its name, such as `wallet_a`. */
    readonly channel: string
    /** Why the channel rejected it; with failed refunds. */
    readonly channel_reason?: string
    /** When it ended. */
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
     * open until the payee decides, the buyer withdraws it, or its time is over. An approved one
     * has its refund, which the channel may still reject.
     */
    readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
    readonly amount: Money
    /** Why the buyer asks for it. */
    readonly reason: string
    /** The payee's words; with declined ones. */
    readonly decline_reason?: string
    /** Until when the payee can decide. */
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
    /** The verification that it is about. */
    readonly verification_id: string
    /** The agent that it is about. */
    readonly agent_id: string
    /** The level that was asked for. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** The level that was in force before. */
    readonly previous_level: "anonymous" | "basic" | "enhanced" | "business"
    /** What the level may pay, in whole US dollars. */
    readonly limits: KycLimits
    /** What the level unlocks. */
    readonly channels: ReadonlyArray<string>
  }
>

/** A verification was rejected, with the reason. */
export type KycRejectedEvent = EventOf<
  "kyc.rejected",
  {
    /** The verification that it is about. */
    readonly verification_id: string
    /** The agent that it is about. */
    readonly agent_id: string
    /** The level that was asked for. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** Why it was rejected. */
    readonly rejection_reason: {
      /** What went wrong, for programs. */
      readonly code: string
      /** What went wrong, for people. */
      readonly message: string
    }
    /** Whether the account may appeal. */
    readonly appeal_available: boolean
    /** Where the account appeals. */
    readonly appeal_url: string
  }
>

/** A level ends soon: verify again. */
export type KycExpiringEvent = EventOf<
  "kyc.expiring",
  {
    /** The verification that it is about. */
    readonly verification_id: string
    /** The agent that it is about. */
    readonly agent_id: string
    /** The level that was asked for. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** When it ends. */
    readonly expires_at?: string
  }
>

/** A level has ended, and its limits with it. */
export type KycExpiredEvent = EventOf<
  "kyc.expired",
  {
    /** The verification that it is about. */
    readonly verification_id: string
    /** The agent that it is about. */
    readonly agent_id: string
    /** The level that was asked for. */
    readonly level: "anonymous" | "basic" | "enhanced" | "business"
    /** When it ends. */
    readonly expires_at?: string
    readonly limits: KycLimits
  }
>

/** A receiver has accepted an event. */
export type WebhookDeliverySucceededEvent = EventOf<
  "webhook.delivery.succeeded",
  {
    /** The endpoint; null for the service's own. */
    readonly endpoint_id: string | null
    /** The event that was delivered, or not. */
    readonly event_id: string
    /** How many were made. */
    readonly attempts: number
    /** The state that it is in. */
    readonly status: "delivered"
  }
>

/** A receiver did not accept an event; it is tried again. */
export type WebhookDeliveryRetryingEvent = EventOf<
  "webhook.delivery.retrying",
  {
    /** The endpoint; null for the service's own. */
    readonly endpoint_id: string | null
    /** The event that was delivered, or not. */
    readonly event_id: string
    /** How many were made. */
    readonly attempts: number
    /** The state that it is in. */
    readonly status: "pending"
    /** When it is tried next. */
    readonly next_attempt_at: string
  }
>

/** The last attempt failed: replay it once the receiver is well. */
export type WebhookDeliveryFailedEvent = EventOf<
  "webhook.delivery.failed",
  {
    /** The endpoint; null for the service's own. */
    readonly endpoint_id: string | null
    /** The event that was delivered, or not. */
    readonly event_id: string
    /** How many were made. */
    readonly attempts: number
    /** Each try, with what came of it. */
    readonly failures: ReadonlyArray<{
      /** The number of the try, from 1. */
      readonly attempt: number
      /** The receiver's HTTP status; null without an answer. */
      readonly status: number | null
      /** When it was tried. */
      readonly at: string
    }>
    /** It is not tried again. */
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
    /** The https address that events are sent to. */
    readonly url: string
    /** The state that it is in now. */
    readonly status: "enabled" | "disabled"
    /** Why it is disabled: you asked for it, or it failed for five days. */
    readonly disabled_reason: "requested" | "delivery_failures" | null
    /** When it was disabled; null while it is enabled. */
    readonly disabled_at: string | null
    /** When the first of the failures in a row was. */
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
    /** The agent, by the name that its account gave it. */
    readonly agent_id: string
    /** The alert that was reached, in percent. */
    readonly percent: number
    /** What the agent has paid in the period. */
    readonly spent: Money
    /** The most that the agent may pay to the service in a period. */
    readonly spend_cap: {
      /** The most of a period. */
      readonly amount: Money
      /** The UTC day, week from Monday, or month that is counted. */
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
    /** The key that has issued it; null for the operator's. */
    readonly minted_by: string | null
    /** When it ends. */
    readonly expires_at: string | null
    /** When it was revoked. */
    readonly revoked_at: string | null
    /** The key that did it, or `operator`. */
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

/** An invoice was given up. */
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

/** What the payer pays. */
export interface Money {
  /** An ISO 4217 code, or the code of a stablecoin. */
  readonly currency: string
  /** In minor units: 699 USD is 6.99. */
  readonly value: number
}

/** What the level may pay, in whole US dollars. */
export interface KycLimits {
  /** The most in a UTC day. */
  readonly daily: WholeUsd
  /** The most at a time. */
  readonly per_transaction: WholeUsd
}

/** The most in a UTC day. */
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
  /** past_due when an invoice is unpaid after 7 days, cancelled after 14. */
  readonly status: "active" | "past_due" | "cancelled"
  /** The agent that pays, and the person it pays for. */
  readonly payer: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id: string
    /** The person whom the agent pays for; null if unknown. */
    readonly human_id: string | null
  }
  /** When the paid period began. */
  readonly current_period_start: string
  /** When the paid period ends, and the next invoice is due. */
  readonly current_period_end: string
  /** Whether it ends with its period. */
  readonly cancel_at_period_end: boolean
  /** The id of the newest invoice. */
  readonly latest_invoice: string
  /** Since when an invoice is overdue. */
  readonly past_due_at?: string
  /** When it was cancelled. */
  readonly cancelled_at?: string
  /** Why it has ended. */
  readonly cancel_reason?: "requested" | "unpaid" | "service_ended"
  /** When it was made. */
  readonly created_at: string
}

/** What a period of a subscription, or of use, comes to. */
export interface Invoice {
  /** `inv_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** Null where it is for use. */
  readonly subscription: string | null
  /** The agent that pays. */
  readonly agent_id: string
  /** `open` is to be paid. */
  readonly status: "open" | "paid" | "void" | "uncollectible"
  /** What the sum is made of. */
  readonly lines: ReadonlyArray<{
    /** What the line is for. */
    readonly description: string
    /** An exact decimal. */
    readonly quantity: string
    /** Minor units for one unit, as an exact decimal. */
    readonly unit_amount: string
    /** What the line comes to. */
    readonly amount: Money
  }>
  /** What is owed in all. */
  readonly amount: Money
  /** The payment that pays it, or the last one that was to. */
  readonly payment_intent: string | null
  /** When the period began. */
  readonly period_start: string
  /** When the period ends. */
  readonly period_end: string
  /** When it is to be paid. */
  readonly due_at: string
  /** When it was paid. */
  readonly paid_at?: string
  /** When it was made. */
  readonly created_at: string
}
