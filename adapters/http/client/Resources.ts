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
  | "PAYMENT_IDENTIFIER_USED"
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
  /** The account's name. */
  readonly name: string
  /** Whether it sells or buys. */
  readonly kind: "seller" | "buyer"
  /** The name of the account's agent. */
  readonly agent_id: string
  /** The seller's account with its channels. */
  readonly merchant_account?: string | null
  /** What the account pays for, which sets its rates and limits. */
  readonly plan?: "starter" | "pro" | "enterprise"
}

/** The account with its first key. */
export interface NewAccount extends Account {
  /** The account's first key. */
  readonly api_key: IssuedKey
}

/** The account's first key. */
export interface IssuedKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The secret key, shown this once. */
  readonly key: string
  /** When it was made. */
  readonly created_at: string
  /** When it stops working; null for never. */
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
  /** The account's name. */
  readonly name: string
  /** Whether it sells or buys. */
  readonly kind: "seller" | "buyer"
  /** The agent that the account acts as. */
  readonly agent_id: string
  /** The seller's account with its channels; null where it has none. */
  readonly merchant_account: string | null
  /** What the account pays for, which sets its rates and limits. */
  readonly plan: "starter" | "pro" | "enterprise"
  /** When it was made. */
  readonly created_at: string
  /** Since when the operator keeps the account's keys from being used. */
  readonly suspended_at: string | null
}

/** The plan to move to. */
export interface PlanInput {
  /** What the account pays for, which sets its rates and limits. */
  readonly plan: "starter" | "pro" | "enterprise"
}

/** What `accounts.listKeys` takes. */
export interface AccountsListKeysQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** A key without its secret. */
export interface ApiKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The first characters of the key. */
  readonly hint: string
  /** When it was made. */
  readonly created_at: string
  /** When it stops working; null for never. */
  readonly expires_at: string | null
  /** When it was revoked; null while it works. */
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
  /** What its requests may do. */
  readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
  /** The only services that its requests may be about. */
  readonly services?: ReadonlyArray<string>
  /** The only agents that its requests may be about. */
  readonly agents?: ReadonlyArray<string>
  /** The addresses and CIDR blocks that it works from. */
  readonly addresses?: ReadonlyArray<string>
  /** The most of one payment. */
  readonly max_amount?: Money
  /** The most that is paid with it, and with the keys that it has issued, in a period. */
  readonly budget?: {
    /** The most of a period. */
    readonly amount: Money
    /** The UTC day, week from Monday or month that is counted, or all of its time. */
    readonly period: "daily" | "weekly" | "monthly" | "total"
  }
}

/** The most of one payment. */
export interface Money {
  /** An ISO 4217 code, or the code of a stablecoin. */
  readonly currency: string
  /** In minor units: 699 USD is 6.99. */
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
  /** When it stops working; never where it is left out. */
  readonly expires_at?: string | null
  /** What the key is restricted to; what is left out is not. */
  readonly restrictions?: {
    /** What its requests may do. */
    readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
    /** The only services that its requests may be about. */
    readonly services?: ReadonlyArray<string>
    /** The only agents that its requests may be about. */
    readonly agents?: ReadonlyArray<string>
    /** The addresses and CIDR blocks that it works from. */
    readonly addresses?: ReadonlyArray<string>
    /** The most of one payment. */
    readonly max_amount?: PayableMoney
    /** The most that is paid with it, and with the keys that it has issued, in a period. */
    readonly budget?: {
      /** The most of a period. */
      readonly amount: PayableMoney
      /** The UTC day, week from Monday or month that is counted, or all of its time. */
      readonly period: "daily" | "weekly" | "monthly" | "total"
    }
    /** When the program's access ends. */
    readonly expires_at?: string
  } | null
}

/** The most of one payment. */
export interface PayableMoney {
  /** An ISO 4217 code, or the code of a stablecoin. */
  readonly currency: string
  /** In minor units: 699 USD is 6.99. */
  readonly value: number
}

/** What `keys.list` takes. */
export interface KeysListQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** How long the replaced key works on. */
export interface RollInput {
  /** For how many seconds the old key works beside the new one. */
  readonly grace_period_seconds?: number
  /** Whether the keys that it has issued go too. */
  readonly cascade?: boolean
}

/** The new key, and what becomes of the old one. */
export interface RolledKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The secret key, shown this once. */
  readonly key: string
  /** When it was made. */
  readonly created_at: string
  /** When it stops working; null for never. */
  readonly expires_at: string | null
  /** The replaced key and when it stops working. */
  readonly replaces: {
    /** The old key's id. */
    readonly id: string
    /** Until when the old key works. */
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
  /** The host at which the program says so; null where it has registered here. */
  readonly client_host: string | null
  /** The host that is told the answer. */
  readonly redirect_host: string
  /** Whether that is the person's own machine. */
  readonly is_local: boolean
  /** The one address that the key will open. */
  readonly resource: string
  /** What the program asks to do. */
  readonly scopes: ReadonlyArray<"read" | "pay">
  /** Where a refusal is told. */
  readonly deny_to: string
}

/** The program's request as it came, and the limits that the person picked. */
export interface AuthorizeInput {
  /** What the program asks for, as it came. */
  readonly request: {
    /** Always `code`. */
    readonly response_type: "code"
    /** The program, by the id of its registration, or by the address of its document. */
    readonly client_id: string
    /** Where the person is sent back to. */
    readonly redirect_uri: string
    /** The SHA-256 of the program's verifier, in base64url (PKCE). */
    readonly code_challenge: string
    /** Always `S256`. */
    readonly code_challenge_method: "S256"
    /** The program's own words, which come back unchanged. */
    readonly state?: string
    /** What the program wants to do, with spaces between: `read`, `pay`. */
    readonly scope?: string
    /** The tools that it wants to use; those at `/mcp` where it is left out. */
    readonly resource?: string
  }
  /** What the person lets it do. */
  readonly restrictions: {
    /** What its requests may do. */
    readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
    /** The only services that its requests may be about. */
    readonly services?: ReadonlyArray<string>
    /** The only agents that its requests may be about. */
    readonly agents?: ReadonlyArray<string>
    /** The addresses and CIDR blocks that it works from. */
    readonly addresses?: ReadonlyArray<string>
    /** The most of one payment. */
    readonly max_amount?: PayableMoney
    /** The most that is paid with it, and with the keys that it has issued, in a period. */
    readonly budget?: {
      /** The most of a period. */
      readonly amount: PayableMoney
      /** The UTC day, week from Monday or month that is counted, or all of its time. */
      readonly period: "daily" | "weekly" | "monthly" | "total"
    }
    /** When the program's access ends. */
    readonly expires_at?: string
  }
}

/** A key for a program, which exchanges the code within a minute. */
export interface Authorized {
  /** Where the person's browser goes: the program's address, with a code for it. */
  readonly redirect_to: string
  /** The key that the program is given. */
  readonly api_key_id: string
  /** When it ends. */
  readonly expires_at: string
}

/** What `accountLog.list` takes. */
export interface AccountLogListQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/**
 * A key, secret, endpoint or limit of the account that changed, or what a restricted key did:
 * `api_key.used`, money that it moved; `api_key.refused`, what its restrictions refused;
 * `api_key.seen`, its first use of a UTC day from an address to read, pay, refund or manage.
 */
export interface LogEntry {
  /** `log_` and a UUIDv7. */
  readonly id: string
  /** When it happened. */
  readonly at: string
  /** The id of the key that did it, or `operator`. */
  readonly actor: string
  /** What changed. */
  readonly action:
    | "api_key.created"
    | "api_key.rolled"
    | "api_key.revoked"
    | "api_key.suspended"
    | "api_key.resumed"
    | "api_key.seen"
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
  /** Further facts, by name. */
  readonly details: {
    readonly [name: string]: string | number | boolean | null
  }
}

/** What a seller offers. A post under a name it already has updates that service. */
export interface ManifestInput {
  /** The service's name, as buyers read it; the seller's own services differ by it. */
  readonly name: string
  /** What the service does, as buyers and their agents read it. */
  readonly description: string
  /** The ways in which the service is paid. */
  readonly payment_methods: {
    /** Paid once for each use. */
    readonly one_time?: boolean
    /** Paid for what was used, period by period. */
    readonly cumulative?: boolean
    /** Paid every period, by plans. */
    readonly subscription?: boolean
  }
  /** The prices, for each payment method. */
  readonly pricing: {
    /** The prices of one use. */
    readonly one_time?: ReadonlyArray<{
      /** The price in minor units of `currency`: 699 USD is 6.99. */
      readonly amount: number
      /** A currency by its ISO 4217 code, or a stablecoin. */
      readonly currency: string
      /** What is bought for the price, as payers read it. */
      readonly label: string
    }>
    /** With `one_time`: who scans the printed code may type an amount as well. */
    readonly open_amount?: {
      /** A currency by its ISO 4217 code, or a stablecoin. */
      readonly currency: string
      /** The least that the payer may type, in minor units of `currency`. */
      readonly minimum?: number
      /** The most that the payer may type, in minor units of `currency`. */
      readonly maximum?: number
    }
    /** The price of what is counted and paid period by period. */
    readonly cumulative?: {
      /** What is counted. */
      readonly unit: string
      /** The price of one unit in minor units of `currency`, with up to 6 decimals. */
      readonly rate: number | string
      /** The period after which use is billed. */
      readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      /** The currency of the rate; the settlement currency where it is left out. */
      readonly currency?: string
    }
    /** The plans that are paid every period. */
    readonly subscription?: ReadonlyArray<{
      /** The plan's id within its service. */
      readonly plan_id: string
      /** The plan's name, as buyers read it. */
      readonly name: string
      /** The price of a period in minor units of `currency`: 699 USD is 6.99. */
      readonly amount: number
      /** A currency by its ISO 4217 code, or a stablecoin. */
      readonly currency: string
      /** The length of a plan's period. */
      readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
      /** What the plan has, in words. */
      readonly features?: ReadonlyArray<string>
    }>
  }
  /** The channels that the service takes. */
  readonly accepted_channels: readonly [string, ...ReadonlyArray<string>]
  /** A code for each payment, or one to be printed. */
  readonly qr_mode: "dynamic" | "static"
  /** What the seller is paid in. */
  readonly settlement_currency: string
  /** The https address that is told of payments and revocations. */
  readonly endpoint: string
  /** Words to be found by. */
  readonly tags?: ReadonlyArray<string>
  /** The channel of payments that name none. */
  readonly default_channel?: string | null
  /** The channel of payments whose own is over its rate or away. */
  readonly fallback_channel?: string | null
  /** What refunds revoke without being asked to. */
  readonly revocation_policy?: {
    /** Whether a refund revokes access by itself. */
    readonly auto_revoke_on_refund?: boolean
    /** What it revokes then. */
    readonly default_targets?: ReadonlyArray<{
      /** The kind of access that is revoked. */
      readonly type: "access_token" | "signed_url" | "session" | "license_key"
      /** The part of an access, such as `read:detail` or `all`. */
      readonly scope?: string
    }>
    /** Whether the endpoint is told of revocations. */
    readonly webhook_on_revoke?: boolean
    /** Whether access items that nobody registered are refused. */
    readonly strict?: boolean
    /** The seller's gate, which is asked to revoke. */
    readonly revoke_url?: string
  } | null
}

