// Written by npm run generate from the contract: change that, and write it anew.

/** What JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Json>
  | { readonly [name: string]: Json }

/** A page of a list, from newest to oldest. */
export interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  /** Whether a next page exists. */
  readonly has_more: boolean
}

/** A page of a list that says how many there are in all. */
export interface CountedPage<Item> {
  readonly data: ReadonlyArray<Item>
  readonly pagination: {
    readonly total: number
    readonly limit: number
    readonly offset: number
  }
}

/** Every code that the service refuses a request with. */
export type ErrorCode =
  | "INVALID_JSON"
  | "INVALID_QUERY"
  | "INVALID_AMOUNT"
  | "INVALID_PAYER"
  | "INVALID_METADATA"
  | "AMOUNT_MISMATCH"
  | "CHANNEL_MISMATCH"
  | "CHANNEL_CONFIGURATION_ERROR"
  | "REFUND_WINDOW_EXPIRED"
  | "validation_error"
  | "invalid_otp"
  | "RATE_LIMIT_EXCEEDED"
  | "OTP_RATE_LIMITED"
  | "UNAUTHORIZED"
  | "INVALID_API_KEY"
  | "webhook_signature_invalid"
  | "PAYMENT_REQUIRED"
  | "FORBIDDEN"
  | "ACCOUNT_SUSPENDED"
  | "INSUFFICIENT_KYC"
  | "PLAN_LIMIT_EXCEEDED"
  | "SPEND_CAP_EXCEEDED"
  | "PAYMENT_PROOF_INVALID"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "INVALID_TRANSITION"
  | "DUPLICATE_NAME"
  | "AGENT_ID_TAKEN"
  | "USAGE_NOT_STARTED"
  | "ALREADY_SUBSCRIBED"
  | "SERVICE_NOT_ACTIVE"
  | "PAYMENT_PROOF_USED"
  | "PAYMENT_UNRESOLVED"
  | "QUOTE_EXPIRED"
  | "QUOTE_USED"
  | "IDEMPOTENCY_KEY_USED"
  | "IDEMPOTENCY_KEY_IN_PROGRESS"
  | "refund_exceeds_revocable"
  | "REFUND_NOT_ALLOWED"
  | "REFUND_EXCEEDS_PAYMENT"
  | "REFUND_LIMIT_EXCEEDED"
  | "REFUND_CHANNEL_REJECTED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "MISSING_REQUIRED_FIELD"
  | "INVALID_REQUEST"
  | "INVALID_PRICING"
  | "INVALID_URL"
  | "INVALID_PUBLIC_KEY"
  | "INVALID_IMAGE"
  | "QR_NOT_FOUND"
  | "UNSUPPORTED_CHANNEL"
  | "revocation_target_invalid_type"
  | "revocation_scope_invalid"
  | "revocation_limit_exceeded"
  | "CHANNEL_UNAVAILABLE"
  | "CHANNEL_NO_DEEPLINK"
  | "CHANNEL_ERROR"
  | "CHANNEL_TEMPORARILY_UNAVAILABLE"
  | "TEMPORARILY_UNAVAILABLE"
  | "OUTCOME_UNKNOWN"
  | "OVERLOADED"
  | "INTERNAL_ERROR"

/** Who the account is for. */
export interface AccountInput {
  readonly name: string
  readonly kind: "seller" | "buyer"
  readonly agent_id: string
  readonly merchant_account?: string | null
  readonly plan?: "starter" | "pro" | "enterprise"
}

/** The account with its first key. */
export interface NewAccount {
  /** `acct_` and a UUIDv7. */
  readonly id: string
  readonly name: string
  readonly kind: "seller" | "buyer"
  /** The agent that the account acts as. */
  readonly agent_id: string
  readonly merchant_account: string | null
  readonly plan: "starter" | "pro" | "enterprise"
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** Since when the operator keeps the account's keys from being used. */
  readonly suspended_at: string | null
  readonly api_key: IssuedKey
}

/** A new secret key. */
export interface IssuedKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The secret key, shown this once. */
  readonly key: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  readonly expires_at: string | null
}

/** What `accounts.list` takes. */
export interface AccountsListQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly kind?: "seller" | "buyer"
  readonly plan?: "starter" | "pro" | "enterprise"
  readonly agent_id?: string
}

/** A seller or a buyer, and the agent that it acts as. */
export interface Account {
  /** `acct_` and a UUIDv7. */
  readonly id: string
  readonly name: string
  readonly kind: "seller" | "buyer"
  /** The agent that the account acts as. */
  readonly agent_id: string
  readonly merchant_account: string | null
  readonly plan: "starter" | "pro" | "enterprise"
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** Since when the operator keeps the account's keys from being used. */
  readonly suspended_at: string | null
}

/** The plan to move to. */
export interface PlanInput {
  readonly plan: "starter" | "pro" | "enterprise"
}

/** What `accounts.listKeys` takes. */
export interface AccountsListKeysQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** A key without its secret. */
export interface ApiKey {
  readonly id: string
  /** The first characters of the key. */
  readonly hint: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  /** The key that issued it; null for an account's first one. */
  readonly minted_by: string | null
  /** What the key is restricted to; null for a key that may do everything. */
  readonly restrictions: KeyRestrictions | null
  readonly budget_spent?: Money
  /** Since when the operator keeps it from being used. */
  readonly suspended_at: string | null
  /** The program that a person gave it over OAuth; null for every other key. */
  readonly oauth: OauthGrant | null
}

/**
 * What the key may do (`read`, `pay`, `refund`, `manage`), the services and agents that its
 * requests have to be about, the most of one payment, what may be paid in a period, and the
 * addresses that it works from. What is left out is not restricted.
 */
export interface KeyRestrictions {
  readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
  readonly services?: ReadonlyArray<string>
  readonly agents?: ReadonlyArray<string>
  readonly addresses?: ReadonlyArray<string>
  readonly max_amount?: Money
  readonly budget?: {
    readonly amount: Money
    readonly period: "daily" | "weekly" | "monthly" | "total"
  }
}

/** An amount in minor units of a currency. */
export interface Money {
  /** An ISO 4217 code. */
  readonly currency: string
  /** The amount in minor units. */
  readonly value: number
}

/** The program that a person gave this key over OAuth. */
export interface OauthGrant {
  /** How the program names itself: its own words, which prove nothing. */
  readonly client_name: string
  /** Where its authorization went. */
  readonly redirect_uri: string
  /** The one address that the key opens. */
  readonly resource: string
}

/** When the key stops working, if ever, and what it is restricted to. */
export interface KeyInput {
  readonly expires_at?: string | null
  readonly restrictions?: {
    readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
    readonly services?: ReadonlyArray<string>
    readonly agents?: ReadonlyArray<string>
    readonly addresses?: ReadonlyArray<string>
    readonly max_amount?: {
      readonly currency: string
      readonly value: number
    }
    readonly budget?: {
      readonly amount: {
        readonly currency: string
        readonly value: number
      }
      readonly period: "daily" | "weekly" | "monthly" | "total"
    }
    readonly expires_at?: string
  } | null
}

/** What `keys.list` takes. */
export interface KeysListQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** How long the replaced key works on. */
export interface RollInput {
  readonly grace_period_seconds?: number
  readonly cascade?: boolean
}

/** The new key, and what becomes of the old one. */
export interface RolledKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The secret key, shown this once. */
  readonly key: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  readonly expires_at: string | null
  /** The replaced key and when it stops working. */
  readonly replaces: {
    readonly id: string
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
}

/** What `keys.revoke` takes. */
export interface KeysRevokeQuery {
  readonly cascade?: boolean
}

/** What `oauth.show` takes. */
export interface OauthShowQuery {
  readonly response_type: "code"
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly code_challenge_method: "S256"
  readonly state?: string
  readonly scope?: string
  readonly resource?: string
}

/** What a program asks a person for over OAuth. */
export interface Authorization {
  /** How the program names itself: its own words, which prove nothing. */
  readonly client_name: string
  /** The host that is told the answer. */
  readonly redirect_host: string
  /** Whether that is the person's own machine. */
  readonly is_local: boolean
  /** The one address that the key will open. */
  readonly resource: string
  readonly scopes: ReadonlyArray<"read" | "pay">
  /** Where a refusal is told. */
  readonly deny_to: string
}

/** The program's request as it came, and the limits that the person picked. */
export interface AuthorizeInput {
  readonly request: {
    readonly response_type: "code"
    readonly client_id: string
    readonly redirect_uri: string
    readonly code_challenge: string
    readonly code_challenge_method: "S256"
    readonly state?: string
    readonly scope?: string
    readonly resource?: string
  }
  readonly restrictions: {
    readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
    readonly services?: ReadonlyArray<string>
    readonly agents?: ReadonlyArray<string>
    readonly addresses?: ReadonlyArray<string>
    readonly max_amount?: {
      readonly currency: string
      readonly value: number
    }
    readonly budget?: {
      readonly amount: {
        readonly currency: string
        readonly value: number
      }
      readonly period: "daily" | "weekly" | "monthly" | "total"
    }
    readonly expires_at?: string
  }
}

/** A key for a program, which exchanges the code within a minute. */
export interface Authorized {
  /** Where the person's browser goes: the program's address, with a code for it. */
  readonly redirect_to: string
  /** The key that the program is given. */
  readonly api_key_id: string
  /** An ISO 8601 timestamp in UTC. */
  readonly expires_at: string
}

/** What `accountLog.list` takes. */
export interface AccountLogListQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/**
 * A key, secret, endpoint or limit of the account that changed, or what a restricted key did:
 * money that it moved, and what its restrictions refused.
 */