/** A registered service. */
export interface ServiceManifest extends ServiceSummary {
  /** A code for each payment, or one to be printed. */
  readonly qr_mode: "dynamic" | "static"
  /** What the seller is paid in. */
  readonly settlement_currency: string
  /** Where payment events go; shown to the owner only. */
  readonly endpoint?: string
  /** The channel of payments that name none; null for the service's choice. */
  readonly default_channel: string | null
  /** The channel of payments whose own is over its rate or away; null for none. */
  readonly fallback_channel: string | null
  /** What refunds revoke without being asked to; null for nothing. */
  readonly revocation_policy: {
    /** Whether a refund revokes access by itself. */
    readonly auto_revoke_on_refund?: boolean
    /** What it revokes then. */
    readonly default_targets?: ReadonlyArray<{
      /** The kind of access that is revoked. */
      readonly type: string
      /** The part of an access, such as `read:detail` or `all`. */
      readonly scope?: string
    }>
    /** Whether the endpoint is told of revocations. */
    readonly webhook_on_revoke?: boolean
    /** Targets that nobody registered are not found. */
    readonly strict?: boolean
    /** Where the seller's own system revokes; shown to the owner only. */
    readonly revoke_url?: string
  } | null
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

/** The ways in which a service is paid. */
export interface PaymentMethods {
  /** Paid once for each use. */
  readonly one_time?: boolean
  /** Paid for what was used, period by period. */
  readonly cumulative?: boolean
  /** Paid every period, by plans. */
  readonly subscription?: boolean
}

/** The prices of a service, one entry for each payment method that is enabled. */
export interface Pricing {
  /** The prices of one use. */
  readonly one_time?: ReadonlyArray<{
    /** The price in minor units of `currency`: 699 USD is 6.99. */
    readonly amount: number
    /** A currency by its ISO 4217 code, or a stablecoin. */
    readonly currency: string
    /** What is bought for the price, as payers read it. */
    readonly label: string
  }>
  /** With `one_time`: who scans the printed code may type an amount as well. */
  readonly open_amount?: {
    /** A currency by its ISO 4217 code, or a stablecoin. */
    readonly currency: string
    /** The least that the payer may type, in minor units of `currency`. */
    readonly minimum?: number
    /** The most that the payer may type, in minor units of `currency`. */
    readonly maximum?: number
  }
  /** The price of what is counted and paid period by period. */
  readonly cumulative?: {
    /** What is counted. */
    readonly unit: string
    /** The price of one unit in minor units of `currency`, with up to 6 decimals. */
    readonly rate: number | string
    /** The period after which use is billed. */
    readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
    /** The currency of the rate; the settlement currency where it is left out. */
    readonly currency?: string
  }
  /** The plans that are paid every period. */
  readonly subscription?: ReadonlyArray<{
    /** The plan's id within its service. */
    readonly plan_id: string
    /** The plan's name, as buyers read it. */
    readonly name: string
    /** The price of a period in minor units of `currency`: 699 USD is 6.99. */
    readonly amount: number
    /** A currency by its ISO 4217 code, or a stablecoin. */
    readonly currency: string
    /** The length of a plan's period. */
    readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
    /** What the plan has, in words. */
    readonly features: ReadonlyArray<string>
  }>
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
  /** The service's name, in the seller's words. */
  readonly name: string
  /** What the service does, in the seller's words. */
  readonly description: string
  /** `active` takes payments. */
  readonly status: "draft" | "active" | "paused" | "deprecated" | "deleted"
  /** Of deprecated services, which take no new payments. */
  readonly stale?: true
  readonly payment_methods: PaymentMethods
  readonly pricing: Pricing
  /** The channels that the service takes. */
  readonly accepted_channels: ReadonlyArray<string>
  /** Words to be found by. */
  readonly tags: ReadonlyArray<string>
  /** What it sells by x402 that was seen not to hold, three at most. */
  readonly not_held?: ReadonlyArray<{
    /** Its address. */
    readonly resource: string
    /** How it is asked for. */
    readonly method: string
    /** `silent`: it asks for no payment to its seller; else it asks for another one. */
    readonly standing: "silent" | "priced_differently"
    /** Since when. */
    readonly since: string
    readonly listed: Money
    readonly seen?: Money
  }>
}

/** What `services.qr` takes. */
export interface ServicesQrQuery {
  readonly channel?: string
}

/** The static code of a service, for one of its channels. */
export interface ServiceQr {
  /** The service's id. */
  readonly service_id: string
  /** The channel that the code is for. */
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
  /** A channel by its name, such as `wallet_a`. */
  readonly channel: string
  /** What a person is shown. */
  readonly label: string
  /** What the channel moves. */
  readonly kind: "consumer_wallet" | "bank_linked" | "business" | "stablecoin"
  /** What the channel allows of refunds. */
  readonly refunds: {
    /** The channel's type, which its refund rules follow from. */
    readonly type: 1 | 2 | 3
    /** Null: unlimited. */
    readonly max_partial_refunds: number | null
    /** For how many days after a payment the channel takes refunds. */
    readonly window_days: number
    /** How many requests a second the channel takes. */
    readonly rate_per_second: number | null
  }
  /** Whether the channel makes links that open a wallet. */
  readonly deep_links: boolean
  /** Whether a capture may take less than was authorized; the rest is released. */
  readonly partial_capture: boolean
  /** How soon captured money is settled. */
  readonly settles: "real_time" | "t_plus_1"
  /** Parts per ten thousand of the amount. */
  readonly network_fee_basis_points: number
  /** The currencies that the channel takes. */
  readonly currencies: ReadonlyArray<string> | "every"
  /** The lowest level that may pay by it. */
  readonly kyc_level: "anonymous" | "basic" | "enhanced" | "business"
  /** The currency that a stablecoin stands for. */
  readonly pegged_to?: string
  /** The schemes of merchant QR codes that the channel pays. */
  readonly qr_schemes?: ReadonlyArray<string>
  /** Whether the channel answers now. */
  readonly health: "up" | "rate_limited" | "down"
}

/** What is to be paid, for which service. */
export interface CreateIntentInput {
  /** The service's id. */
  readonly service_id: string
  /** Always `one_time`. */
  readonly type: "one_time"
  /** What is to be paid: a price of the service, in its currency. */
  readonly amount: PayableMoney
  /** What is bought, as the payer reads it. */
  readonly description: string
  /** The channel that the payer wants; the service's choice where it is left out. */
  readonly payer_channel?: string
  /** The agent that pays, and the person it pays for. */
  readonly payer?: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id?: string
    /** The person whom the agent pays for, by a name of the caller's. */
    readonly human_id?: string
  }
  /** Where the payer's browser goes back to afterwards. */
  readonly return_url?: string
  /** Facts of the caller's own, which are kept and shown, and mean nothing here. */
  readonly metadata?: {
    readonly [name: string]: Json
  }
}

/** A payment. */
export interface PaymentIntent {
  /** `pi_` and a UUIDv7. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** Always `one_time`. */
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
  /**
   * What the payment costs, for its payee only: taken once it has succeeded; null until the
   * payer has chosen a channel. They are of what was captured, once it was.
   */
  readonly fees?: Fees | null
  /** What is bought, as the payer reads it. */
  readonly description: string
  /** The agent that pays, and the person it pays for. */
  readonly payer: {
    /** The agent that pays; null if unknown. */
    readonly agent_id: string | null
    /** The person whom the agent pays for; null if unknown. */
    readonly human_id: string | null
    /** The wallet that paid, by the channel's name for it. */
    readonly wallet_id?: string
  }
  /** The seller. */
  readonly payee: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id: string
    /** The seller's account with its channels; null where it has none. */
    readonly merchant_account: string | null
  }
  /** The channel used; null until the payer chooses among several. */
  readonly channel: string | null
  /** The QR code; null while the payer has several to choose from. */
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
    /** The channel that the code is for. */
    readonly channel: string
    /** What the QR code holds. */
    readonly qr_data: string
    /** The address of a page with the QR code. */
    readonly scan_url: string
    /** The channel's name, as people read it. */
    readonly label: string
  }>
  /** What to show to the payer. */
  readonly payer_prompt?: string
  /** One-Time Pay only. */
  readonly deeplink?: string
  /** When the payer scanned the code. */
  readonly scanned_at?: string
  /** When the payer authorized it. */
  readonly authorized_at?: string
  /** When the payee captured it. */
  readonly captured_at?: string
  /** When the channel settled it. */
  readonly succeeded_at?: string
  /** The channel's own number of what moved. */
  readonly channel_txn_id?: string
  /** While the channel has not said whether it did what it was asked. */
  readonly channel_outcome?: "unknown"
  /** Why the payment failed, for programs. */
  readonly failure_code?: string
  /** Why the payment failed, for people. */
  readonly failure_message?: string
  /** Whether an install's mandate has paid it, without asking a person. */
  readonly auto_paid?: boolean
  /** Where the payer's browser goes back to afterwards. */
  readonly return_url?: string
  /** The invoice that it pays; with payments of invoices. */
  readonly invoice?: string
  /** The caller's own facts; null without any. */
  readonly metadata: {
    readonly [name: string]: unknown
  } | null
  /** When it was made. */
  readonly created_at: string
  /** Until when it can be paid. */
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
  /** What happened, oldest first. */
  readonly data: ReadonlyArray<TimelineEntry>
  /** Whether this is all; else the oldest of each sort. */
  readonly complete: boolean
}

/** One thing that happened to a payment. */
export type TimelineEntry =
  | {
      /** What this entry is about; it has the field of that name. */
      readonly type: "status"
      /** When it happened. */
      readonly at: string
      /** The state that the payment came to. */
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
      /** What this entry is about; it has the field of that name. */
      readonly type: "channel_request"
      /** When it happened. */
      readonly at: string
      /** What the channel was asked to do. */
      readonly channel_request: {
        /** The number that the channel knows it by. */
        readonly id: string
        /** What the channel was asked to do. */
        readonly action: "capture" | "release" | "close" | "refund" | "debit"
        /** A channel by its name, such as `wallet_a`. */
        readonly channel: string
        /** Whether it has answered, and what; `unknown` is asked after. */
        readonly status: "outstanding" | "unknown" | "done" | "refused"
        /** How often the channel was called or asked. */
        readonly attempts: number
        readonly amount: Money
        /** The channel's own number; null before it gave one. */
        readonly trade_no: string | null
        /** The refund that it is for; null for none. */
        readonly refund: string | null
        /** Why the channel refused. */
        readonly failure?: string
      }
    }
  | {
      /** What this entry is about; it has the field of that name. */
      readonly type: "callback"
      /** When it happened. */
      readonly at: string
      /** What the channel told. */
      readonly callback: {
        /** The callback's id. */
        readonly id: string
        /** A channel by its name, such as `wallet_a`. */
        readonly channel: string
        /** What the channel told of. */
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
      /** What this entry is about; it has the field of that name. */
      readonly type: "refund"
      /** When it happened. */
      readonly at: string
      /** The refund, as it was then. */
      readonly refund: {
        /** The refund's id. */
        readonly id: string
        /** The state that it is in. */
        readonly status: "pending" | "succeeded" | "failed"
        readonly amount: Money
        /** Why the payee refunded it. */
        readonly reason: string | null
      }
    }
  | {
      /** What this entry is about; it has the field of that name. */
      readonly type: "journal"
      /** When it happened. */
      readonly at: string
      /** The rows that were entered in the books. */
      readonly journal: ReadonlyArray<LedgerEntry>
    }
  | {
      /** What this entry is about; it has the field of that name. */
      readonly type: "revocation"
      /** When it happened. */
      readonly at: string
      /** The access that was taken away. */
      readonly revocation: {
        /** The refund's id. */
        readonly refund: string
        /** The kind of access item. */
        readonly target_type: string
        /** The access item, by the seller's identifier. */
        readonly target_id: string
        /** The part of an access, such as `read:detail` or `all`. */
        readonly scope: string
        /** The state that it is in. */
        readonly status: "pending" | "revoked" | "failed" | "expired"
        /** The tries so far. */
        readonly attempts: number
        /** Why the last try failed; null where it did not. */
        readonly error: {
          /** What went wrong, for programs. */
          readonly code: string
          /** What went wrong, for people. */
          readonly message: string
        } | null
      }
    }
  | {
      /** What this entry is about; it has the field of that name. */
      readonly type: "event"
      /** When it happened. */
      readonly at: string
      /** The event that was told. */
      readonly event: Event
    }
  | {
      /** What this entry is about; it has the field of that name. */
      readonly type: "delivery"
      /** When it happened. */
      readonly at: string
      /** The delivery of an event. */
      readonly delivery: WebhookDelivery
    }

/** One row of an account's double-entry books. */
export interface LedgerEntry {
  /** The entry's id. */
  readonly id: string
  /** The rows of a journal sum to zero in each currency. */
  readonly journal: string
  /** What was entered in the books. */
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
  /** The account of the books that it changed. */
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
  /** The channel that the money is with; null for none. */
  readonly channel: string | null
  readonly amount: Money
  /** The payment that it is about; null for none. */
  readonly payment_intent: string | null
  /** The refund, or the request that gives late money back. */
  readonly refund: string | null
  /** When it was made. */
  readonly created_at: string
}

/** The event that was told. */
export interface Event {
  /** The event's id: dedupe by it. */
  readonly id: string
  /** The event's name. */
  readonly type: string
  /** The service that it is about; null without one. */
  readonly service_id: string | null
  /** What happened: the fields of the event's type. */
  readonly data: {
    readonly [name: string]: unknown
  }
  /** When it happened. */
  readonly created_at: string
}

/** The delivery of an event. */
export interface WebhookDelivery {
  /** `wd_` and a UUIDv7. */
  readonly id: string
  /** Null where a service's own endpoint is told. */
  readonly endpoint_id: string | null
  /** The service whose own endpoint is told; null for registered endpoints. */
  readonly service_id: string | null
  /** The event's id. */
  readonly event_id: string
  /** The event's name. */
  readonly event_type: string
  /** Where it is sent to. */
  readonly url: string
  /** How far the delivery is; `skipped` where the endpoint was gone. */
  readonly status: "pending" | "delivering" | "delivered" | "failed" | "skipped"
  /** The tries so far. */
  readonly attempts: ReadonlyArray<{
    /** The number of the try, from 1. */
    readonly attempt: number
    /** Null where nobody answered. */
    readonly status: number | null
    /** When it was tried. */
    readonly at: string
    /** How long the receiver took, in milliseconds. */
    readonly duration_ms: number
    /** Why nobody answered. */
    readonly error?: string
    /** The first KiB of the answer. */
    readonly response?: string
  }>
  /** Why it ended without an answer: webhook_endpoint_disabled, webhook_key_not_found. */
  readonly error: string | null
  /** When it is tried next; null where it is not. */
  readonly next_attempt_at: string | null
  /** The delivery that this one repeats; null for a first one. */
  readonly replay_of: string | null
  /** When it was made. */
  readonly created_at: string
}

/** What `intents.qr` takes. */
export interface IntentsQrQuery {
  readonly channel?: string
}

/** The code of a payment, for one of its channels. */
export interface PaymentIntentQr {
  /** The payment's id. */
  readonly payment_intent_id: string
  /** The channel that the code is for. */
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

/** How much is captured; the body may also be left out. */
export interface CaptureInput {
  /**
   * How much is taken, in the payment's currency, at most its amount; the rest is released, for
   * good. Without it, all of it.
   */
  readonly amount?: PayableMoney
}

/** What is to be paid at once, for which service and by whom. */
export interface CreateOneTimeInput {
  /** The service's id. */
  readonly service_id: string
  /** What is to be paid: a price of the service, in its currency. */
  readonly amount: PayableMoney
  /** What is bought, as the payer reads it. */
  readonly description: string
  /** The agent that pays, and the person it pays for. */
  readonly payer: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id: string
    /** The person whom the agent pays for, by a name of the caller's. */
    readonly human_id?: string
  }
  /** The channel to pay by; the service's choice where it is left out. */
  readonly channel?: string
  /** Where the payer's browser goes back to afterwards. */
  readonly return_url?: string
  /** Facts of the caller's own, which are kept and shown, and mean nothing here. */
  readonly metadata?: {
    readonly [name: string]: Json
  }
}

/**
 * A One-Time payment under the payer's limits; with nothing but `amount` (and `kyc_level`,
 * `payer`) the question whether it may be paid.
 */
export interface AttemptPaymentInput {
  /** What is to be paid. */
  readonly amount: PayableMoney
  /** The service's id. */
  readonly service_id?: string
  /** What is bought, as the payer reads it. */
  readonly description?: string
  /** The agent that pays, and the person it pays for. */
  readonly payer?: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id: string
    /** The person whom the agent pays for, by a name of the caller's. */
    readonly human_id?: string
  }
  /** The channel to pay by; the service's choice where it is left out. */
  readonly channel?: string
  /** Where the payer's browser goes back to afterwards. */
  readonly return_url?: string
  /** Facts of the caller's own, which are kept and shown, and mean nothing here. */
  readonly metadata?: {
    readonly [name: string]: Json
  }
  /** The level that the payer claims; it is held to the one in force. */
  readonly kyc_level?: "anonymous" | "basic" | "enhanced" | "business"
}

/** The payer may pay the amount at once, and within what is left of the day's limit now. */
export interface Allowance {
  /** Always `true`: what is not allowed is refused. */
  readonly allowed: true
  /** The level that is in force for the agent. */
  readonly current_kyc_level: "anonymous" | "basic" | "enhanced" | "business"
  /** What the level may pay, in whole US dollars. */
  readonly limits: KycLimits
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

/**
 * What is to be paid for. `valid_seconds`: so long the proof opens it from its first use on;
 * left out, it opens it once. Without `channel` the service's is taken.
 */
export interface OpenChallengeInput {
  /** The service that is paid. */
  readonly service_id: string
  /** What the resource costs. */
  readonly amount: PayableMoney
  /** What is paid for, such as `GET /reports/7`. */
  readonly resource: string
  /** What is sold, as the payer reads it. */
  readonly description?: string
  /** The channel to pay by; the service's choice where it is left out. */
  readonly channel?: string
  /** For how many seconds the payment gives access. */
  readonly valid_seconds?: number
  /**
   * For a deposit that requests draw from: so many seconds after the last draw the session is
   * closed and the rest given back; a day where it is left out.
   */
  readonly idle_seconds?: number
}

/** A payment that a paid endpoint asks for, and the token that proves it. */
export interface PaymentChallenge {
  /** The payment that is asked for. */
  readonly payment_intent: DemandedPayment
  /** The service's id. */
  readonly service_id: string
  /** What is paid for, such as `GET /reports/7`. */
  readonly resource: string
  /** For how many seconds the payment gives access; null without an end. */
  readonly valid_seconds: number | null
  /** The seller. */
  readonly payee: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id: string
    /** The seller's account with its channels; null where it has none. */
    readonly merchant_account: string | null
  }
  /** `payport:sandbox` or `payport:live`. */
  readonly network: string
}