export interface LogEntry {
  /** `log_` and a UUIDv7. */
  readonly id: string
  /** An ISO 8601 timestamp in UTC. */
  readonly at: string
  /** The id of the key that did it, or `operator`. */
  readonly actor: string
  readonly action:
    | "api_key.created"
    | "api_key.rolled"
    | "api_key.revoked"
    | "api_key.suspended"
    | "api_key.resumed"
    | "api_key.used"
    | "api_key.refused"
    | "account.suspended"
    | "account.resumed"
    | "account.plan_changed"
    | "webhook_secret.shown"
    | "webhook_secret.rotated"
    | "webhook_endpoint.created"
    | "webhook_endpoint.changed"
    | "webhook_endpoint.deleted"
    | "webhook_key.created"
    | "webhook_key.deleted"
    | "install.changed"
    | "install.deleted"
  /** The id of what it was done to. */
  readonly target: string
  readonly details: {
    readonly [name: string]: string | number | boolean | null
  }
}

/** What a seller offers. A post under a name it already has updates that service. */
export interface ManifestInput {
  readonly name: string
  readonly description: string
  readonly payment_methods: {
    readonly one_time?: boolean
    readonly cumulative?: boolean
    readonly subscription?: boolean
  }
  readonly pricing: {
    readonly one_time?: ReadonlyArray<{
      readonly amount: number
      readonly currency: string
      readonly label: string
    }>
    readonly open_amount?: {
      readonly currency: string
      readonly minimum?: number
      readonly maximum?: number
    }
    readonly cumulative?: {
      readonly unit: string
      readonly rate: number | string
      readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      readonly currency?: string
    }
    readonly subscription?: ReadonlyArray<{
      readonly plan_id: string
      readonly name: string
      readonly amount: number
      readonly currency: string
      readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      readonly features?: ReadonlyArray<string>
    }>
  }
  readonly accepted_channels: readonly [string, ...ReadonlyArray<string>]
  readonly qr_mode: "dynamic" | "static"
  readonly settlement_currency: string
  readonly endpoint: string
  readonly tags?: ReadonlyArray<string>
  readonly default_channel?: string | null
  readonly fallback_channel?: string | null
  readonly revocation_policy?: {
    readonly auto_revoke_on_refund?: boolean
    readonly default_targets?: ReadonlyArray<{
      readonly type: "access_token" | "signed_url" | "session" | "license_key"
      readonly scope?: string
    }>
    readonly webhook_on_revoke?: boolean
    readonly strict?: boolean
    readonly revoke_url?: string
  } | null
}