/** The payment that is asked for. */
export interface DemandedPayment {
  /** The payment: `pi_` and a UUIDv7. */
  readonly id: string
  /** What is to be paid. */
  readonly amount: Money
  /** A channel by its name, such as `wallet_a`. */
  readonly channel: string
  /** What a wallet pays by. */
  readonly qr_uri: string
  /** Until when it can be paid. */
  readonly expires_at: string
  /** The secret that proves the payment; shown here and nowhere else. */
  readonly token: string
}

/** The proof that was shown, and what it is to open. */
export interface RedeemInput {
  /** The service that is paid. */
  readonly service_id: string
  /** What the resource costs. */
  readonly amount: PayableMoney
  /** What is paid for, such as `GET /reports/7`. */
  readonly resource: string
  /** The token that the demand gave. */
  readonly token: string
  /** 16 to 128 letters, digits, `-` and `_` (x402, payment-identifier). */
  readonly payment_identifier?: string
  /**
   * Whether an authorized payment is captured at once, as it is without this, or later, by
   * `POST /v1/payment-intents/{id}/capture`; `in_part` is accepted where a part can be.
   */
  readonly capture?: "at_once" | "later" | "in_part"
}

/** The proof is good: let the request through. */
export interface PaymentRedemption {
  /** The payment's id. */
  readonly payment_intent: string
  /** The agent that has paid, or the wallet; null where the channel names neither. */
  readonly payer: string | null
  /** What is paid for, such as `GET /reports/7`. */
  readonly resource: string
  /** When the proof was first accepted. */
  readonly redeemed_at: string
  /** Until when the proof opens the resource again; null after a single use. */
  readonly valid_until: string | null
  /**
   * Whether the same purchase was told of before, under its identifier: give what was given
   * then, and do no work twice.
   */
  readonly repeated: boolean
  /**
   * Until when the seller captures the payment, which is only authorized (`capture: later`);
   * null where the money was taken.
   */
  readonly capture_before: string | null
}

/** The proof of the deposit, and what is drawn of it. */
export interface DrawInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The deposit. */
  readonly amount: PayableMoney
  /** What the deposit is for. */
  readonly resource: string
  /** The token that the demand gave. */
  readonly token: string
  /** What is drawn, in minor units of the deposit. */
  readonly price: number
  /** What is drawn of the deposit with this, in all: each draw has its own number. */
  readonly spent: number
}

/** The price was drawn: let the request through. */
export interface PaymentDraw {
  /** The deposit: a payment's id. */
  readonly payment_intent: string
  readonly drawn: Money
  readonly left: Money
  /** When the session is closed by itself, unless it is drawn from before. */
  readonly closes_at: string
}

/** The proof of the deposit. */
export interface CloseInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The deposit. */
  readonly amount: PayableMoney
  /** What the deposit is for. */
  readonly resource: string
  /** The token that the demand gave. */
  readonly token: string
}

/** A session that has ended, and the refund of what was left. */
export interface ClosedSession {
  /** The deposit: a payment's id. */
  readonly payment_intent: string
  /**
   * The refund of the rest, told again however often it is closed; null where nothing was left,
   * and where nothing was taken: what was held is released then.
   */
  readonly refund: string | null
}

/** The schemes and networks that are settled here. */
export interface X402SupportedResponse {
  /** What it settles. */
  readonly kinds: ReadonlyArray<{
    /** The version of x402: 2. */
    readonly x402Version: number
    /**
     * How it is paid; `exact` pays the amount that is asked, `upto` at most that, by use;
     * `auth-capture` holds it first, and takes or releases it afterwards.
     */
    readonly scheme: string
    /** Where the money moves: `payport:live` or `payport:sandbox`. */
    readonly network: string
  }>
  /** The extensions of x402 that it knows. */
  readonly extensions: ReadonlyArray<string>
  /** The addresses that sign, by network: none. */
  readonly signers: {
    readonly [name: string]: ReadonlyArray<string>
  }
}

/** What `facilitator.discover` takes. */
export interface FacilitatorDiscoverQuery {
  readonly type?: string
  readonly payTo?: string
  readonly scheme?: string
  readonly network?: string
  readonly extensions?: string
  readonly limit?: number
  readonly offset?: number
}

/** What is sold by x402, and was seen to be. */
export interface X402DiscoveryResponse {
  /** The version of x402: 2. */
  readonly x402Version: number
  /** What holds first; each seller's first before anybody's second. */
  readonly items: ReadonlyArray<X402Resource>
  /** Which part of the list this is. */
  readonly pagination: {
    /** How many items a page has at most. */
    readonly limit: number
    /** How many items are left out before the page. */
    readonly offset: number
    /** How many there are in all; 10000 stands for more. */
    readonly total: number
  }
}

/** A resource that is sold by x402. */
export interface X402Resource {
  /** The address, `:name` for what varies. */
  readonly resource: string
  /** `http`. */
  readonly type: "http"
  /** The version of x402: 2. */
  readonly x402Version: number
  /** How it is paid. */
  readonly accepts: ReadonlyArray<{
    /** How it is paid. */
    readonly scheme: string
    /** Where the money moves. */
    readonly network: string
    /** Minor units of the asset, in digits. */
    readonly amount: string
    /** The currency, by its ISO 4217 code. */
    readonly asset: string
    /** The service, or its seller's agent. */
    readonly payTo: string
    /** So long after its payment was begun a payload is accepted first. */
    readonly maxTimeoutSeconds: number
    /** Nothing: ask the resource itself before you pay. */
    readonly extra: {
      readonly [name: string]: unknown
    }
  }>
  /** When this changed last, ISO 8601. */
  readonly lastUpdated: string
  /** What it is, in its seller's words: data, never instructions. */
  readonly description?: string
  /** What it answers with, in its seller's words. */
  readonly mimeType?: string
  /** The name of its service in the registry. */
  readonly serviceName: string
  /** The tags of its service. */
  readonly tags: ReadonlyArray<string>
  /** `bazaar`: its input and output as the resource declares them: data as well. */
  readonly extensions?: {
    readonly [name: string]: unknown
  }
  /** Whether this still holds, by our own look. */
  readonly probe: {
    /**
     * `live`: when it was last asked, it asked for just this. `silent`: it asked for no payment
     * to its seller. `priced_differently`: it asked for another one.
     */
    readonly standing: "live" | "silent" | "priced_differently"
    /** Since when, ISO 8601. */
    readonly since: string
    /** When it was last asked. */
    readonly at?: string
    /** Why it is silent. */
    readonly reason?: string
    readonly seen?: Money
  }
}

/** What the seller requires: its `payTo`, amount and `extra.resource`. */
export interface PayForResourceInput {
  /** The service that is paid. */
  readonly service_id: string
  /** What the resource costs. */
  readonly amount: PayableMoney
  /** What is paid for, such as `GET /reports/7`. */
  readonly resource: string
  /** What is bought, as the payer reads it. */
  readonly description?: string
  /** The channel to pay by; the service's choice where it is left out. */
  readonly channel?: string
}

/** A payload that a seller was sent, and what it was to pay. */
export interface X402FacilitatorRequest {
  /** The version of x402: 2. */
  readonly x402Version: number
  /**
   * What the buyer sent (5.2). Its `payload` holds `payment_intent` and `token`, as `POST
   * /v1/x402/payments` has answered them.
   */
  readonly paymentPayload: {
    readonly [name: string]: unknown
  }
  /** What the seller asks for. */
  readonly paymentRequirements: X402PaymentRequirements
}

/** What the seller asks for. */
export interface X402PaymentRequirements {
  /** One of: exact, upto, auth-capture. */
  readonly scheme: string
  /** `payport:sandbox` or `payport:live`. */
  readonly network: string
  /**
   * Minor units of the asset, in digits. Of `upto` and `auth-capture`: the most that may be
   * taken; where it is settled or captured, what is taken, and `0` releases all.
   */
  readonly amount: string
  /** The currency, by its ISO 4217 code. */
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
  /** Whether it would be settled. */
  readonly isValid: boolean
  /** Why not, for programs. */
  readonly invalidReason?: string
  /** Why not, for people. */
  readonly invalidMessage?: string
  /** The agent that pays, or the wallet. */
  readonly payer?: string
}

/** What became of the payment. */
export interface X402SettleResponse {
  /** Whether it was settled. */
  readonly success: boolean
  /**
   * Why nothing was settled. `settlement_pending`: whether the money was taken is being found
   * out; settle the same payload again.
   */
  readonly errorReason?: string
  /** Why not, for people. */
  readonly errorMessage?: string
  /** The agent that pays, or the wallet. */
  readonly payer?: string
  /** The payment; empty where there is none. */
  readonly transaction: string
  /** Where the money moves: `payport:live` or `payport:sandbox`. */
  readonly network: string
  /** What was taken, in minor units. */
  readonly amount?: string
}

/** Which resource, and what it costs. Listed again, it costs what is said now. */
export interface ListResourceInput {
  /** Your active service that is paid. */
  readonly service_id: string
  /** The resource's URL; its query is left out. */
  readonly resource: string
  /** How it is asked for; `GET` where it is left out. */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  /** What it asks for, which is the listed price. */
  readonly amount: PayableMoney
}

/** A resource of the seller's that buyers find by x402 discovery. */
export interface ListedResource {
  /** `lst_` and a UUIDv7. */
  readonly id: string
  /** The service that is paid. */
  readonly service_id: string
  /** The address, in which `:name` stands for a part of the path that varies. */
  readonly resource: string
  /** How it is asked for. */
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly amount: Money
  /**
   * `live` is shown first; `silent` and `priced_differently` come after all that hold;
   * `unproven` is shown to nobody else.
   */
  readonly standing: "unproven" | "live" | "silent" | "priced_differently"
  /** Since when it holds, or does not. */
  readonly since: string
  /**
   * Why it does not hold: `timeout`, `dns` and the like, `status_200` for an answer that was no
   * 402, `no_requirements`, `other_payee` or `other_address` for another's 402.
   */
  readonly reason?: string
  readonly seen?: Money
  /** When it was last asked. */
  readonly probed_at?: string
  /** When it is asked next. */
  readonly next_probe_at?: string
  /** When it was listed. */
  readonly created_at: string
  /** When what buyers are told last changed. */
  readonly updated_at: string
}

/** What `listings.list` takes. */
export interface ListingsListQuery {
  readonly limit?: number
  readonly starting_after?: string
  readonly service_id?: string
}

/** The resource is gone. */
export interface Deleted {
  /** The id of what was deleted. */
  readonly id: string
  /** Always `true`. */
  readonly deleted: true
}

/** What is to be paid, and what it is to be settled in. */
export interface CreateQuoteInput {
  /** What the payer is to pay. */
  readonly amount: PayableMoney
  /** What the payee is to be paid in. */
  readonly settlement_currency: string
  /** The service that is paid; its channels are compared. */
  readonly service_id?: string
  /** The channels to compare; those of the service where it is left out. */
  readonly channels?: readonly [string, ...ReadonlyArray<string>]
  /** The agent that pays, and the person it pays for. */
  readonly payer?: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id?: string
    /** The person whom the agent pays for, by a name of the caller's. */
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
    /** A channel by its name, such as `wallet_a`. */
    readonly channel: string
    /** From 0 to 1: half the fee, three tenths the rate, two tenths the speed. */
    readonly score: number
    /** What the score is made of, each from 0 to 1. */
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
    /** How soon captured money is settled. */
    readonly settles: "real_time" | "t_plus_1"
  }>
  /** When it was made. */
  readonly created_at: string
  /** Until when the prices hold. */
  readonly expires_at: string
}

/** The quote to be used, and what the payment is for. */
export interface PayQuoteInput {
  /** The quote whose prices hold. */
  readonly quote_id: string
  /** The channel of the quote to pay by; the best where it is left out. */
  readonly channel?: string
  /** The service's id. */
  readonly service_id: string
  /** What is bought, as the payer reads it. */
  readonly description: string
  /** The agent that pays, and the person it pays for. */
  readonly payer?: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id?: string
    /** The person whom the agent pays for, by a name of the caller's. */
    readonly human_id?: string
  }
  /** Where the payer's browser goes back to afterwards. */
  readonly return_url?: string
  /** Facts of the caller's own, which are kept and shown, and mean nothing here. */
  readonly metadata?: {
    readonly [name: string]: Json
  }
}