/** A registered service. */
export interface ServiceManifest {
  /** A UUIDv7. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: "draft" | "active" | "paused" | "deprecated" | "deleted"
  /** Of deprecated services, which take no new payments. */
  readonly stale?: true
  readonly payment_methods: {
    readonly one_time?: boolean
    readonly cumulative?: boolean
    readonly subscription?: boolean
  }
  /** Amounts are in minor units. */
  readonly pricing: {
    readonly one_time?: ReadonlyArray<{
      readonly amount: number
      readonly currency: string
      readonly label: string
    }>
    /** With `one_time`: who scans the printed code may type an amount as well. */
    readonly open_amount?: {
      readonly currency: string
      readonly minimum?: number
      readonly maximum?: number
    }
    readonly cumulative?: {
      readonly unit: string
      readonly rate: number | string
      readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      readonly currency?: string
    }
    readonly subscription?: ReadonlyArray<{
      readonly plan_id: string
      readonly name: string
      readonly amount: number
      readonly currency: string
      readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      readonly features: ReadonlyArray<string>
    }>
  }
  readonly accepted_channels: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
  readonly qr_mode: "dynamic" | "static"
  readonly settlement_currency: string
  /** Where payment events go; shown to the owner only. */
  readonly endpoint?: string
  readonly default_channel: string | null
  readonly fallback_channel: string | null
  readonly revocation_policy: {
    readonly auto_revoke_on_refund?: boolean
    readonly default_targets?: ReadonlyArray<{
      readonly type: string
      readonly scope?: string
    }>
    readonly webhook_on_revoke?: boolean
    /** Targets that nobody registered are not found. */
    readonly strict?: boolean
    /** Where the seller's own system revokes; shown to the owner only. */
    readonly revoke_url?: string
  } | null
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** What `services.search` takes. */
export interface ServicesSearchQuery {
  readonly q?: string
  readonly channel?: string
  readonly payment_method?: "one_time" | "cumulative" | "subscription"
  readonly status?: "draft" | "active" | "paused" | "deprecated" | "deleted"
  readonly limit?: number
  readonly offset?: number
}

/** A service as search results show it. */
export interface ServiceSummary {
  /** A UUIDv7. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly status: "draft" | "active" | "paused" | "deprecated" | "deleted"
  /** Of deprecated services, which take no new payments. */
  readonly stale?: true
  readonly payment_methods: {
    readonly one_time?: boolean
    readonly cumulative?: boolean
    readonly subscription?: boolean
  }
  /** Amounts are in minor units. */
  readonly pricing: {
    readonly one_time?: ReadonlyArray<{
      readonly amount: number
      readonly currency: string
      readonly label: string
    }>
    /** With `one_time`: who scans the printed code may type an amount as well. */
    readonly open_amount?: {
      readonly currency: string
      readonly minimum?: number
      readonly maximum?: number
    }
    readonly cumulative?: {
      readonly unit: string
      readonly rate: number | string
      readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      readonly currency?: string
    }
    readonly subscription?: ReadonlyArray<{
      readonly plan_id: string
      readonly name: string
      readonly amount: number
      readonly currency: string
      readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      readonly features: ReadonlyArray<string>
    }>
  }
  readonly accepted_channels: ReadonlyArray<string>
  readonly tags: ReadonlyArray<string>
}

/** What `services.qr` takes. */
export interface ServicesQrQuery {
  readonly channel?: string
}

/** The static code of a service, for one of its channels. */
export interface ServiceQr {
  readonly service_id: string
  readonly channel: string
  /** What the QR code holds. */
  readonly qr_data: string
  /** The page of the code, where any phone leads: the payer picks a price there. */
  readonly scan_url: string
}

/** What `services.qrPng` takes. */
export interface ServicesQrPngQuery {
  readonly channel?: string
}

/** What `services.qrSvg` takes. */
export interface ServicesQrSvgQuery {
  readonly channel?: string
}

/** A payment channel. */
export interface Channel {
  readonly channel: string
  /** What a person is shown. */
  readonly label: string
  readonly kind: "consumer_wallet" | "bank_linked" | "business" | "stablecoin"
  readonly refunds: {
    readonly type: 1 | 2 | 3
    /** Null: unlimited. */
    readonly max_partial_refunds: number | null
    readonly window_days: number
    readonly rate_per_second: number | null
  }
  readonly deep_links: boolean
  readonly settles: "real_time" | "t_plus_1"
  /** Parts per ten thousand of the amount. */
  readonly network_fee_basis_points: number
  readonly currencies: ReadonlyArray<string> | "every"
  readonly kyc_level: "anonymous" | "basic" | "enhanced" | "business"
  readonly pegged_to?: string
  /** The schemes of merchant QR codes that the channel pays. */
  readonly qr_schemes?: ReadonlyArray<string>
  readonly health: "up" | "rate_limited" | "down"
}

/** What is to be paid, for which service. */
export interface CreateIntentInput {
  readonly service_id: string
  readonly type: "one_time"
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly description: string
  readonly payer_channel?: string
  readonly payer?: {
    readonly agent_id?: string
    readonly human_id?: string
  }
  readonly return_url?: string
  readonly metadata?: {
    readonly [name: string]: Json
  }
}

/** A payment. */
export interface PaymentIntent {
  /** `pi_` and a UUIDv7. */
  readonly id: string
  readonly service_id: string
  readonly type: "one_time"
  /**
   * Request Payment: pending, qr_generated, scanning, authorized, captured, succeeded. One-Time
   * Pay: pending, completed. Both: failed, expired, cancelled, voided.
   */
  readonly status:
    | "pending"
    | "qr_generated"
    | "scanning"
    | "authorized"
    | "captured"
    | "succeeded"
    | "completed"
    | "failed"
    | "expired"
    | "cancelled"
    | "voided"
  readonly amount: Money
  /** What the payee gets, and the rate that was applied. */
  readonly settlement: {
    readonly currency: string
    readonly value: number
    readonly rate: number
  }
  /**
   * What the payment costs, for its payee only: taken once it has succeeded; null until the
   * payer has chosen a channel.
   */
  readonly fees?: Fees | null
  readonly description: string
  readonly payer: {
    readonly agent_id: string | null
    readonly human_id: string | null
    readonly wallet_id?: string
  }
  readonly payee: {
    readonly agent_id: string
    readonly merchant_account: string | null
  }
  /** The channel used; null until the payer chooses among several. */
  readonly channel: string | null
  readonly qr?: {
    /** `qr_` and a UUIDv7. */
    readonly charge_id: string
    /** The hosted payment page. */
    readonly scan_url: string
    /** What the QR code holds. */
    readonly qr_data: string
  } | null
  /** One QR code per channel, where the payer has the choice. */
  readonly channels?: ReadonlyArray<{
    readonly channel: string
    readonly qr_data: string
    readonly scan_url: string
    readonly label: string
  }>
  readonly payer_prompt?: string
  /** One-Time Pay only. */
  readonly deeplink?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly scanned_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly authorized_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly captured_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly succeeded_at?: string
  readonly channel_txn_id?: string
  /** While the channel has not said whether it did what it was asked. */
  readonly channel_outcome?: "unknown"
  readonly failure_code?: string
  readonly failure_message?: string
  readonly auto_paid?: boolean
  readonly return_url?: string
  /** The invoice that it pays; with payments of invoices. */
  readonly invoice?: string
  readonly metadata: {
    readonly [name: string]: unknown
  } | null
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly expires_at: string
}

/**
 * `service` is the service's own fee, `channel` the channel's network fee, passed through.
 * `fx_spread` is what the settlement is below the mid-market rate: it is in the settlement
 * already and not taken again.
 */
export interface Fees {
  readonly service: Money
  readonly fx_spread: Money
  readonly channel: Money
  readonly total: Money
}

/** What `intents.list` takes. */
export interface IntentsListQuery {
  readonly service_id?: string
  readonly status?:
    | "pending"
    | "qr_generated"
    | "scanning"
    | "authorized"
    | "captured"
    | "succeeded"
    | "completed"
    | "failed"
    | "expired"
    | "cancelled"
    | "voided"
  readonly created_after?: string
  readonly created_before?: string
  readonly limit?: number
  readonly starting_after?: string
}

/**
 * What happened to a payment, oldest first, as far as it is the caller's: states, callbacks
 * of the channel and calls to it (payee), refunds, revocations, journals of the ledger,
 * events and deliveries.
 */
export interface PaymentTimeline {
  readonly data: ReadonlyArray<TimelineEntry>
  /** Whether this is all; else the oldest of each sort. */
  readonly complete: boolean
}

/** One thing that happened to a payment. */
export type TimelineEntry =
  | {
      readonly type: "status"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly status:
        | "pending"
        | "qr_generated"
        | "scanning"
        | "authorized"
        | "captured"
        | "succeeded"
        | "completed"
        | "failed"
        | "expired"
        | "cancelled"
        | "voided"
    }
  | {
      readonly type: "channel_request"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly channel_request: {
        /** The number that the channel knows it by. */
        readonly id: string
        readonly action: "capture" | "release" | "close" | "refund" | "debit"
        readonly channel: string
        readonly status: "outstanding" | "unknown" | "done" | "refused"
        /** How often the channel was called or asked. */
        readonly attempts: number
        readonly amount: Money
        readonly trade_no: string | null
        readonly refund: string | null
        /** Why the channel refused. */
        readonly failure?: string
      }
    }
  | {
      readonly type: "callback"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly callback: {
        readonly id: string
        readonly channel: string
        readonly about: "charge" | "refund"
        /** The channel's number of the trade, or that of the request for a refund. */
        readonly number: string
        /** What the channel said. */
        readonly status:
          | "SCANNED"
          | "AUTHORIZED"
          | "SUCCESS"
          | "REJECTED"
          | "INSUFFICIENT_BALANCE"
          | "CLOSED"
          | "SETTLEMENT_FAILED"
          | "FAILED"
        /**
         * What became of it. `late` is money that goes back; `contradicts` and `refused` are in the
         * reconciliation report as well.
         */
        readonly result: "acted_on" | "nothing_new" | "late" | "contradicts" | "refused"
        /** How often the channel has sent it, at least. */
        readonly times: number
        /** When it came last. */
        readonly last_at: string
      }
    }
  | {
      readonly type: "refund"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly refund: {
        readonly id: string
        readonly status: "pending" | "succeeded" | "failed"
        readonly amount: Money
        readonly reason: string | null
      }
    }
  | {
      readonly type: "journal"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly journal: ReadonlyArray<LedgerEntry>
    }
  | {
      readonly type: "revocation"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly revocation: {
        readonly refund: string
        readonly target_type: string
        readonly target_id: string
        readonly scope: string
        readonly status: "pending" | "revoked" | "failed" | "expired"
        readonly attempts: number
        readonly error: {
          readonly code: string
          readonly message: string
        } | null
      }
    }
  | {
      readonly type: "event"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly event: Event
    }
  | {
      readonly type: "delivery"
      /** An ISO 8601 timestamp in UTC. */
      readonly at: string
      readonly delivery: WebhookDelivery
    }

/** One row of an account's double-entry books. */
export interface LedgerEntry {
  readonly id: string
  /** The rows of a journal sum to zero in each currency. */
  readonly journal: string
  readonly kind:
    | "captured"
    | "settled"
    | "settlement_failed"
    | "fees"
    | "fees_taken"
    | "late_payment"
    | "late_payment_returned"
    | "refund_reserved"
    | "refund_succeeded"
    | "refund_failed"
    | "fees_refunded"
  readonly account:
    | "payer_clearing"
    | "channel_clearing"
    | "merchant_wallet"
    | "fees_due"
    | "service_fees"
    | "channel_fees"
    | "fx"
    | "fx_spread"
    | "refunds"
  readonly channel: string | null
  readonly amount: Money
  readonly payment_intent: string | null
  /** The refund, or the request that gives late money back. */
  readonly refund: string | null
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** Something that happened to the account or to what it takes part in. */
export interface Event {
  readonly id: string
  readonly type: string
  readonly service_id: string | null
  readonly data: {
    readonly [name: string]: unknown
  }
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** An event on its way to one receiver, with every attempt. */
export interface WebhookDelivery {
  readonly id: string
  /** Null where a service's own endpoint is told. */
  readonly endpoint_id: string | null
  /** The service whose own endpoint is told; null for registered endpoints. */
  readonly service_id: string | null
  readonly event_id: string
  readonly event_type: string
  readonly url: string
  readonly status: "pending" | "delivering" | "delivered" | "failed" | "skipped"
  readonly attempts: ReadonlyArray<{
    readonly attempt: number
    /** Null where nobody answered. */
    readonly status: number | null
    /** An ISO 8601 timestamp in UTC. */
    readonly at: string
    readonly duration_ms: number
    /** Why nobody answered. */
    readonly error?: string
    /** The first KiB of the answer. */
    readonly response?: string
  }>
  /** Why it ended without an answer: webhook_endpoint_disabled, webhook_key_not_found. */
  readonly error: string | null
  readonly next_attempt_at: string | null
  readonly replay_of: string | null
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** What `intents.qr` takes. */
export interface IntentsQrQuery {
  readonly channel?: string
}

/** The code of a payment, for one of its channels. */
export interface PaymentIntentQr {
  readonly payment_intent_id: string
  readonly channel: string
  /** What the QR code holds. */
  readonly qr_data: string
}

/** What `intents.qrPng` takes. */
export interface IntentsQrPngQuery {
  readonly channel?: string
}

/** What `intents.qrSvg` takes. */
export interface IntentsQrSvgQuery {
  readonly channel?: string
}

/** What is to be paid at once, for which service and by whom. */
export interface CreateOneTimeInput {
  readonly service_id: string
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly description: string
  readonly payer: {
    readonly agent_id: string
    readonly human_id?: string
  }
  readonly channel?: string
  readonly return_url?: string
  readonly metadata?: {
    readonly [name: string]: Json
  }
}

/**
 * A One-Time payment under the payer's limits; with nothing but `amount` (and `kyc_level`,
 * `payer`) the question whether it may be paid.
 */
export interface AttemptPaymentInput {
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly service_id?: string
  readonly description?: string
  readonly payer?: {
    readonly agent_id: string
    readonly human_id?: string
  }
  readonly channel?: string
  readonly return_url?: string
  readonly metadata?: {
    readonly [name: string]: Json
  }
  readonly kyc_level?: "anonymous" | "basic" | "enhanced" | "business"
}

/** The payer may pay the amount at once, and within what is left of the day's limit now. */
export interface Allowance {
  readonly allowed: true
  readonly current_kyc_level: "anonymous" | "basic" | "enhanced" | "business"
  readonly limits: KycLimits
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

/**
 * What is to be paid for. `valid_seconds`: so long the proof opens it from its first use on;
 * left out, it opens it once. Without `channel` the service's is taken.
 */
export interface OpenChallengeInput {
  readonly service_id: string
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly resource: string
  readonly description?: string
  readonly channel?: string
  readonly valid_seconds?: number
}

/** A payment that a paid endpoint asks for, and the token that proves it. */
export interface PaymentChallenge {
  readonly payment_intent: DemandedPayment
  readonly service_id: string
  readonly resource: string
  readonly valid_seconds: number | null
  readonly payee: {
    readonly agent_id: string
    readonly merchant_account: string | null
  }
  /** `payport:sandbox` or `payport:live`. */
  readonly network: string
}

/** What a 402 asks for: the `payment_intent` of its body. */
export interface DemandedPayment {
  /** The payment: `pi_` and a UUIDv7. */
  readonly id: string
  readonly amount: Money
  readonly channel: string
  /** What a wallet pays by. */
  readonly qr_uri: string
  /** An ISO 8601 timestamp in UTC. */
  readonly expires_at: string
  /** The secret that proves the payment; shown here and nowhere else. */
  readonly token: string
}

/** The proof that was shown, and what it is to open. */
export interface RedeemInput {
  readonly service_id: string
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly resource: string
  readonly token: string
}

/** The proof is good: let the request through. */
export interface PaymentRedemption {
  readonly payment_intent: string
  readonly resource: string
  /** When the proof was first accepted. */
  readonly redeemed_at: string
  /** Until when the proof opens the resource again; null after a single use. */
  readonly valid_until: string | null
}

/** The schemes and networks that are settled here. */
export interface X402SupportedResponse {
  readonly kinds: ReadonlyArray<{
    readonly x402Version: number
    readonly scheme: string
    readonly network: string
  }>
  readonly extensions: ReadonlyArray<string>
  readonly signers: {
    readonly [name: string]: ReadonlyArray<string>
  }
}

/** What the seller requires: its `payTo`, amount and `extra.resource`. */
export interface PayForResourceInput {
  readonly service_id: string
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly resource: string
  readonly description?: string
  readonly channel?: string
}

/** A payload that a seller was sent, and what it was to pay. */
export interface X402FacilitatorRequest {
  readonly x402Version: number
  /**
   * What the buyer sent (5.2). Its `payload` holds `payment_intent` and `token`, as `POST
   * /v1/x402/payments` has answered them.
   */
  readonly paymentPayload: {
    readonly [name: string]: unknown
  }
  readonly paymentRequirements: X402PaymentRequirements
}

/** What the seller's server requires (x402 version 2, 5.1.2). */
export interface X402PaymentRequirements {
  /** One of: exact. */
  readonly scheme: string
  /** `payport:sandbox` or `payport:live`. */
  readonly network: string
  /** Minor units of the asset, in digits. */
  readonly amount: string
  /** A currency: an ISO 4217 code. */
  readonly asset: string
  /** The id of the seller's service. */
  readonly payTo: string
  /** So long after its payment was begun a payload is accepted first. */
  readonly maxTimeoutSeconds: number
  /** `resource`: the address that is paid for, which the payment is bound to. */
  readonly extra?: {
    readonly [name: string]: unknown
  }
}

/** Whether the payload would be settled now, or why not. */
export interface X402VerifyResponse {
  readonly isValid: boolean
  readonly invalidReason?: string
  readonly invalidMessage?: string
  /** The agent that pays, or the wallet. */
  readonly payer?: string
}

/** What became of the payment. */
export interface X402SettleResponse {
  readonly success: boolean
  /**
   * Why nothing was settled. `settlement_pending`: whether the money was taken is being found
   * out; settle the same payload again.
   */
  readonly errorReason?: string
  readonly errorMessage?: string
  /** The agent that pays, or the wallet. */
  readonly payer?: string
  /** The payment; empty where there is none. */
  readonly transaction: string
  readonly network: string
  /** What was taken, in minor units. */
  readonly amount?: string
}

/** What is to be paid, and what it is to be settled in. */
export interface CreateQuoteInput {
  readonly amount: {
    readonly currency: string
    readonly value: number
  }
  readonly settlement_currency: string
  readonly service_id?: string
  readonly channels?: readonly [string, ...ReadonlyArray<string>]
  readonly payer?: {
    readonly agent_id?: string
    readonly human_id?: string
  }
}

/** Prices that hold for a minute, for one payment of the account that asked. */
export interface Quote {
  /** `fxq_` and a UUIDv7. */
  readonly id: string
  readonly amount: Money
  /** The best first. */
  readonly routes: ReadonlyArray<{
    readonly channel: string
    /** From 0 to 1: half the fee, three tenths the rate, two tenths the speed. */
    readonly score: number
    readonly criteria: {
      /** 1 for the least of network fee and FX spread, 0 for the most. */
      readonly fee: number
      /** 1 for the best rate, and where none is needed; 0 for the worst. */
      readonly rate: number
      /** 1 for the fastest settlement, 0 for the slowest. */
      readonly speed: number
    }
    readonly fees: Fees
    /** The rate that is applied, spread included. */
    readonly rate: number
    readonly settlement: Money
    readonly settles: "real_time" | "t_plus_1"
  }>
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly expires_at: string
}

/** The quote to be used, and what the payment is for. */
export interface PayQuoteInput {
  readonly quote_id: string
  readonly channel?: string
  readonly service_id: string
  readonly description: string
  readonly payer?: {
    readonly agent_id?: string
    readonly human_id?: string
  }
  readonly return_url?: string
  readonly metadata?: {
    readonly [name: string]: Json
  }
}

/** Which payment is refunded; without an amount, all that is left of it. */
export interface CreateRefundInput {
  readonly payment_intent: string
  readonly amount?: {
    readonly currency: string
    readonly value: number
  }
  readonly reason?: string
  readonly description?: string
  readonly revoke?: {
    readonly targets?: ReadonlyArray<{
      readonly type: string
      readonly id: string
      readonly scope?: string
    }>
    readonly auto_revoke?: boolean
    readonly webhook_notify?: boolean
  }
}

/** Money of a payment that goes back to its payer. */
export interface Refund {
  /** `ref_` and a UUID. */
  readonly id: string
  /** The refunded payment. */
  readonly payment_intent: string
  readonly amount: Money
  /** pending until the channel has confirmed or rejected it; ask again with GET. */
  readonly status: "pending" | "succeeded" | "failed"
  readonly reason: string | null
  readonly description: string | null
  readonly channel: string
  readonly settlement?: Money
  readonly service_fee?: Money
  readonly remaining_refundable?: Money
  /** Why the channel rejected it; with failed refunds. */
  readonly channel_reason?: string
  /** What is taken back with the money, once the channel has confirmed that. */
  readonly revocations: ReadonlyArray<Revocation>
  /** When each revocation is revoked or has failed. */
  readonly revocation_batch_status?: "completed"
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** An access that a refund takes back. */
export interface Revocation {
  readonly target_type: string
  readonly target_id: string
  readonly scope: string
  readonly status: "pending" | "revoked" | "failed" | "expired"
  /** An ISO 8601 timestamp in UTC. */
  readonly revoked_at?: string
  /** Why it failed. */
  readonly error?: {
    readonly code: string
    readonly message: string
  }
}

/** How much is refunded and why; without an amount, all that is left. */
export interface RefundIntentInput {
  readonly reason?: string
  readonly amount?: {
    readonly currency: string
    readonly value: number
  }
}

/** What `refunds.list` takes. */
export interface RefundsListQuery {
  readonly payment_intent?: string
  readonly limit?: number
  readonly starting_after?: string
}

/** Which payment, why, and how much; without an amount, all that is left of it. */
export interface CreateRefundRequestInput {
  readonly payment_intent: string
  readonly amount?: {
    readonly currency: string
    readonly value: number
  }
  readonly reason: string
}

/** A buyer's request to get money of a payment back, which the payee decides. */
export interface RefundRequest {
  /** `rr_` and a UUIDv7. */
  readonly id: string
  /**
   * open until the payee decides, the buyer withdraws it, or its time is over. An approved one
   * has its refund, which the channel may still reject.
   */
  readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
  readonly payment_intent: string
  readonly service_id: string
  readonly amount: Money
  readonly reason: string
  /** The refund that the payee has made; with approved ones. */
  readonly refund?: string
  /** The payee's words; with declined ones. */
  readonly decline_reason?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly expires_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly resolved_at?: string
}

/** What `refundRequests.list` takes. */
export interface RefundRequestsListQuery {
  readonly payment_intent?: string
  readonly status?: "open" | "approved" | "declined" | "withdrawn" | "expired"
  readonly limit?: number
  readonly starting_after?: string
}

/** How much is refunded; without an amount, what was asked for. */
export interface ApproveRefundRequestInput {
  readonly amount?: {
    readonly currency: string
    readonly value: number
  }
}

/** Why nothing is refunded. */
export interface DeclineRefundRequestInput {
  readonly reason: string
}

/** What a payment bought, by the seller's own identifier. */
export interface RegisterAccessItemInput {
  readonly payment_intent: string
  readonly type: string
  readonly id: string
  readonly scopes?: readonly [string, ...ReadonlyArray<string>]
}

/** What a payment bought. */
export interface AccessItem {
  /** The seller's own identifier. */
  readonly id: string
  readonly type: string
  readonly payment_intent: string | null
  /** Whether anything is left of it, or the scope that was asked about. */
  readonly active: boolean
  /** The registered scopes that were not revoked as a whole. */
  readonly scopes: ReadonlyArray<string>
  /** What was revoked, for good: also of what nobody registered. */
  readonly revoked_scopes: ReadonlyArray<string>
}

/** What a gate was shown, and optionally the scope that it is to allow. */
export interface IntrospectAccessInput {
  readonly type: string
  readonly id: string
  readonly scope?: string
}

/** What is left of an access. Nothing is active that was not registered. */
export interface AccessState {
  /** Whether anything is left of it, or the scope that was asked about. */
  readonly active: boolean
  /** The registered scopes that were not revoked as a whole. */
  readonly scopes: ReadonlyArray<string>
  /** What was revoked, for good: also of what nobody registered. */
  readonly revoked_scopes: ReadonlyArray<string>
}

/** What is left out stays as it is; null takes it away. */
export interface InstallInput {
  readonly agent_id?: string
  readonly auto_pay_limit?: {
    readonly currency: string
    readonly value: number
  } | null
  readonly channel_preference?: string | null
  readonly channels?: ReadonlyArray<string>
  readonly spend_cap?: {
    readonly amount: {
      readonly currency: string
      readonly value: number
    }
    readonly period: "daily" | "weekly" | "monthly"
  } | null
  readonly budget_alerts?: ReadonlyArray<number>
}

/** How an agent uses a service. */
export interface Install {
  /** `ins_` and a UUID. */
  readonly id: string
  readonly service_id: string
  readonly agent_id: string
  /** One-Time payments and invoices in this currency, up to this value, are paid without asking. */
  readonly auto_pay_limit: Money | null
  readonly channel_preference: string | null
  readonly channels: ReadonlyArray<string>
  readonly spend_cap: {
    readonly amount: Money
    readonly period: "daily" | "weekly" | "monthly"
  } | null
  /** In percent of the cap. */
  readonly budget_alerts: ReadonlyArray<number>
  readonly mandate: {
    /** `mnd_` and a UUIDv7. */
    readonly id: string
    /** `pending` until the person approves it in the wallet. */
    readonly status: "pending" | "active" | "revoked"
    readonly channel: string
    /** Where the person approves it, while it is pending and the channel says so. */
    readonly approval_url?: string
  } | null
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** What `installs.list` takes. */
export interface InstallsListQuery {
  readonly service_id?: string
  readonly limit?: number
  readonly starting_after?: string
}

/** What `installs.listOfService` takes. */
export interface InstallsListOfServiceQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** The resource is gone. */
export interface Deleted {
  readonly id: string
  readonly deleted: true
}

/** What `installs.uninstall` takes. */
export interface InstallsUninstallQuery {
  readonly agent_id?: string
}

/** The plan, and the agent that subscribes: by default that of the key. */
export interface SubscribeInput {
  readonly plan_id: string
  readonly interval?: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  readonly payer?: {
    readonly agent_id?: string
    readonly human_id?: string
  }
}

/** A new subscription, and the payment of its first period. */
export interface Subscribed {
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
  readonly payment: PaymentIntent
}

/** What `subscriptions.list` takes. */
export interface SubscriptionsListQuery {
  readonly service_id?: string
  readonly status?: "active" | "past_due" | "cancelled"
  readonly limit?: number
  readonly offset?: number
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

/** What `subscriptions.cancel` takes. */
export interface SubscriptionsCancelQuery {
  readonly now?: boolean
}

/** What `invoices.list` takes. */
export interface InvoicesListQuery {
  readonly service_id?: string
  readonly subscription?: string
  readonly status?: "open" | "paid" | "void" | "uncollectible"
  readonly limit?: number
  readonly offset?: number
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

/** What an agent has used, counted once for each idempotency_key. */
export interface UsageInput {
  readonly agent_id: string
  readonly tab?: string
  readonly quantity: number | string
  readonly occurred_at?: string
  readonly idempotency_key: string
}

/** Use that was counted. */
export interface UsageRecord {
  /** `use_` and a UUID. */
  readonly id: string
  readonly service_id: string
  readonly agent_id: string
  /** Units, as an exact decimal. */
  readonly quantity: string
  /** An ISO 8601 timestamp in UTC. */
  readonly occurred_at: string
  readonly idempotency_key: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** The agent whose use is to count: by default that of the key. */
export interface StartUsageInput {
  readonly payer?: {
    readonly agent_id?: string
    readonly human_id?: string
  }
}

/** What an agent uses of a service, billed once a cycle. */
export interface Tab {
  /** `tab_` and a UUID. */
  readonly id: string
  readonly service_id: string
  readonly agent_id: string
  /** Use of an open tab counts. */
  readonly status: "open" | "closed"
  readonly unit: string
  /** Minor units for one unit, as an exact decimal. */
  readonly rate: string
  readonly currency: string
  readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  /** Units in the current period. */
  readonly quantity: string
  readonly amount: Money
  /** An ISO 8601 timestamp in UTC. */
  readonly period_start: string
  /** An ISO 8601 timestamp in UTC. */
  readonly period_end: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** What `usage.get` takes. */
export interface UsageGetQuery {
  readonly agent_id?: string
  readonly tab?: string
}

/** What `usage.stop` takes. */
export interface UsageStopQuery {
  readonly agent_id?: string
  readonly tab?: string
}

/** What an account has and owes, a line a currency. */
export interface Balance {
  /** An ISO 8601 timestamp in UTC. */
  readonly as_of: string
  readonly balances: ReadonlyArray<{
    /** An ISO 4217 code. */
    readonly currency: string
    /** What is in the wallet; negative when more went back than was there, in minor units. */
    readonly available: number
    /** What has been captured and not been settled, in minor units. */
    readonly pending: number
    /** What came too late or twice and is on its way back, in minor units. */
    readonly returning: number
    /** What leaves the wallet on the next UTC day, in minor units. */
    readonly fees_due: number
    /** What has been set aside for refunds that are under way, in minor units. */
    readonly refunds_pending: number
  }>
}

/** What `ledger.entries` takes. */
export interface LedgerEntriesQuery {
  readonly payment_intent?: string
  readonly account?:
    | "payer_clearing"
    | "channel_clearing"
    | "merchant_wallet"
    | "fees_due"
    | "service_fees"
    | "channel_fees"
    | "fx"
    | "fx_spread"
    | "refunds"
  readonly currency?: string
  readonly kind?:
    | "captured"
    | "settled"
    | "settlement_failed"
    | "fees"
    | "fees_taken"
    | "late_payment"
    | "late_payment_returned"
    | "refund_reserved"
    | "refund_succeeded"
    | "refund_failed"
    | "fees_refunded"
  readonly limit?: number
  readonly starting_after?: string
}

/** What `reports.reconciliation` takes. */
export interface ReportsReconciliationQuery {
  readonly from: string
  readonly to: string
}

/** A row a date, channel and settlement currency, by the ledger. */
export interface ReconciliationReport {
  /** A UTC day, such as 2026-01-31. */
  readonly from: string
  /** A UTC day, such as 2026-01-31. */
  readonly to: string
  readonly rows: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    readonly channel: string
    /** The settlement currency of every column. */
    readonly currency: string
    /** How many payments were settled. */
    readonly payments: number
    /** What they were worth at the mid-market rate, in minor units of `currency`. */
    readonly gross: number
    /** What of that was refunded or is set aside for refunds, in minor units of `currency`. */
    readonly refunds: number
    /** The service's fees, less those that refunds gave back, in minor units of `currency`. */
    readonly service_fees: number
    /** What was kept of exchanges, less what refunds gave back, in minor units of `currency`. */
    readonly fx_spread: number
    /** The channels' fees, in minor units of `currency`. */
    readonly channel_fees: number
    /**
     * What the wallet gets: gross less the columns before, once the fees have left it, in minor
     * units of `currency`.
     */
    readonly net: number
  }>
  readonly totals: ReadonlyArray<{
    /** The settlement currency of every column. */
    readonly currency: string
    /** How many payments were settled. */
    readonly payments: number
    /** What they were worth at the mid-market rate, in minor units of `currency`. */
    readonly gross: number
    /** What of that was refunded or is set aside for refunds, in minor units of `currency`. */
    readonly refunds: number
    /** The service's fees, less those that refunds gave back, in minor units of `currency`. */
    readonly service_fees: number
    /** What was kept of exchanges, less what refunds gave back, in minor units of `currency`. */
    readonly fx_spread: number
    /** The channels' fees, in minor units of `currency`. */
    readonly channel_fees: number
    /**
     * What the wallet gets: gross less the columns before, once the fees have left it, in minor
     * units of `currency`.
     */
    readonly net: number
  }>
  readonly discrepancies: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    readonly kind:
      | "missing_at_channel"
      | "missing_at_service"
      | "amount_mismatch"
      | "status_mismatch"
      | "late_payment"
    readonly payment_intent?: string
    readonly channel: string
    readonly trade_no?: string
    /** By our records. */
    readonly expected?: string
    /** By the channel. */
    readonly actual?: string
  }>
  /** Whether there are more than 1,000; ask for a shorter period. */
  readonly has_more_discrepancies: boolean
  /** Days with rows whose statements have not all been compared yet. */
  readonly pending_days: ReadonlyArray<string>
}

/** What `reports.reconciliationCsv` takes. */
export interface ReportsReconciliationCsvQuery {
  readonly from: string
  readonly to: string
}

/** What `reports.listRuns` takes. */
export interface ReportsListRunsQuery {
  readonly from: string
  readonly to: string
}

/** How each channel's statement of a day stood against the ledger. */
export interface ReconciliationRuns {
  readonly data: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    readonly channel: string
    /** How often it was compared. */
    readonly runs: number
    readonly failed_attempts: number
    readonly failure: string | null
    readonly completed_at: string | null
    readonly next_run_at: string | null
    readonly result: {
      /** Lines of the statement. */
      readonly lines: number
      /** Movements in the ledger. */
      readonly booked: number
      /** Those of accounts. */
      readonly discrepancies: number
      /** Those that were too many to be kept. */
      readonly unstored: number
      /** Lines of trades that are nobody's. */
      readonly unknown: number
      /** The first 100 of those. */
      readonly unknown_lines: ReadonlyArray<{
        readonly kind: "payment" | "refund"
        readonly out_trade_no: string
        readonly trade_no: string
        readonly number: string | null
        readonly amount: Money
        readonly status: "pending" | "settled" | "failed"
        /** An ISO 8601 timestamp in UTC. */
        readonly at: string
      }>
    } | null
  }>
}

/** What `billing.usage` takes. */
export interface BillingUsageQuery {
  readonly month?: string
}

/** What an account has used in a month, and what that comes to. */
export interface MonthlyUsage {
  /** A UTC month, such as 2026-01. */
  readonly month: string
  /** An ISO 8601 timestamp in UTC. */
  readonly period_start: string
  /** An ISO 8601 timestamp in UTC. */
  readonly period_end: string
  /** The largest plan that the account had in the month. */
  readonly plan: "starter" | "pro" | "enterprise"
  readonly price: Money
  readonly operations: ReadonlyArray<{
    readonly operation:
      | "scan-qr"
      | "nlp-payment"
      | "nlp-batch"
      | "qr-generation"
      | "fx-quote"
      | "fx-route"
      | "reconciliation-report"
      | "webhook-replay"
      | "sandbox-reset"
    readonly count: number
    /** How many the plan includes; null is any number. */
    readonly free_allowance: number | null
    /** How many are charged. */
    readonly billable: number
    /** US dollars for one, as an exact decimal. */
    readonly unit_price: string
    readonly cost: Money
  }>
  readonly volume: {
    readonly total: Money
    readonly by_currency: ReadonlyArray<{
      readonly amount: Money
      readonly total: Money
    }>
    /** Null where the plan has none. */
    readonly cap: Money | null
    readonly above_cap: Money
    /** What is charged on that, such as `0.5`; null where the plan has no cap. */
    readonly overage_percent: string | null
    readonly overage: Money
  }
  readonly total: Money
}

/** What `billing.listStatements` takes. */
export interface BillingListStatementsQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** What a month of an account came to. */
export interface Statement {
  readonly id: string
  /** A UTC month, such as 2026-01. */
  readonly month: string
  /** An ISO 8601 timestamp in UTC. */
  readonly period_start: string
  /** An ISO 8601 timestamp in UTC. */
  readonly period_end: string
  /** The largest plan that the account had in the month. */
  readonly plan: "starter" | "pro" | "enterprise"
  readonly price: Money
  readonly operations: ReadonlyArray<{
    readonly operation:
      | "scan-qr"
      | "nlp-payment"
      | "nlp-batch"
      | "qr-generation"
      | "fx-quote"
      | "fx-route"
      | "reconciliation-report"
      | "webhook-replay"
      | "sandbox-reset"
    readonly count: number
    /** How many the plan includes; null is any number. */
    readonly free_allowance: number | null
    /** How many are charged. */
    readonly billable: number
    /** US dollars for one, as an exact decimal. */
    readonly unit_price: string
    readonly cost: Money
  }>
  readonly volume: {
    readonly total: Money
    readonly by_currency: ReadonlyArray<{
      readonly amount: Money
      readonly total: Money
    }>
    /** Null where the plan has none. */
    readonly cap: Money | null
    readonly above_cap: Money
    /** What is charged on that, such as `0.5`; null where the plan has no cap. */
    readonly overage_percent: string | null
    readonly overage: Money
  }
  readonly total: Money
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/**
 * Either `agent_id`, `level` and what the level requires of `data`, or the answer to a code:
 * `verification_id` and `otp`.
 */
export interface KycVerifyInput {
  readonly agent_id?: string
  readonly level?: "anonymous" | "basic" | "enhanced" | "business"
  readonly data?: {
    readonly email?: string
    readonly phone?: string
    readonly country?: string
    readonly full_name?: string
    readonly date_of_birth?: string
    readonly document_type?: "passport" | "national_id" | "drivers_license"
    readonly document_number?: string
    readonly business_name?: string
    readonly registration_number?: string
    readonly ubo_declaration?: {
      readonly full_name: string
      readonly ownership_pct: number
    }
  }
  readonly channel_credentials?: {
    readonly wallet_a_user_id?: string
    readonly wallet_b_open_id?: string
  }
  readonly verification_id?: string
  readonly otp?: string
}

/** What an agent is verified by. */
export interface KycVerification {
  /** `kyc_` and a UUIDv7. */
  readonly verification_id: string
  readonly agent_id: string
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  readonly status: "unverified" | "pending" | "verified" | "rejected" | "expired"
  /** The code that has been sent, while it can be answered. */
  readonly challenge?: {
    /** `otp`: a code of six digits. */
    readonly type: string
    readonly channels: ReadonlyArray<string>
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
  readonly compliance_review_required?: boolean
  readonly estimated_review_time_hours?: number
  readonly rejection_reason?: {
    /** Such as `document_mismatch`. */
    readonly code: string
    readonly message: string
    readonly details: {
      readonly [name: string]: string
    }
  }
  readonly appeal_id?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly verified_at?: string
  /** When the level has to be verified again. */
  readonly expires_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
  readonly limits: KycLimits
  /** What the level unlocks. */
  readonly channels: ReadonlyArray<string>
  /** Whether a channel that knows its user made steps needless. */
  readonly channel_friction_reduced?: boolean
  readonly friction_reduction_channels?: ReadonlyArray<string>
  readonly data: KycDataShown
}

/** What was submitted; a document's number by its end. Empty once it has been erased. */
export interface KycDataShown {
  readonly email?: string
  readonly phone?: string
  readonly country?: string
  readonly full_name?: string
  readonly date_of_birth?: string
  readonly document_type?: "passport" | "national_id" | "drivers_license"
  readonly document_number?: string
  readonly business_name?: string
  readonly registration_number?: string
  readonly ubo_declaration?: {
    readonly full_name: string
    readonly ownership_pct: number
  }
}

/** What an agent is verified for. */
export interface KycAgent {
  readonly agent_id: string
  /** The level in force. */
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  readonly limits: KycLimits
  readonly channels: ReadonlyArray<string>
  /** The newest 20, newest first. */
  readonly verifications: ReadonlyArray<KycVerificationSummary>
  /** When the level in force ends unless it is verified again. */
  readonly expires_at?: string
}

/** A verification without what was submitted. */
export interface KycVerificationSummary {
  /** `kyc_` and a UUIDv7. */
  readonly verification_id: string
  readonly agent_id: string
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  readonly status: "unverified" | "pending" | "verified" | "rejected" | "expired"
  /** The code that has been sent, while it can be answered. */
  readonly challenge?: {
    /** `otp`: a code of six digits. */
    readonly type: string
    readonly channels: ReadonlyArray<string>
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
  readonly compliance_review_required?: boolean
  readonly estimated_review_time_hours?: number
  readonly rejection_reason?: {
    /** Such as `document_mismatch`. */
    readonly code: string
    readonly message: string
    readonly details: {
      readonly [name: string]: string
    }
  }
  readonly appeal_id?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly verified_at?: string
  /** When the level has to be verified again. */
  readonly expires_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** Why a rejection is wrong. */
export interface KycAppealInput {
  readonly verification_id: string
  readonly reason: string
}

/** An appeal against a rejection. It changes no level by itself. */
export interface KycAppeal {
  /** `appl_` and a UUIDv7. */
  readonly appeal_id: string
  readonly verification_id: string
  /** `upheld`: the rejection stands. `overturned`: the verification has passed. */
  readonly status: "under_review" | "upheld" | "overturned"
  /** An ISO 8601 timestamp in UTC. */
  readonly estimated_resolution: string
  readonly message: string
  /** An ISO 8601 timestamp in UTC. */
  readonly resolved_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** What `reviews.list` takes. */
export interface ReviewsListQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly status?: "pending" | "verified" | "rejected" | "expired"
  readonly level?: "anonymous" | "basic" | "enhanced" | "business"
  readonly account_id?: string
}

/** A verification of any account, without what was submitted. */
export interface KycReviewedVerification {
  /** The account that submitted it. */
  readonly account_id: string
  /** `kyc_` and a UUIDv7. */
  readonly verification_id: string
  readonly agent_id: string
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  readonly status: "unverified" | "pending" | "verified" | "rejected" | "expired"
  /** The code that has been sent, while it can be answered. */
  readonly challenge?: {
    /** `otp`: a code of six digits. */
    readonly type: string
    readonly channels: ReadonlyArray<string>
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
  readonly compliance_review_required?: boolean
  readonly estimated_review_time_hours?: number
  readonly rejection_reason?: {
    /** Such as `document_mismatch`. */
    readonly code: string
    readonly message: string
    readonly details: {
      readonly [name: string]: string
    }
  }
  readonly appeal_id?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly verified_at?: string
  /** When the level has to be verified again. */
  readonly expires_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** A verification with all that was submitted for it. */
export interface KycOpenedVerification {
  readonly account_id: string
  /** `kyc_` and a UUIDv7. */
  readonly verification_id: string
  readonly agent_id: string
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  readonly status: "unverified" | "pending" | "verified" | "rejected" | "expired"
  /** The code that has been sent, while it can be answered. */
  readonly challenge?: {
    /** `otp`: a code of six digits. */
    readonly type: string
    readonly channels: ReadonlyArray<string>
    /** An ISO 8601 timestamp in UTC. */
    readonly expires_at: string
  }
  readonly compliance_review_required?: boolean
  readonly estimated_review_time_hours?: number
  readonly rejection_reason?: {
    /** Such as `document_mismatch`. */
    readonly code: string
    readonly message: string
    readonly details: {
      readonly [name: string]: string
    }
  }
  readonly appeal_id?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly verified_at?: string
  /** When the level has to be verified again. */
  readonly expires_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
  readonly limits: KycLimits
  /** What the level unlocks. */
  readonly channels: ReadonlyArray<string>
  /** Whether a channel that knows its user made steps needless. */
  readonly channel_friction_reduced?: boolean
  readonly friction_reduction_channels?: ReadonlyArray<string>
  readonly data: KycDataOpened
  readonly channel_credentials: KycCredentialsOpened
}

/** What was submitted, whole. Empty once it has been erased. */
export interface KycDataOpened {
  readonly email?: string
  readonly phone?: string
  readonly country?: string
  readonly full_name?: string
  readonly date_of_birth?: string
  readonly document_type?: "passport" | "national_id" | "drivers_license"
  readonly document_number?: string
  readonly business_name?: string
  readonly registration_number?: string
  readonly ubo_declaration?: {
    readonly full_name: string
    readonly ownership_pct: number
  }
}

/** What channels call the payer. */
export interface KycCredentialsOpened {
  readonly wallet_a_user_id?: string
  readonly wallet_b_open_id?: string
}

/** The decision, and why; the reason of a rejection is told to the account. */
export interface KycReviewInput {
  readonly decision: "approve" | "reject"
  readonly reason?: string
}

/** What `reviews.listAppeals` takes. */
export interface ReviewsListAppealsQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly status?: "under_review" | "upheld" | "overturned"
  readonly account_id?: string
}

/** An appeal of any account. */
export interface KycReviewedAppeal {
  readonly account_id: string
  /** `appl_` and a UUIDv7. */
  readonly appeal_id: string
  readonly verification_id: string
  /** `upheld`: the rejection stands. `overturned`: the verification has passed. */
  readonly status: "under_review" | "upheld" | "overturned"
  /** An ISO 8601 timestamp in UTC. */
  readonly estimated_resolution: string
  readonly message: string
  /** An ISO 8601 timestamp in UTC. */
  readonly resolved_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** An appeal with its reason and the verification that it is about. */
export interface KycOpenedAppeal {
  readonly account_id: string
  /** `appl_` and a UUIDv7. */
  readonly appeal_id: string
  readonly verification_id: string
  /** `upheld`: the rejection stands. `overturned`: the verification has passed. */
  readonly status: "under_review" | "upheld" | "overturned"
  /** An ISO 8601 timestamp in UTC. */
  readonly estimated_resolution: string
  readonly message: string
  /** An ISO 8601 timestamp in UTC. */
  readonly resolved_at?: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
  /** Null once it has been erased. */
  readonly reason: string | null
  readonly verification: KycOpenedVerification
}

/** `upheld`: the rejection stands. `overturned`: the verification passes. */
export interface KycAppealReviewInput {
  readonly decision: "upheld" | "overturned"
}

/** What `audit.list` takes. */
export interface AuditListQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly action?:
    | "account.created"
    | "account.plan_changed"
    | "account.suspended"
    | "account.resumed"
    | "api_key.suspended"
    | "api_key.resumed"
    | "verification.opened"
    | "verification.approval_proposed"
    | "verification.approved"
    | "verification.rejected"
    | "appeal.opened"
    | "appeal.upheld"
    | "appeal.overturn_proposed"
    | "appeal.overturned"
  readonly actor?: string
  readonly target?: string
  readonly after?: number
  readonly verify?: boolean
}

/** An action of the operator, chained to the one before it. */
export interface AuditEntry {
  /** `aud_` and a UUIDv7. */
  readonly id: string
  /** Its place in the log, from 1. */
  readonly sequence: number
  /** An ISO 8601 timestamp in UTC. */
  readonly at: string
  /** `operator`, or `operator:` and what the header `X-Operator` said. */
  readonly actor: string
  readonly action:
    | "account.created"
    | "account.plan_changed"
    | "account.suspended"
    | "account.resumed"
    | "api_key.suspended"
    | "api_key.resumed"
    | "verification.opened"
    | "verification.approval_proposed"
    | "verification.approved"
    | "verification.rejected"
    | "appeal.opened"
    | "appeal.upheld"
    | "appeal.overturn_proposed"
    | "appeal.overturned"
  /** The id of what it was done to. */
  readonly target: string
  /** The request, as in `X-Request-Id`. */
  readonly request_id: string
  readonly details: {
    readonly [name: string]: string | number | boolean | null
  }
  /** SHA-256 in 64 lower-case hex digits. */
  readonly previous_hash: string
  /** SHA-256 in 64 lower-case hex digits. */
  readonly hash: string
  /** Ed25519 under the installation's key, 86 base64url characters. */
  readonly signature: string
}

/** What was found by hashing the whole log again. */
export interface AuditChain {
  /** Whether every entry follows from the one before it, up to the last. */
  readonly whole: boolean
  /** The place of the last entry. */
  readonly sequence: number
  /** The hash of the last entry: note it down elsewhere. */
  readonly hash: string
  /** The first place that does not hold. */
  readonly broken_at?: number
}

/** What `audit.listHeads` takes. */
export interface AuditListHeadsQuery {
  readonly limit?: number
  readonly after?: string
}

/** Where the audit log ended at a time, signed by the installation. */
export interface AuditHead {
  /** The place of the last entry; 0 for an empty log. */
  readonly sequence: number
  /** The hash of the last entry, 64 lower-case hex digits. */
  readonly hash: string
  /** An ISO 8601 timestamp in UTC. */
  readonly at: string
  /** The installation's key of signatures, 32 bytes in base64url. It never changes. */
  readonly public_key: string
  /** Ed25519 under the installation's key, 86 base64url characters. */
  readonly signature: string
}

/** What `events.list` takes. */
export interface EventsListQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly type?:
    | "payment_intent.succeeded"
    | "payment_intent.failed"
    | "payment_intent.expired"
    | "payment_intent.cancelled"
    | "revocation.succeeded"
    | "revocation.failed"
    | "revocation.batch.completed"
    | "refund.succeeded"
    | "refund.failed"
    | "refund.requested"
    | "refund.declined"
    | "refund.withdrawn"
    | "kyc.verified"
    | "kyc.rejected"
    | "kyc.expiring"
    | "kyc.expired"
    | "webhook.delivery.succeeded"
    | "webhook.delivery.retrying"
    | "webhook.delivery.failed"
    | "webhook_endpoint.disabled"
    | "budget.alert"
    | "api_key.created"
    | "api_key.rolled"
    | "api_key.revoked"
    | "subscription.created"
    | "subscription.renewed"
    | "subscription.past_due"
    | "subscription.recovered"
    | "subscription.cancel_scheduled"
    | "subscription.cancelled"
    | "invoice.created"
    | "invoice.paid"
    | "invoice.overdue"
    | "invoice.voided"
    | "invoice.uncollectible"
    | "ping"
  readonly after?: string
}

/** Where to send which events, and for which key to encrypt them. */
export interface WebhookEndpointInput {
  readonly url: string
  readonly description?: string | null
  /**
   * Names of events. `*` means all but `webhook.delivery.*` and `refund.*`, which are sent
   * where they are named.
   */
  readonly enabled_events: ReadonlyArray<
    | "*"
    | "payment_intent.succeeded"
    | "payment_intent.failed"
    | "payment_intent.expired"
    | "payment_intent.cancelled"
    | "revocation.succeeded"
    | "revocation.failed"
    | "revocation.batch.completed"
    | "refund.succeeded"
    | "refund.failed"
    | "refund.requested"
    | "refund.declined"
    | "refund.withdrawn"
    | "kyc.verified"
    | "kyc.rejected"
    | "kyc.expiring"
    | "kyc.expired"
    | "webhook.delivery.succeeded"
    | "webhook.delivery.retrying"
    | "webhook.delivery.failed"
    | "webhook_endpoint.disabled"
    | "budget.alert"
    | "api_key.created"
    | "api_key.rolled"
    | "api_key.revoked"
    | "subscription.created"
    | "subscription.renewed"
    | "subscription.past_due"
    | "subscription.recovered"
    | "subscription.cancel_scheduled"
    | "subscription.cancelled"
    | "invoice.created"
    | "invoice.paid"
    | "invoice.overdue"
    | "invoice.voided"
    | "invoice.uncollectible"
    | "ping"
    | "escrow.held"
    | "escrow.released"
    | "escrow.dispute.created"
  >
  readonly encryption?: {
    readonly public_key: string
    readonly key_type?: "x25519"
  } | null
}

/** The endpoint with its secret. */
export interface NewWebhookEndpoint {
  /** `we_` and a UUIDv7. */
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly enabled_events: ReadonlyArray<string>
  /** Deliveries to a disabled endpoint are skipped. */
  readonly status: "enabled" | "disabled"
  /** Why it is disabled: you asked for it, or it failed for five days. */
  readonly disabled_reason: "requested" | "delivery_failures" | null
  readonly disabled_at: string | null
  /** The key that deliveries are encrypted for: the endpoint's own, else the account's newest. */
  readonly encryption: {
    readonly public_key_fingerprint: string | null
    readonly key_type: "x25519" | null
    readonly enabled: boolean
  }
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
  /** Signs what is sent to the endpoint. Shown this once. */
  readonly secret: string
}

/** What `webhooks.listEndpoints` takes. */
export interface WebhooksListEndpointsQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** A receiver of an account's events. */
export interface WebhookEndpoint {
  /** `we_` and a UUIDv7. */
  readonly id: string
  readonly url: string
  readonly description: string | null
  readonly enabled_events: ReadonlyArray<string>
  /** Deliveries to a disabled endpoint are skipped. */
  readonly status: "enabled" | "disabled"
  /** Why it is disabled: you asked for it, or it failed for five days. */
  readonly disabled_reason: "requested" | "delivery_failures" | null
  readonly disabled_at: string | null
  /** The key that deliveries are encrypted for: the endpoint's own, else the account's newest. */
  readonly encryption: {
    readonly public_key_fingerprint: string | null
    readonly key_type: "x25519" | null
    readonly enabled: boolean
  }
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
  /** An ISO 8601 timestamp in UTC. */
  readonly updated_at: string
}

/** What to change; what is left out stays. `encryption: null` removes the key. */
export interface WebhookEndpointChange {
  readonly url?: string
  readonly description?: string | null
  /**
   * Names of events. `*` means all but `webhook.delivery.*` and `refund.*`, which are sent
   * where they are named.
   */
  readonly enabled_events?: ReadonlyArray<
    | "*"
    | "payment_intent.succeeded"
    | "payment_intent.failed"
    | "payment_intent.expired"
    | "payment_intent.cancelled"
    | "revocation.succeeded"
    | "revocation.failed"
    | "revocation.batch.completed"
    | "refund.succeeded"
    | "refund.failed"
    | "refund.requested"
    | "refund.declined"
    | "refund.withdrawn"
    | "kyc.verified"
    | "kyc.rejected"
    | "kyc.expiring"
    | "kyc.expired"
    | "webhook.delivery.succeeded"
    | "webhook.delivery.retrying"
    | "webhook.delivery.failed"
    | "webhook_endpoint.disabled"
    | "budget.alert"
    | "api_key.created"
    | "api_key.rolled"
    | "api_key.revoked"
    | "subscription.created"
    | "subscription.renewed"
    | "subscription.past_due"
    | "subscription.recovered"
    | "subscription.cancel_scheduled"
    | "subscription.cancelled"
    | "invoice.created"
    | "invoice.paid"
    | "invoice.overdue"
    | "invoice.voided"
    | "invoice.uncollectible"
    | "ping"
    | "escrow.held"
    | "escrow.released"
    | "escrow.dispute.created"
  >
  readonly encryption?: {
    readonly public_key: string
    readonly key_type?: "x25519"
  } | null
  readonly status?: "enabled" | "disabled"
}

/** What `webhooks.listDeliveries` takes. */
export interface WebhooksListDeliveriesQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly endpoint_id?: string
  readonly event_id?: string
  readonly status?: "pending" | "delivering" | "delivered" | "failed" | "skipped"
}

/** What receivers check webhook signatures with. */
export interface WebhookSecret {
  /** Signs the webhooks of the account. */
  readonly secret: string
}

/** Which secret to replace, why, and how long the old one signs on. */
export interface RotationInput {
  readonly reason: string
  readonly grace_period_seconds?: number
  /** The endpoint whose secret is replaced; without it, it is the account's. */
  readonly endpoint_id?: string | null
}

/** The new secret, and what becomes of the old one. */
export interface RotatedSecret {
  /** The endpoint whose secret was replaced; null for the account's. */
  readonly endpoint_id: string | null
  readonly old_key_fingerprint: string
  readonly new_key_fingerprint: string
  /** Until then both secrets sign. */
  readonly old_key_expires_at: string
  /** The new secret. */
  readonly secret: string
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** An X25519 public key, which webhooks are encrypted for from now on. */
export interface WebhookKeyInput {
  readonly public_key: string
  readonly key_type?: "x25519"
  readonly label?: string | null
}

/** A public key that webhooks are encrypted for. */
export interface WebhookKey {
  /** `whk_` and a UUIDv7. */
  readonly id: string
  readonly key_type: "x25519"
  /** `fp_` and the first 16 hex digits of the SHA-256 of the key's 32 bytes. */
  readonly fingerprint: string
  readonly label: string | null
  /** An ISO 8601 timestamp in UTC. */
  readonly created_at: string
}

/** What `webhooks.listKeys` takes. */
export interface WebhooksListKeysQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** A PNG, JPEG, WebP or GIF of at most 8 MiB and 40 megapixels, in base64 or as a data URL. */
export interface ScanInput {
  readonly image: string
}

/** The QR codes of an image, and what to do with the first that can be paid. */
export interface ScanResult {
  readonly scan_id: string
  readonly status: "recognized"
  readonly source: "image"
  readonly image_format: string
  /** `svc`: a link of payport; `emv`: a merchant code; `url`: an address of the web; `text`. */
  readonly raw_format: "svc" | "emv" | "url" | "text"
  /** Every code of the image, from top to bottom. */
  readonly detected_items: ReadonlyArray<{
    /** The channel that pays it; null without one. */
    readonly channel: string | null
    /** From 0 to 1: how sure it is that the code means what is shown. */
    readonly confidence: number
    readonly qr_type: "dynamic" | "static" | null
    /** The symbol's, 1 to 40. */
    readonly qr_version: number | null
    /** In major units of the currency; null where the code leaves it open. */
    readonly amount: number | null
    readonly currency: string | null
    readonly merchant: {
      readonly id: string | null
      readonly name: string | null
      readonly category: string | null
    }
    /** Where it is paid on the web. It was not fetched. */
    readonly payment_url: string | null
    /** `svc`: a link of payport; `emv`: a merchant code; `url`: an address of the web; `text`. */
    readonly format: "svc" | "emv" | "url" | "text"
    /** What the code holds; characters that hide or reorder text show as U+FFFD. */
    readonly content: string
    /** What is damaged or keeps the code from being paid, and where. */
    readonly problems: ReadonlyArray<{
      readonly code:
        | "bad_tag"
        | "bad_length"
        | "too_short"
        | "duplicate_tag"
        | "missing_tag"
        | "bad_value"
        | "bad_crc"
        | "crc_not_last"
        | "bad_link"
        | "unknown_link"
        | "not_payable"
        | "no_price"
      /** The tag's path in a merchant code, such as `29.01`. */
      readonly tag: string | null
      /** The character that the tag begins at. */
      readonly at: number | null
      readonly message: string
    }>
    readonly parsed_payload: EmvPayload | null
  }>
  readonly alternative_channels_possible: ReadonlyArray<string>
  readonly parsed_payload: EmvPayload | null
  /** Null where nothing can be paid, and for damaged codes. */
  readonly recommended_action: {
    readonly type: "create_payment_intent" | "pay_payment_intent"
    readonly channel: string | null
    /** In major units of the currency; null where the code leaves it open. */
    readonly amount: number | null
    readonly currency: string | null
    readonly merchant_id: string | null
    readonly payment_intent_id?: string
    /** The request that does it, where one does. */
    readonly request?: {
      readonly method: "POST"
      readonly path: string
      readonly body: {
        readonly [name: string]: unknown
      }
    }
  } | null
}

/** The fields of a merchant code, as EMV names them. */
export interface EmvPayload {
  /** The scheme, such as `promptpay`; null if unknown. */
  readonly vendor: string | null
  readonly payload_format_indicator: string | null
  /** `11` static, `12` dynamic. */
  readonly point_of_initiation_method: string | null
  readonly merchant_account_info: ReadonlyArray<{
    readonly tag: string
    readonly vendor: string | null
    readonly channel: string | null
    readonly globally_unique_identifier: string | null
    readonly value: string | null
    readonly fields: {
      readonly [name: string]: string
    }
  }>
  readonly merchant_category_code: string | null
  /** The number of ISO 4217. */
  readonly transaction_currency: string | null
  /** As the code writes it. */
  readonly transaction_amount: string | null
  readonly country_code: string | null
  readonly merchant_name: string | null
  readonly merchant_city: string | null
  readonly postal_code: string | null
  readonly tip_or_convenience_indicator: string | null
  readonly convenience_fee_fixed: string | null
  readonly convenience_fee_percentage: string | null
  readonly additional_data: {
    readonly [name: string]: string
  }
  readonly merchant_information_language: {
    readonly [name: string]: string
  }
  readonly crc: string | null
  readonly crc_valid: boolean
}

/**
 * What somebody wants in their own words, in English or Chinese. With `execute`, it is done
 * under the caller's key where nothing is missing.
 */
export interface QueryInput {
  readonly query: string
  readonly context?: {
    readonly service_id?: string
    readonly payer?: {
      readonly agent_id?: string
      readonly human_id?: string
    }
    readonly currency?: string
  }
  readonly execute?: boolean
}

/** What a text was understood as, and the request that does it. */
export interface Understood {
  /** `nlq_` and a UUIDv7. */
  readonly id: string
  readonly intent: "pay" | "subscribe" | "query_invoice" | "refund" | "void" | "scan_qr" | "unknown"
  /** From 0 to 1. */
  readonly confidence: number
  readonly entities: {
    readonly amount?: Money
    readonly currency?: string
    /** The service's name, or what was taken for one while none is found. */
    readonly service?: string
    readonly service_id?: string
    readonly plan_id?: string
    readonly interval?: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
    readonly status?: "open" | "paid" | "void" | "uncollectible"
    readonly payment_intent?: string
    readonly reason?: string
  }
  /** The request that does what the text asks for; null while something is missing. */
  readonly action: {
    readonly method: "GET" | "POST"
    readonly path: string
    readonly body: {
      readonly [name: string]: unknown
    } | null
  } | null
  readonly missing: ReadonlyArray<
    | "intent"
    | "amount"
    | "currency"
    | "service_id"
    | "plan_id"
    | "payment_intent"
    | "image"
    | "confirmation"
    | "wording"
  >
  /** All that the action does, as one sentence in the text's language. */
  readonly summary?: string
  /**
   * The words of the text that were not understood. While there are any, nothing is carried
   * out.
   */
  readonly unread?: ReadonlyArray<string>
  /** One question, for the first thing that is missing, in the text's language. */
  readonly clarification?: string
  /** What the action answered, where it was carried out. */
  readonly result?: unknown
}

/** Up to 100 texts, each alone or with its context. None is carried out. */
export interface BatchInput {
  readonly queries: ReadonlyArray<
    | string
    | {
        readonly query: string
        readonly context?: {
          readonly service_id?: string
          readonly payer?: {
            readonly agent_id?: string
            readonly human_id?: string
          }
          readonly currency?: string
        }
      }
  >
}

/** What each text was understood as, in the order of the queries. */
export interface UnderstoodBatch {
  readonly results: ReadonlyArray<Understood>
}

/** What the payer's wallet does; `pay` goes as far as the flow can. */
export interface SimulateInput {
  readonly action:
    | "scan"
    | "authorize"
    | "reject"
    | "insufficient_balance"
    | "settle"
    | "close"
    | "pay"
}

/** A channel that the sandbox plays. */
export interface SandboxChannel {
  readonly channel: string
  /** What its callbacks are signed with. */
  readonly secret: string
  readonly faults: ChannelFaults
}

/** The ways in which a sandbox channel can misbehave. */
export interface ChannelFaults {
  readonly rate_limited: boolean
  readonly qr_fails: boolean
  readonly deeplink_fails: boolean
  readonly refund_rejects: boolean
  readonly refund_rejects_late: boolean
  readonly auto_pay_declines: boolean
  readonly timeout: boolean
  readonly down: boolean
  readonly credentials_invalid: boolean
  readonly duplicate_callbacks: boolean
  readonly statement_drops: boolean
  readonly statement_changes: boolean
  readonly settle: "automatic" | "manual"
  readonly mandates: "automatic" | "manual"
}

/** The faults to switch on or off; the others stay as they are. */
export interface ChannelFaultsInput {
  readonly rate_limited?: boolean
  readonly qr_fails?: boolean
  readonly deeplink_fails?: boolean
  readonly refund_rejects?: boolean
  readonly refund_rejects_late?: boolean
  readonly auto_pay_declines?: boolean
  readonly timeout?: boolean
  readonly down?: boolean
  readonly credentials_invalid?: boolean
  readonly duplicate_callbacks?: boolean
  readonly statement_drops?: boolean
  readonly statement_changes?: boolean
  readonly settle?: "automatic" | "manual"
  readonly mandates?: "automatic" | "manual"
}

/** How far the clock goes forward. */
export interface AdvanceInput {
  readonly seconds: number
}

/** The service's time. */
export interface Advanced {
  /** An ISO 8601 timestamp in UTC. */
  readonly now: string
  /** How many pieces of work fell due. */
  readonly ran: number
}

/** What `sandbox.listMessages` takes. */
export interface SandboxListMessagesQuery {
  readonly verification_id?: string
}

/** A message that was put here instead of being sent. */
export interface SandboxMessage {
  readonly id: string
  readonly verification_id: string
  readonly channel: "email" | "sms"
  readonly to: string
  readonly subject: string
  readonly text: string
  /** An ISO 8601 timestamp in UTC. */
  readonly sent_at: string
}