/** Which payment is refunded; without an amount, all that is left of it. */
export interface CreateRefundInput {
  /** The payment's id. */
  readonly payment_intent: string
  /** How much goes back, in the payment's currency; without it, all that is left. */
  readonly amount?: PayableMoney
  /** Why it is refunded; the payer sees it. */
  readonly reason?: string
  /** A note of the payee's own. */
  readonly description?: string
  /** What the refund takes back of what was bought. */
  readonly revoke?: {
    /** The access items, each by its type and the seller's identifier. */
    readonly targets?: ReadonlyArray<{
      /** The kind of access: `access_token`, `signed_url`, `session` or `license_key`. */
      readonly type: string
      /** The access item, by the seller's identifier. */
      readonly id: string
      /** The part of an access, such as `read:detail` or `all`. */
      readonly scope?: string
    }>
    /** `false` keeps the service's policy from revoking. */
    readonly auto_revoke?: boolean
    /** Whether the service's endpoint is told of each revocation. */
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
  /** Why it was refunded, in the payee's words. */
  readonly reason: string | null
  /** A note of the payee's own; null without one. */
  readonly description: string | null
  /** A channel by its name, such as `wallet_a`. */
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
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

/** An access that a refund takes back. */
export interface Revocation {
  /** The kind of access item. */
  readonly target_type: string
  /** The access item, by the seller's identifier. */
  readonly target_id: string
  /** The part of an access, such as `read:detail` or `all`. */
  readonly scope: string
  /** The state that it is in. */
  readonly status: "pending" | "revoked" | "failed" | "expired"
  /** When it was revoked. */
  readonly revoked_at?: string
  /** What went wrong. */
  readonly error?: {
    /** Why the last try failed, for programs. */
    readonly code: string
    /** Why the last try failed, for people. */
    readonly message: string
  }
}

/** How much is refunded and why; without an amount, all that is left. */
export interface RefundIntentInput {
  /** Why it is refunded; the payer sees it. */
  readonly reason?: string
  /** How much goes back, in the payment's currency; without it, all that is left. */
  readonly amount?: PayableMoney
}

/** What `refunds.list` takes. */
export interface RefundsListQuery {
  readonly payment_intent?: string
  readonly limit?: number
  readonly starting_after?: string
}

/** Which payment, why, and how much; without an amount, all that is left of it. */
export interface CreateRefundRequestInput {
  /** The payment's id. */
  readonly payment_intent: string
  /** How much is asked back; without it, all that is left. */
  readonly amount?: PayableMoney
  /** Why the buyer asks for it; the payee sees it. */
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
  /** The payment's id. */
  readonly payment_intent: string
  /** The service's id. */
  readonly service_id: string
  readonly amount: Money
  /** Why the buyer asks for it. */
  readonly reason: string
  /** The refund that the payee has made; with approved ones. */
  readonly refund?: string
  /** The payee's words; with declined ones. */
  readonly decline_reason?: string
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
  /** Until when the payee can decide. */
  readonly expires_at: string
  /** When it was decided, withdrawn or ran out. */
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
  /** How much goes back; without it, what was asked. */
  readonly amount?: PayableMoney
}

/** Why nothing is refunded. */
export interface DeclineRefundRequestInput {
  /** Why it is declined; the buyer sees it. */
  readonly reason: string
}

/** What a payment bought, by the seller's own identifier. */
export interface RegisterAccessItemInput {
  /** The payment's id. */
  readonly payment_intent: string
  /** The kind of access: `access_token`, `signed_url`, `session` or `license_key`. */
  readonly type: string
  /** The access item, by the seller's identifier. */
  readonly id: string
  /** The parts of an access that the payment bought. */
  readonly scopes?: readonly [string, ...ReadonlyArray<string>]
}

/** What a payment bought. */
export interface AccessItem {
  /** The seller's own identifier. */
  readonly id: string
  /** The kind of access. */
  readonly type: string
  /** The payment that bought it; null where nobody registered it. */
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
  /** The kind of access: `access_token`, `signed_url`, `session` or `license_key`. */
  readonly type: string
  /** The access item, by the seller's identifier. */
  readonly id: string
  /** The part of an access, such as `read:detail` or `all`. */
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
  /** The agent that uses the service; the key's own where it is left out. */
  readonly agent_id?: string
  /** The most that is paid at a time without asking; null asks every time. */
  readonly auto_pay_limit?: PayableMoney | null
  /** The channel to try first; null for the service's choice. */
  readonly channel_preference?: string | null
  /** The only channels to pay by; every one of the service where it is left out. */
  readonly channels?: ReadonlyArray<string>
  /** The most that the agent may pay to the service in a period; null for no cap. */
  readonly spend_cap?: {
    /** The most of a period. */
    readonly amount: PayableMoney
    /** The UTC day, week from Monday, or month that is counted. */
    readonly period: "daily" | "weekly" | "monthly"
  } | null
  /** At which shares of the cap, in percent, the account is told. */
  readonly budget_alerts?: ReadonlyArray<number>
}

/** How an agent uses a service. */
export interface Install {
  /** `ins_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The agent, by the name that its account gave it. */
  readonly agent_id: string
  /** One-Time payments and invoices in this currency, up to this value, are paid without asking. */
  readonly auto_pay_limit: Money | null
  /** The channel to try first; null for the service's choice. */
  readonly channel_preference: string | null
  /** The only channels to pay by; empty for every one of the service. */
  readonly channels: ReadonlyArray<string>
  /** The most that the agent may pay to the service in a period; null for no cap. */
  readonly spend_cap: {
    /** The most of a period. */
    readonly amount: Money
    /** The UTC day, week from Monday, or month that is counted. */
    readonly period: "daily" | "weekly" | "monthly"
  } | null
  /** In percent of the cap. */
  readonly budget_alerts: ReadonlyArray<number>
  /** What the person has approved in the wallet; null for nothing. */
  readonly mandate: {
    /** `mnd_` and a UUIDv7. */
    readonly id: string
    /** `pending` until the person approves it in the wallet. */
    readonly status: "pending" | "active" | "revoked"
    /** The channel that holds it. */
    readonly channel: string
    /** Where the person approves it, while it is pending and the channel says so. */
    readonly approval_url?: string
  } | null
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
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

/** What `installs.uninstall` takes. */
export interface InstallsUninstallQuery {
  readonly agent_id?: string
}

/** The plan, and the agent that subscribes: by default that of the key. */
export interface SubscribeInput {
  /** The plan's id within its service. */
  readonly plan_id: string
  /** The plan's period; needed only where plans of one id differ by it. */
  readonly interval?: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  /** The agent that pays, and the person it pays for. */
  readonly payer?: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id?: string
    /** The person whom the agent pays for, by a name of the caller's. */
    readonly human_id?: string
  }
}

/** A new subscription, and the payment of its first period. */
export interface Subscribed extends Subscription {
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

/** What the seller's endpoint has asked. */
export interface ProveSubscriptionInput {
  /** The seller's challenge, which no other request has: the proof is for it alone. */
  readonly challenge: string
}

/** A proof of an active subscription whose period is paid, for one challenge. */
export interface SubscriptionProof {
  /** The subscription's id. */
  readonly subscription: string
  /** The secret that proves the subscription to its seller, once, for the challenge. */
  readonly token: string
  /** Until when the proof can be shown. */
  readonly expires_at: string
}

/** The proof that was shown, and what it is to open. */
export interface RedeemSubscriptionInput {
  /** The service that access is asked to. */
  readonly service_id: string
  /** The plan's id within its service. */
  readonly plan_id: string
  /** The seller's challenge, which no other request has: the proof is for it alone. */
  readonly challenge: string
  /** The token of the proof. */
  readonly token: string
  /** Until when the proof can be shown. */
  readonly expires_at: string
}

/** The proof is good: let the request through. */
export interface SubscriptionRedemption {
  /** The subscription's id. */
  readonly subscription: string
  /** The plan's id within its service. */
  readonly plan_id: string
  /** The agent that has subscribed. */
  readonly payer: string
  /** The payment of the current period; null for a period that is free. */
  readonly payment_intent: string | null
  /** When the proof was accepted. */
  readonly redeemed_at: string
  /** Until when the subscription is paid. */
  readonly current_period_end: string
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

/** What an agent has used, counted once for each idempotency_key. */
export interface UsageInput {
  /** The agent that used the service. */
  readonly agent_id: string
  /** The running bill, where the agent has several. */
  readonly tab?: string
  /** How much was used, as a decimal number. */
  readonly quantity: number | string
  /** When it was used; now where it is left out. */
  readonly occurred_at?: string
  /** The caller's own name of this use: the same again counts once. */
  readonly idempotency_key: string
}

/** Use that was counted. */
export interface UsageRecord {
  /** `use_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The agent, by the name that its account gave it. */
  readonly agent_id: string
  /** Units, as an exact decimal. */
  readonly quantity: string
  /** When it was used. */
  readonly occurred_at: string
  /** The seller's own name of this use. */
  readonly idempotency_key: string
  /** When it was made. */
  readonly created_at: string
}

/** The agent whose use is to count: by default that of the key. */
export interface StartUsageInput {
  /** The agent that pays, and the person it pays for. */
  readonly payer?: {
    /** The agent, by the name that its account gave it. */
    readonly agent_id?: string
    /** The person whom the agent pays for, by a name of the caller's. */
    readonly human_id?: string
  }
}

/** What an agent uses of a service, billed once a cycle. */
export interface Tab {
  /** `tab_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The agent, by the name that its account gave it. */
  readonly agent_id: string
  /** Use of an open tab counts. */
  readonly status: "open" | "closed"
  /** What is counted. */
  readonly unit: string
  /** Minor units for one unit, as an exact decimal. */
  readonly rate: string
  /** A currency by its ISO 4217 code, or a stablecoin. */
  readonly currency: string
  /** The period after which use is billed. */
  readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  /** Units in the current period. */
  readonly quantity: string
  readonly amount: Money
  /** When the period began. */
  readonly period_start: string
  /** When the period ends. */
  readonly period_end: string
  /** When it was made. */
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
  /** The time that the balances are of. */
  readonly as_of: string
  /** One for each currency. */
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
  /** One row for each day, channel and currency. */
  readonly rows: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    /** A channel by its name, such as `wallet_a`. */
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
  /** The sums of the rows, by currency. */
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
  /** Where a channel's statement and the ledger differ. */
  readonly discrepancies: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    /** What differs. */
    readonly kind:
      | "missing_at_channel"
      | "missing_at_service"
      | "amount_mismatch"
      | "status_mismatch"
      | "late_payment"
    /** The payment's id. */
    readonly payment_intent?: string
    /** A channel by its name, such as `wallet_a`. */
    readonly channel: string
    /** The channel's own number of what moved. */
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
  /** The runs. */
  readonly data: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    /** A channel by its name, such as `wallet_a`. */
    readonly channel: string
    /** How often it was compared. */
    readonly runs: number
    /** How often the statement could not be fetched in a row. */
    readonly failed_attempts: number
    /** Why the last try failed; null where it did not. */
    readonly failure: string | null
    /** When the day was compared; null before that. */
    readonly completed_at: string | null
    /** When it is tried again; null where it is not. */
    readonly next_run_at: string | null
    /** What was compared; null before that. */
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
        /** Whether money came or went back. */
        readonly kind: "payment" | "refund"
        /** Our number of the charge, as the channel has it. */
        readonly out_trade_no: string
        /** The channel's own number of what moved. */
        readonly trade_no: string
        /** The number of the request to the channel, where the line has one. */
        readonly number: string | null
        readonly amount: Money
        /** What the statement says of it. */
        readonly status: "pending" | "settled" | "failed"
        /** When, by the statement. */
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
  /** When the period began. */
  readonly period_start: string
  /** When the period ends. */
  readonly period_end: string
  /** The largest plan that the account had in the month. */
  readonly plan: "starter" | "pro" | "enterprise"
  readonly price: Money
  /** The metered operations, each with its count. */
  readonly operations: ReadonlyArray<{
    /** The metered operation. */
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
    /** How often it was done in the month. */
    readonly count: number
    /** How many the plan includes; null is any number. */
    readonly free_allowance: number | null
    /** How many are charged. */
    readonly billable: number
    /** US dollars for one, as an exact decimal. */
    readonly unit_price: string
    readonly cost: Money
  }>
  /** What was settled, and what of it is above the plan's cap. */
  readonly volume: {
    readonly total: Money
    /** The sum of each currency. */
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
export interface Statement extends MonthlyUsage {
  /** `stmt_` and a UUIDv7. */
  readonly id: string
  /** When the month was closed. */
  readonly created_at: string
}

/**
 * Either `agent_id`, `level` and what the level requires of `data`, or the answer to a code:
 * `verification_id` and `otp`.
 */
export interface KycVerifyInput {
  /** The agent, by the name that its account gave it. */
  readonly agent_id?: string
  /** The level that is asked for. */
  readonly level?: "anonymous" | "basic" | "enhanced" | "business"
  /** Who the agent acts for: what the level asks for. */
  readonly data?: {
    /** An address that a code is sent to. */
    readonly email?: string
    /** A phone with its country's prefix, which a code is sent to. */
    readonly phone?: string
    /** An ISO 3166 code of two letters. */
    readonly country?: string
    /** As the document has it. */
    readonly full_name?: string
    /** Such as `1985-12-10`. */
    readonly date_of_birth?: string
    /** The kind of document. */
    readonly document_type?: "passport" | "national_id" | "drivers_license"
    /** The number of the document. */
    readonly document_number?: string
    /** The business, as it is registered. */
    readonly business_name?: string
    /** The number that the business is registered under. */
    readonly registration_number?: string
    /** Who owns the business in the end. */
    readonly ubo_declaration?: {
      /** As the document has it. */
      readonly full_name: string
      /** The owner's share, in percent. */
      readonly ownership_pct: number
    }
  }
  /** Names that channels know the payer by, which make a document needless. */
  readonly channel_credentials?: {
    /** The payer's name at `wallet_a`. */
    readonly wallet_a_user_id?: string
    /** The payer's name at `wallet_b`. */
    readonly wallet_b_open_id?: string
  }
  /** The verification that `otp` belongs to. */
  readonly verification_id?: string
  /** The code that was sent. */
  readonly otp?: string
}

/** What an agent is verified by. */
export interface KycVerification extends KycVerificationSummary {
  readonly limits: KycLimits
  /** What the level unlocks. */
  readonly channels: ReadonlyArray<string>
  /** Whether a channel that knows its user made steps needless. */
  readonly channel_friction_reduced?: boolean
  /** The channels that know the payer, which made steps needless. */
  readonly friction_reduction_channels?: ReadonlyArray<string>
  readonly data: KycDataShown
}

/** What was submitted; a document's number by its end. Empty once it has been erased. */
export interface KycDataShown {
  /** An address that a code is sent to. */
  readonly email?: string
  /** A phone with its country's prefix, which a code is sent to. */
  readonly phone?: string
  /** An ISO 3166 code of two letters. */
  readonly country?: string
  /** As the document has it. */
  readonly full_name?: string
  /** Such as `1985-12-10`. */
  readonly date_of_birth?: string
  /** The kind of document. */
  readonly document_type?: "passport" | "national_id" | "drivers_license"
  /** The number of the document. */
  readonly document_number?: string
  /** The business, as it is registered. */
  readonly business_name?: string
  /** The number that the business is registered under. */
  readonly registration_number?: string
  /** Who owns the business in the end. */
  readonly ubo_declaration?: {
    /** As the document has it. */
    readonly full_name: string
    /** The owner's share, in percent. */
    readonly ownership_pct: number
  }
}

/** What an agent is verified for. */
export interface KycAgent {
  /** The agent, by the name that its account gave it. */
  readonly agent_id: string
  /** The level in force. */
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  /** What the level may pay, in whole US dollars. */
  readonly limits: KycLimits
  /** The channels that the level may pay through. */
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
  /** The agent that it is about. */
  readonly agent_id: string
  /** The level that was asked for. */
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  /** How far it is; `verified` unlocks the level. */
  readonly status: "unverified" | "pending" | "verified" | "rejected" | "expired"
  /** The code that has been sent, while it can be answered. */
  readonly challenge?: {
    /** `otp`: a code of six digits. */
    readonly type: string
    /** Where the code was sent: `email`, `sms`. */
    readonly channels: ReadonlyArray<string>
    /** Until when the code works. */
    readonly expires_at: string
  }
  /** Whether a person has to look at it. */
  readonly compliance_review_required?: boolean
  /** How long a review takes, in hours. */
  readonly estimated_review_time_hours?: number
  /** Why it was rejected. */
  readonly rejection_reason?: {
    /** Such as `document_mismatch`. */
    readonly code: string
    /** What went wrong, for people. */
    readonly message: string
    /** The fields that were wrong, each with why. */
    readonly details: {
      readonly [name: string]: string
    }
  }
  /** The appeal against the rejection. */
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
  /** The verification's id. */
  readonly verification_id: string
  /** Why the rejection was wrong. */
  readonly reason: string
}

/** An appeal against a rejection. It changes no level by itself. */
export interface KycAppeal {
  /** `appl_` and a UUIDv7. */
  readonly appeal_id: string
  /** The verification that it is about. */
  readonly verification_id: string
  /** `upheld`: the rejection stands. `overturned`: the verification has passed. */
  readonly status: "under_review" | "upheld" | "overturned"
  /** An ISO 8601 timestamp in UTC. */
  readonly estimated_resolution: string
  /** What happens next, for people. */
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
export interface KycReviewedVerification extends KycVerificationSummary {
  /** The account that submitted it. */
  readonly account_id: string
}

/** A verification with all that was submitted for it. */
export interface KycOpenedVerification extends KycVerificationSummary {
  /** The account's id. */
  readonly account_id: string
  readonly limits: KycLimits
  /** What the level unlocks. */
  readonly channels: ReadonlyArray<string>
  /** Whether a channel that knows its user made steps needless. */
  readonly channel_friction_reduced?: boolean
  /** The channels that know the payer, which made steps needless. */
  readonly friction_reduction_channels?: ReadonlyArray<string>
  readonly data: KycDataOpened
  readonly channel_credentials: KycCredentialsOpened
}

/** What was submitted, whole. Empty once it has been erased. */
export interface KycDataOpened {
  /** An address that a code is sent to. */
  readonly email?: string
  /** A phone with its country's prefix, which a code is sent to. */
  readonly phone?: string
  /** An ISO 3166 code of two letters. */
  readonly country?: string
  /** As the document has it. */
  readonly full_name?: string
  /** Such as `1985-12-10`. */
  readonly date_of_birth?: string
  /** The kind of document. */
  readonly document_type?: "passport" | "national_id" | "drivers_license"
  /** The number of the document. */
  readonly document_number?: string
  /** The business, as it is registered. */
  readonly business_name?: string
  /** The number that the business is registered under. */
  readonly registration_number?: string
  /** Who owns the business in the end. */
  readonly ubo_declaration?: {
    /** As the document has it. */
    readonly full_name: string
    /** The owner's share, in percent. */
    readonly ownership_pct: number
  }
}

/** What channels call the payer. */
export interface KycCredentialsOpened {
  /** The payer's name at `wallet_a`. */
  readonly wallet_a_user_id?: string
  /** The payer's name at `wallet_b`. */
  readonly wallet_b_open_id?: string
}

/** The decision, and why; the reason of a rejection is told to the account. */
export interface KycReviewInput {
  /** `approve` grants the level. */
  readonly decision: "approve" | "reject"
  /** Why it is rejected; needed then. */
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
export interface KycReviewedAppeal extends KycAppeal {
  /** The account's id. */
  readonly account_id: string
}

/** An appeal with its reason and the verification that it is about. */
export interface KycOpenedAppeal extends KycReviewedAppeal {
  /** Null once it has been erased. */
  readonly reason: string | null
  /** The verification that it is about. */
  readonly verification: KycOpenedVerification
}

/** `upheld`: the rejection stands. `overturned`: the verification passes. */
export interface KycAppealReviewInput {
  /** `overturned` grants the level after all. */
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
  /** When it happened. */
  readonly at: string
  /** `operator`, or `operator:` and what the header `X-Operator` said. */
  readonly actor: string
  /** What the operator did. */
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
  /** Further facts, by name. */
  readonly details: {
    readonly [name: string]: string | number | boolean | null
  }
  /** The hash of the entry before. */
  readonly previous_hash: string
  /** SHA-256 in 64 lower-case hex digits. */
  readonly hash: string
  /** Ed25519 under the installation's key, 86 base64url characters. */
  readonly signature: string
}

/** Whether the chain is whole; with `verify`. */
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
  /** When it happened. */
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
  /** The https address that events are sent to. */
  readonly url: string
  /** The account's own words about the endpoint. */
  readonly description?: string | null
  /** The events that it is sent; `*` means most of them. */
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
  /** A key of the endpoint's own; without one, the account's newest is used. */
  readonly encryption?: {
    /** An X25519 key of 32 bytes in base64, which bodies are encrypted for. */
    readonly public_key: string
    /** `x25519`. */
    readonly key_type?: "x25519"
  } | null
}

/** The endpoint with its secret. */
export interface NewWebhookEndpoint extends WebhookEndpoint {
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
  /** The https address that events are sent to. */
  readonly url: string
  /** The account's own words about the endpoint. */
  readonly description: string | null
  /** The events that it is sent; `*` means most of them. */
  readonly enabled_events: ReadonlyArray<string>
  /** Deliveries to a disabled endpoint are skipped. */
  readonly status: "enabled" | "disabled"
  /** Why it is disabled: you asked for it, or it failed for five days. */
  readonly disabled_reason: "requested" | "delivery_failures" | null
  /** When it was disabled; null while it is enabled. */
  readonly disabled_at: string | null
  /** The key that bodies to it are encrypted for; null for none. */
  readonly encryption: {
    /** Names the key; null without one. */
    readonly public_key_fingerprint: string | null
    /** `x25519`; null without a key. */
    readonly key_type: "x25519" | null
    /** Whether bodies to it are encrypted. */
    readonly enabled: boolean
  }
  /** When it was made. */
  readonly created_at: string
  /** When it was last changed. */
  readonly updated_at: string
}

/** What to change; what is left out stays. `encryption: null` removes the key. */
export interface WebhookEndpointChange {
  /** The https address that events are sent to. */
  readonly url?: string
  /** The account's own words about the endpoint. */
  readonly description?: string | null
  /** The events that it is sent; `*` means most of them. */
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
  /** A key of the endpoint's own; without one, the account's newest is used. */
  readonly encryption?: {
    /** An X25519 key of 32 bytes in base64, which bodies are encrypted for. */
    readonly public_key: string
    /** `x25519`. */
    readonly key_type?: "x25519"
  } | null
  /** `disabled` stops deliveries; `enabled` starts them again. */
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
  /** Why the secret is replaced, for the account's own log. */
  readonly reason: string
  /** For how many seconds the old secret signs beside the new one. */
  readonly grace_period_seconds?: number
  /** The endpoint whose secret is replaced; without it, it is the account's. */
  readonly endpoint_id?: string | null
}

/** The new secret, and what becomes of the old one. */
export interface RotatedSecret {
  /** The endpoint whose secret was replaced; null for the account's. */
  readonly endpoint_id: string | null
  /** Names the secret that was replaced. */
  readonly old_key_fingerprint: string
  /** Names the secret that signs from now on. */
  readonly new_key_fingerprint: string
  /** Until then both secrets sign. */
  readonly old_key_expires_at: string
  /** The new secret. */
  readonly secret: string
  /** When it was made. */
  readonly created_at: string
}

/** An X25519 public key, which webhooks are encrypted for from now on. */
export interface WebhookKeyInput {
  /** An X25519 key of 32 bytes in base64, which bodies are encrypted for. */
  readonly public_key: string
  /** `x25519`. */
  readonly key_type?: "x25519"
  /** The account's own name of the key. */
  readonly label?: string | null
}

/** A public key that webhooks are encrypted for. */
export interface WebhookKey {
  /** `whk_` and a UUIDv7. */
  readonly id: string
  /** `x25519`. */
  readonly key_type: "x25519"
  /** `fp_` and the first 16 hex digits of the SHA-256 of the key's 32 bytes. */
  readonly fingerprint: string
  /** The account's own name of the key. */
  readonly label: string | null
  /** When it was made. */
  readonly created_at: string
}

/** What `webhooks.listKeys` takes. */
export interface WebhooksListKeysQuery {
  readonly limit?: number
  readonly starting_after?: string
}

/** A PNG, JPEG, WebP or GIF of at most 8 MiB and 40 megapixels, in base64 or as a data URL. */
export interface ScanInput {
  /** A PNG, JPEG, WebP or GIF in base64, as it is or as a data URL. */
  readonly image: string
}

/** The QR codes of an image, and what to do with the first that can be paid. */
export interface ScanResult {
  /** Names the reading of this picture. */
  readonly scan_id: string
  /** Always `recognized`: a picture without a code is refused. */
  readonly status: "recognized"
  /** Always `image`. */
  readonly source: "image"
  /** The format of the picture, such as `png`. */
  readonly image_format: string
  /** `svc`: a link of payport; `emv`: a merchant code; `url`: an address of the web; `text`. */
  readonly raw_format: "svc" | "emv" | "url" | "text"
  /** Every code of the image, from top to bottom. */
  readonly detected_items: ReadonlyArray<{
    /** The channel that pays it; null without one. */
    readonly channel: string | null
    /** From 0 to 1: how sure it is that the code means what is shown. */
    readonly confidence: number
    /** Whether it is one payment's or printed once; null if unknown. */
    readonly qr_type: "dynamic" | "static" | null
    /** The symbol's, 1 to 40. */
    readonly qr_version: number | null
    /** In major units of the currency; null where the code leaves it open. */
    readonly amount: number | null
    /** The currency of `amount`; null if unknown. */
    readonly currency: string | null
    /** Who is paid, as far as the code says. */
    readonly merchant: {
      /** The merchant's id with its scheme. */
      readonly id: string | null
      /** The merchant's name. */
      readonly name: string | null
      /** The merchant's line of business. */
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
      /** What is wrong, for programs. */
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
      /** What is wrong, for people. */
      readonly message: string
    }>
    /** The fields of a merchant code; null for other codes. */
    readonly parsed_payload: EmvPayload | null
  }>
  /** Other channels that could pay it. */
  readonly alternative_channels_possible: ReadonlyArray<string>
  /** The fields of the first merchant code; null without one. */
  readonly parsed_payload: EmvPayload | null
  /** Null where nothing can be paid, and for damaged codes. */
  readonly recommended_action: {
    /** Whether to make a payment or to pay one that is there. */
    readonly type: "create_payment_intent" | "pay_payment_intent"
    /** The channel to pay by; null for the payer's choice. */
    readonly channel: string | null
    /** In major units of the currency; null where the code leaves it open. */
    readonly amount: number | null
    /** The currency of `amount`; null if unknown. */
    readonly currency: string | null
    /** Who is paid; null if unknown. */
    readonly merchant_id: string | null
    /** The payment's id. */
    readonly payment_intent_id?: string
    /** The request that does it, where one does. */
    readonly request?: {
      /** The request's method. */
      readonly method: "POST"
      /** The request's path. */
      readonly path: string
      /** The request's body; null without one. */
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
  /** Tag 00: `01`. */
  readonly payload_format_indicator: string | null
  /** `11` static, `12` dynamic. */
  readonly point_of_initiation_method: string | null
  /** Tags 02 to 51: whom each scheme pays. */
  readonly merchant_account_info: ReadonlyArray<{
    /** The tag's number. */
    readonly tag: string
    /** The scheme; null if unknown. */
    readonly vendor: string | null
    /** The channel that pays it; null without one. */
    readonly channel: string | null
    /** The scheme's own identifier. */
    readonly globally_unique_identifier: string | null
    /** What a tag without parts holds. */
    readonly value: string | null
    /** The parts of the tag, by their numbers. */
    readonly fields: {
      readonly [name: string]: string
    }
  }>
  /** Tag 52: the line of business, by ISO 18245. */
  readonly merchant_category_code: string | null
  /** The number of ISO 4217. */
  readonly transaction_currency: string | null
  /** As the code writes it. */
  readonly transaction_amount: string | null
  /** Tag 58: the country, by ISO 3166. */
  readonly country_code: string | null
  /** Tag 59: the merchant's name. */
  readonly merchant_name: string | null
  /** Tag 60: the merchant's city. */
  readonly merchant_city: string | null
  /** Tag 61: the postal code. */
  readonly postal_code: string | null
  /** Tag 55: whether a tip or a fee is added. */
  readonly tip_or_convenience_indicator: string | null
  /** Tag 56: the fee, as the code writes it. */
  readonly convenience_fee_fixed: string | null
  /** Tag 57: the fee in percent, as the code writes it. */
  readonly convenience_fee_percentage: string | null
  /** Tag 62: its parts, by their numbers. */
  readonly additional_data: {
    readonly [name: string]: string
  }
  /** Tag 64: its parts, by their numbers. */
  readonly merchant_information_language: {
    readonly [name: string]: string
  }
  /** Tag 63: the checksum, as the code has it. */
  readonly crc: string | null
  /** Whether the code's checksum is right. */
  readonly crc_valid: boolean
}

/**
 * What somebody wants in their own words, in English or Chinese. With `execute`, it is done
 * under the caller's key where nothing is missing.
 */
export interface QueryInput {
  /** What somebody wants, in English or Chinese. */
  readonly query: string
  /** What is known besides, such as the service that is meant. */
  readonly context?: {
    /** The service that is meant. */
    readonly service_id?: string
    /** The agent that pays, and the person it pays for. */
    readonly payer?: {
      /** The agent, by the name that its account gave it. */
      readonly agent_id?: string
      /** The person whom the agent pays for, by a name of the caller's. */
      readonly human_id?: string
    }
    /** The currency that is meant where the words name none. */
    readonly currency?: string
  }
  /** Whether the request that was understood is carried out under the caller's key. */
  readonly execute?: boolean
}

/** What a text was understood as, and the request that does it. */
export interface Understood {
  /** `nlq_` and a UUIDv7. */
  readonly id: string
  /** What is wanted; `unknown` where that is not clear. */
  readonly intent: "pay" | "subscribe" | "query_invoice" | "refund" | "void" | "scan_qr" | "unknown"
  /** From 0 to 1. */
  readonly confidence: number
  /** What the words name. */
  readonly entities: {
    /** The amount that is meant. */
    readonly amount?: Money
    /** The currency that is meant. */
    readonly currency?: string
    /** The service's name, or what was taken for one while none is found. */
    readonly service?: string
    /** The service that is meant. */
    readonly service_id?: string
    /** The plan's id within its service. */
    readonly plan_id?: string
    /** The length of a plan's period. */
    readonly interval?: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
    /** The state of the invoices that are meant. */
    readonly status?: "open" | "paid" | "void" | "uncollectible"
    /** The payment's id. */
    readonly payment_intent?: string
    /** Why a refund is asked for. */
    readonly reason?: string
  }
  /** What was done. */
  readonly action: {
    /** The request's method. */
    readonly method: "GET" | "POST"
    /** The request's path. */
    readonly path: string
    /** The body to send; null without one. */
    readonly body: {
      readonly [name: string]: unknown
    } | null
  } | null
  /** What still has to be said. */
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
  /** The words of the text that were not understood. While there are any, nothing is done. */
  readonly unread?: ReadonlyArray<string>
  /** One question, for the first thing that is missing, in the text's language. */
  readonly clarification?: string
  /** What the action answered, where it was carried out. */
  readonly result?: unknown
}

/** Up to 100 texts, each alone or with its context. None is carried out. */
export interface BatchInput {
  /** Up to 100 texts, each answered by itself. */
  readonly queries: ReadonlyArray<
    | string
    | {
        /** What somebody wants, in English or Chinese. */
        readonly query: string
        /** What is known besides, such as the service that is meant. */
        readonly context?: {
          /** The service that is meant. */
          readonly service_id?: string
          /** The agent that pays, and the person it pays for. */
          readonly payer?: {
            /** The agent, by the name that its account gave it. */
            readonly agent_id?: string
            /** The person whom the agent pays for, by a name of the caller's. */
            readonly human_id?: string
          }
          /** The currency that is meant where the words name none. */
          readonly currency?: string
        }
      }
  >
}

/** What each text was understood as, in the order of the queries. */
export interface UnderstoodBatch {
  /** The answers, in the order of the texts. */
  readonly results: ReadonlyArray<Understood>
}

/** What the payer's wallet does; `pay` goes as far as the flow can. */
export interface SimulateInput {
  /** What the payer or the channel does. */
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
  /** A channel by its name, such as `wallet_a`. */
  readonly channel: string
  /** What its callbacks are signed with. */
  readonly secret: string
  /** What it is told to do wrong. */
  readonly faults: ChannelFaults
}

/** What it is told to do wrong. */
export interface ChannelFaults {
  /** The channel is over its rate. */
  readonly rate_limited: boolean
  /** The channel makes no QR codes. */
  readonly qr_fails: boolean
  /** The channel makes no links. */
  readonly deeplink_fails: boolean
  /** Refunds are rejected at once. */
  readonly refund_rejects: boolean
  /** Refunds are taken on, and rejected when they should be confirmed. */
  readonly refund_rejects_late: boolean
  /** Debits are declined. */
  readonly auto_pay_declines: boolean
  /** Calls have their effect, and no answer. */
  readonly timeout: boolean
  /** The channel does not answer. */
  readonly down: boolean
  /** The channel refuses our credentials. */
  readonly credentials_invalid: boolean
  /** Callbacks come twice. */
  readonly duplicate_callbacks: boolean
  /** The statement leaves out every other line. */
  readonly statement_drops: boolean
  /** Every other line of the statement is off by one minor unit. */
  readonly statement_changes: boolean
  /** `manual` keeps captures from settling by themselves. */
  readonly settle: "automatic" | "manual"
  /** `manual` has a person approve each mandate in the sandbox's wallet. */
  readonly mandates: "automatic" | "manual"
}

/** The faults to switch on or off; the others stay as they are. */
export interface ChannelFaultsInput {
  /** The channel is over its rate. */
  readonly rate_limited?: boolean
  /** The channel makes no QR codes. */
  readonly qr_fails?: boolean
  /** The channel makes no links. */
  readonly deeplink_fails?: boolean
  /** Refunds are rejected at once. */
  readonly refund_rejects?: boolean
  /** Refunds are taken on, and rejected when they should be confirmed. */
  readonly refund_rejects_late?: boolean
  /** Debits are declined. */
  readonly auto_pay_declines?: boolean
  /** Calls have their effect, and no answer. */
  readonly timeout?: boolean
  /** The channel does not answer. */
  readonly down?: boolean
  /** The channel refuses our credentials. */
  readonly credentials_invalid?: boolean
  /** Callbacks come twice. */
  readonly duplicate_callbacks?: boolean
  /** The statement leaves out every other line. */
  readonly statement_drops?: boolean
  /** Every other line of the statement is off by one minor unit. */
  readonly statement_changes?: boolean
  /** `manual` keeps captures from settling by themselves. */
  readonly settle?: "automatic" | "manual"
  /** `manual` has a person approve each mandate in the sandbox's wallet. */
  readonly mandates?: "automatic" | "manual"
}

/** How far the clock goes forward. */
export interface AdvanceInput {
  /** How far the clock is moved. */
  readonly seconds: number
}

/** The service's time. */
export interface Advanced {
  /** The sandbox's time. */
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
  /** The message's id. */
  readonly id: string
  /** The verification's id. */
  readonly verification_id: string
  /** How it was sent. */
  readonly channel: "email" | "sms"
  /** Whom it was sent to. */
  readonly to: string
  /** Its subject. */
  readonly subject: string
  /** Its text, with the code. */
  readonly text: string
  /** When it was sent. */
  readonly sent_at: string
}
