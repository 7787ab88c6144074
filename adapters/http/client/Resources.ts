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
  | "INVOICE_UNPAID"
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
  /** Whether the account sells or buys. */
  readonly kind: "seller" | "buyer"
  /** The name of the account's agent. */
  readonly agent_id: string
  /** The seller's account at its channels. */
  readonly merchant_account?: string | null | undefined
  /** The account's plan. It determines rates and limits. */
  readonly plan?: "starter" | "pro" | "enterprise" | undefined
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
  /** The secret key. It is shown only once. */
  readonly key: string
  /** The time of creation. */
  readonly created_at: string
  /** When the key expires; null for never. */
  readonly expires_at: string | null
  /** The key's restrictions; null for a key that may do everything. */
  readonly restrictions: KeyRestrictions | null
}

/**
 * The groups of requests that the key may make (`read`, `pay`, `refund`,
 * `manage`), the services and agents that they may concern, the maximum of a
 * payment and of a period, and the addresses from which the key works. A missing
 * field does not restrict.
 */
export interface KeyRestrictions {
  /** The groups of requests that the key may make. */
  readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage">
  /** The only services that the key's requests may concern. */
  readonly services?: ReadonlyArray<string>
  /** The only agents that the key's requests may concern. */
  readonly agents?: ReadonlyArray<string>
  /** The IP addresses and CIDR blocks from which the key works. */
  readonly addresses?: ReadonlyArray<string>
  /** The maximum of a single payment. */
  readonly max_amount?: Money
  /** The maximum paid per period with the key and with the keys that it has issued. */
  readonly budget?: {
    /** The maximum per period. */
    readonly amount: Money
    /**
     * The budget's period: a UTC day, a week from Monday, a month, or the key's
     * lifetime.
     */
    readonly period: "daily" | "weekly" | "monthly" | "total"
  }
}

/** The maximum of a single payment. */
export interface Money {
  /** An ISO 4217 currency code, or a stablecoin's code. */
  readonly currency: string
  /** In minor units: 699 USD is 6.99. */
  readonly value: number
}

/** What `accounts.list` takes. */
export interface AccountsListQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly kind?: "seller" | "buyer" | undefined
  readonly plan?: "starter" | "pro" | "enterprise" | undefined
  readonly agent_id?: string | undefined
}

/** A seller or a buyer, and the agent that it acts as. */
export interface Account {
  /** `acct_` and a UUIDv7. */
  readonly id: string
  /** The account's name. */
  readonly name: string
  /** Whether the account sells or buys. */
  readonly kind: "seller" | "buyer"
  /** The agent that the account acts as. */
  readonly agent_id: string
  /** The seller's account at its channels; null if it has none. */
  readonly merchant_account: string | null
  /** The account's plan. It determines rates and limits. */
  readonly plan: "starter" | "pro" | "enterprise"
  /** The time of creation. */
  readonly created_at: string
  /** When an operator suspended the account's keys; null if they work. */
  readonly suspended_at: string | null
}

/** The plan to move to. */
export interface PlanInput {
  /** The account's plan. It determines rates and limits. */
  readonly plan: "starter" | "pro" | "enterprise"
}

/** What `accounts.listKeys` takes. */
export interface AccountsListKeysQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** A key without its secret. */
export interface ApiKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The first characters of the key. */
  readonly hint: string
  /** The time of creation. */
  readonly created_at: string
  /** When the key expires; null for never. */
  readonly expires_at: string | null
  /** When the key was revoked; null if it was not. */
  readonly revoked_at: string | null
  /**
   * The key that issued this key; null for a first key, which no key has issued.
   * For a first key that was rolled, the key that replaced it.
   */
  readonly minted_by: string | null
  /** The key's restrictions; null for a key that may do everything. */
  readonly restrictions: KeyRestrictions | null
  readonly budget_spent?: Money
  /** When an operator suspended the key; null if it is not suspended. */
  readonly suspended_at: string | null
  /**
   * The program that received the key from a person over OAuth; null for other
   * keys.
   */
  readonly oauth: OauthGrant | null
}

/** The program that received this key from a person over OAuth. */
export interface OauthGrant {
  /** The program's name as it states it. It is not verified. */
  readonly client_name: string
  /** The URL that received the authorization. */
  readonly redirect_uri: string
  /** The only address at which the key works. */
  readonly resource: string
}

/** Which keys are suspended. */
export interface SuspendKeyInput {
  /** Whether the keys that it has issued, directly or through others, follow it. */
  readonly cascade?: boolean | undefined
}

/** The key's expiry, if any, and its restrictions. */
export interface KeyInput {
  /** When the key expires. Default: never. */
  readonly expires_at?: string | null | undefined
  /** The key's restrictions. A missing field is as for the issuing key. */
  readonly restrictions?:
    | {
        /** The groups of requests that the key may make. */
        readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage"> | undefined
        /** The only services that the key's requests may concern. */
        readonly services?: ReadonlyArray<string> | undefined
        /** The only agents that the key's requests may concern. */
        readonly agents?: ReadonlyArray<string> | undefined
        /** The IP addresses and CIDR blocks from which the key works. */
        readonly addresses?: ReadonlyArray<string> | undefined
        /** The maximum of a single payment. */
        readonly max_amount?: PayableMoney | undefined
        /** The maximum paid per period with the key and with the keys that it has issued. */
        readonly budget?:
          | {
              /** The maximum per period. */
              readonly amount: PayableMoney
              /**
               * The budget's period: a UTC day, a week from Monday, a month, or the key's
               * lifetime.
               */
              readonly period: "daily" | "weekly" | "monthly" | "total"
            }
          | undefined
        /** When the program's access ends. */
        readonly expires_at?: string | undefined
      }
    | null
    | undefined
}

/** The maximum of a single payment. */
export interface PayableMoney {
  /** An ISO 4217 currency code, or a stablecoin's code. */
  readonly currency: string
  /** In minor units: 699 USD is 6.99. */
  readonly value: number
}

/** What `keys.list` takes. */
export interface KeysListQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** How long the replaced key keeps working. */
export interface RollInput {
  /** For how many seconds the old key keeps working beside the new one. */
  readonly grace_period_seconds?: number | undefined
  /** Whether the keys that it has issued end with it. */
  readonly cascade?: boolean | undefined
}

/** The new key, and when the old key stops working. */
export interface RolledKey {
  /** `key_` and a UUIDv7. */
  readonly id: string
  /** The secret key. It is shown only once. */
  readonly key: string
  /** The time of creation. */
  readonly created_at: string
  /** When the key expires; null for never. */
  readonly expires_at: string | null
  /** The key's restrictions; null for a key that may do everything. */
  readonly restrictions: KeyRestrictions | null
  /** The replaced key and when it stops working. */
  readonly replaces: {
    /** The old key's id. */
    readonly id: string
    /** When the old key stops working. */
    readonly expires_at: string
  }
}

/** What `keys.revoke` takes. */
export interface KeysRevokeQuery {
  readonly cascade?: boolean | undefined
}

/** What `oauth.show` takes. */
export interface OauthShowQuery {
  readonly response_type: "code"
  readonly client_id: string
  readonly redirect_uri: string
  readonly code_challenge: string
  readonly code_challenge_method: "S256"
  readonly state?: string | undefined
  readonly scope?: string | undefined
  readonly resource?: string | undefined
}

/** A program's request for access over OAuth. */
export interface Authorization {
  /** The program's name as it states it. It is not verified. */
  readonly client_name: string
  /**
   * The host of the program's metadata document; null if the program registered
   * here.
   */
  readonly client_host: string | null
  /** The host that receives the answer. */
  readonly redirect_host: string
  /** Whether that host is the person's own machine. */
  readonly is_local: boolean
  /** The only address at which the key will work. */
  readonly resource: string
  /** The scopes that the program requests. */
  readonly scopes: ReadonlyArray<"read" | "pay">
  /** The URL for the person's browser if the person refuses. */
  readonly deny_to: string
}

/** The program's unchanged request, and the limits that the person chose. */
export interface AuthorizeInput {
  /** The program's authorization request, unchanged. */
  readonly request: {
    /** Always `code`. */
    readonly response_type: "code"
    /** The program: the id of its registration, or the URL of its metadata document. */
    readonly client_id: string
    /** The URL to which the person's browser returns. */
    readonly redirect_uri: string
    /** The SHA-256 of the program's code verifier, in base64url (PKCE). */
    readonly code_challenge: string
    /** Always `S256`. */
    readonly code_challenge_method: "S256"
    /** A value of the program, which is returned unchanged. */
    readonly state?: string | undefined
    /** The requested scopes, separated by spaces: `read`, `pay`. */
    readonly scope?: string | undefined
    /** The address of the tools that the program wants to use. Default: `/mcp`. */
    readonly resource?: string | undefined
  }
  /** The limits that the person sets. */
  readonly restrictions: {
    /** The groups of requests that the key may make. */
    readonly routes?: ReadonlyArray<"read" | "pay" | "refund" | "manage"> | undefined
    /** The only services that the key's requests may concern. */
    readonly services?: ReadonlyArray<string> | undefined
    /** The only agents that the key's requests may concern. */
    readonly agents?: ReadonlyArray<string> | undefined
    /** The IP addresses and CIDR blocks from which the key works. */
    readonly addresses?: ReadonlyArray<string> | undefined
    /** The maximum of a single payment. */
    readonly max_amount?: PayableMoney | undefined
    /** The maximum paid per period with the key and with the keys that it has issued. */
    readonly budget?:
      | {
          /** The maximum per period. */
          readonly amount: PayableMoney
          /**
           * The budget's period: a UTC day, a week from Monday, a month, or the key's
           * lifetime.
           */
          readonly period: "daily" | "weekly" | "monthly" | "total"
        }
      | undefined
    /** When the program's access ends. */
    readonly expires_at?: string | undefined
  }
}

/**
 * A key for a program. The program exchanges the code for the key within a
 * minute.
 */
export interface Authorized {
  /** The URL for the person's browser: the program's address with a code. */
  readonly redirect_to: string
  /** The id of the program's key. */
  readonly api_key_id: string
  /** When the key expires. */
  readonly expires_at: string
}

/** What `accountLog.list` takes. */
export interface AccountLogListQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/**
 * A change of a key, secret, endpoint or limit of the account, or an act of a
 * restricted key. `api_key.used`: it moved money. `api_key.refused`: its
 * restrictions refused a request. `api_key.seen`: its first use of a UTC day
 * from an address to read, pay, refund or manage.
 */
export interface LogEntry {
  /** `log_` and a UUIDv7. */
  readonly id: string
  /** The time of the entry. */
  readonly at: string
  /** The id of the acting key, or `operator`. */
  readonly actor: string
  /** The action. */
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
    | "service.endpoint_changed"
    | "listing.deleted"
  /** The id of the affected record. */
  readonly target: string
  /** Further details, by name. */
  readonly details: {
    readonly [name: string]: string | number | boolean | null
  }
}

/**
 * A seller's service. If the seller already has a service of that name, it is
 * updated.
 */
export interface ManifestInput {
  /** The service's name for buyers. It is unique among the seller's services. */
  readonly name: string
  /** What the service does, described for buyers and their agents. */
  readonly description: string
  /** The payment methods of the service. */
  readonly payment_methods: {
    /** Paid once for each use. */
    readonly one_time?: boolean | undefined
    /** Metered use, billed each period. */
    readonly cumulative?: boolean | undefined
    /** Plans, paid each period. */
    readonly subscription?: boolean | undefined
  }
  /** The prices, for each payment method. */
  readonly pricing: {
    /** The prices of one use. */
    readonly one_time?:
      | ReadonlyArray<{
          /** The price in minor units of `currency`: 699 USD is 6.99. */
          readonly amount: number
          /** An ISO 4217 currency code, or a stablecoin's code. */
          readonly currency: string
          /** What the price buys, described for payers. */
          readonly label: string
        }>
      | undefined
    /** With `one_time`: a payer who scans the printed code may also enter an amount. */
    readonly open_amount?:
      | {
          /** An ISO 4217 currency code, or a stablecoin's code. */
          readonly currency: string
          /** The minimum that the payer may enter, in minor units of `currency`. */
          readonly minimum?: number | undefined
          /** The maximum that the payer may enter, in minor units of `currency`. */
          readonly maximum?: number | undefined
        }
      | undefined
    /** The price of metered use, which is billed each period. */
    readonly cumulative?:
      | {
          /** The unit that is counted, in words. */
          readonly unit: string
          /**
           * The price of one unit in minor units of `currency`, with up to 6 decimals. A
           * period's use is rounded once: half to even, or up if the agent's tab was
           * closed in it.
           */
          readonly rate: number | string
          /** The period after which use is billed. */
          readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
          /** The currency of the rate. Default: the settlement currency. */
          readonly currency?: string | undefined
        }
      | undefined
    /** The plans that are paid every period. */
    readonly subscription?:
      | ReadonlyArray<{
          /** The plan's id within its service. */
          readonly plan_id: string
          /** The plan's name for buyers. */
          readonly name: string
          /** The price of a period in minor units of `currency`: 699 USD is 6.99. */
          readonly amount: number
          /** An ISO 4217 currency code, or a stablecoin's code. */
          readonly currency: string
          /** The length of a plan's period. */
          readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
          /** The plan's features, in words. */
          readonly features?: ReadonlyArray<string> | undefined
        }>
      | undefined
  }
  /** The channels that the service accepts. */
  readonly accepted_channels: readonly [string, ...ReadonlyArray<string>]
  /** `dynamic`: one code per payment. `static`: one code to print. */
  readonly qr_mode: "dynamic" | "static"
  /** The currency that the seller is paid in. */
  readonly settlement_currency: string
  /** The https URL that is notified of payments and revocations. */
  readonly endpoint: string
  /** Search terms for the service. */
  readonly tags?: ReadonlyArray<string> | undefined
  /** The channel for payments that name none. */
  readonly default_channel?: string | null | undefined
  /** The channel to use when a payment's own is rate limited or unavailable. */
  readonly fallback_channel?: string | null | undefined
  /** What refunds revoke by default. */
  readonly revocation_policy?:
    | {
        /** Whether a refund revokes access automatically. */
        readonly auto_revoke_on_refund?: boolean | undefined
        /** The access that is revoked automatically. */
        readonly default_targets?:
          | ReadonlyArray<{
              /** The kind of access to revoke. */
              readonly type: "access_token" | "signed_url" | "session" | "license_key"
              /** The scope of the access, such as `read:detail` or `all`. */
              readonly scope?: string | undefined
            }>
          | undefined
        /** Whether the endpoint is notified of revocations. */
        readonly webhook_on_revoke?: boolean | undefined
        /** Whether revoking an unregistered access item fails. */
        readonly strict?: boolean | undefined
        /** The seller's endpoint that is called to revoke access. */
        readonly revoke_url?: string | undefined
      }
    | null
    | undefined
}

/** A registered service. */
export interface ServiceManifest extends ServiceSummary {
  /** `dynamic`: one code per payment. `static`: one code to print. */
  readonly qr_mode: "dynamic" | "static"
  /** The currency that the seller is paid in. */
  readonly settlement_currency: string
  /** The URL that receives payment events. Shown to the owner only. */
  readonly endpoint?: string
  /** The channel for payments that name none; null means the service's choice. */
  readonly default_channel: string | null
  /**
   * The channel to use when a payment's own is rate limited or unavailable; null
   * for none.
   */
  readonly fallback_channel: string | null
  /** What refunds revoke by default; null for nothing. */
  readonly revocation_policy: {
    /** Whether a refund revokes access automatically. */
    readonly auto_revoke_on_refund?: boolean
    /** The access that is revoked automatically. */
    readonly default_targets?: ReadonlyArray<{
      /** The kind of access to revoke. */
      readonly type: string
      /** The scope of the access, such as `read:detail` or `all`. */
      readonly scope?: string
    }>
    /** Whether the endpoint is notified of revocations. */
    readonly webhook_on_revoke?: boolean
    /** Whether revoking an unregistered access item fails. */
    readonly strict?: boolean
    /** The seller's endpoint that revokes access. Shown to the owner only. */
    readonly revoke_url?: string
  } | null
  /** The time of creation. */
  readonly created_at: string
  /** The time of the last change. */
  readonly updated_at: string
}

/** The payment methods of a service. */
export interface PaymentMethods {
  /** Paid once for each use. */
  readonly one_time?: boolean
  /** Metered use, billed each period. */
  readonly cumulative?: boolean
  /** Plans, paid each period. */
  readonly subscription?: boolean
}

/** The prices of a service, one entry for each payment method that is enabled. */
export interface Pricing {
  /** The prices of one use. */
  readonly one_time?: ReadonlyArray<{
    /** The price in minor units of `currency`: 699 USD is 6.99. */
    readonly amount: number
    /** An ISO 4217 currency code, or a stablecoin's code. */
    readonly currency: string
    /** What the price buys, described for payers. */
    readonly label: string
  }>
  /** With `one_time`: a payer who scans the printed code may also enter an amount. */
  readonly open_amount?: {
    /** An ISO 4217 currency code, or a stablecoin's code. */
    readonly currency: string
    /** The minimum that the payer may enter, in minor units of `currency`. */
    readonly minimum?: number
    /** The maximum that the payer may enter, in minor units of `currency`. */
    readonly maximum?: number
  }
  /** The price of metered use, which is billed each period. */
  readonly cumulative?: {
    /** The unit that is counted, in words. */
    readonly unit: string
    /**
     * The price of one unit in minor units of `currency`, with up to 6 decimals. A
     * period's use is rounded once: half to even, or up if the agent's tab was
     * closed in it.
     */
    readonly rate: number | string
    /** The period after which use is billed. */
    readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
    /** The currency of the rate. Default: the settlement currency. */
    readonly currency?: string
  }
  /** The plans that are paid every period. */
  readonly subscription?: ReadonlyArray<{
    /** The plan's id within its service. */
    readonly plan_id: string
    /** The plan's name for buyers. */
    readonly name: string
    /** The price of a period in minor units of `currency`: 699 USD is 6.99. */
    readonly amount: number
    /** An ISO 4217 currency code, or a stablecoin's code. */
    readonly currency: string
    /** The length of a plan's period. */
    readonly interval: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
    /** The plan's features, in words. */
    readonly features: ReadonlyArray<string>
  }>
}

/** What `services.search` takes. */
export interface ServicesSearchQuery {
  readonly q?: string | undefined
  readonly channel?: string | undefined
  readonly payment_method?: "one_time" | "cumulative" | "subscription" | undefined
  readonly status?: "draft" | "active" | "paused" | "deprecated" | "deleted" | undefined
  readonly own?: boolean | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** A service in search results. */
export interface ServiceSummary {
  /** The service's id, a UUIDv7. */
  readonly id: string
  /** The service's name, in the seller's words. */
  readonly name: string
  /** What the service does, in the seller's words. */
  readonly description: string
  /** The service's state. `active` services take payments. */
  readonly status: "draft" | "active" | "paused" | "deprecated" | "deleted"
  /** `true` for deprecated services, which take no new payments. */
  readonly stale?: true
  readonly payment_methods: PaymentMethods
  readonly pricing: Pricing
  /** The channels that the service accepts. */
  readonly accepted_channels: ReadonlyArray<string>
  /** Search terms for the service. */
  readonly tags: ReadonlyArray<string>
  /**
   * The x402 resources of the service that do not match their listing, at most
   * three.
   */
  readonly not_held?: ReadonlyArray<{
    /** The resource's URL. */
    readonly resource: string
    /** The HTTP method of the resource. */
    readonly method: string
    /**
     * `silent`: the resource asks for no payment to its seller.
     * `priced_differently`: it asks for another price.
     */
    readonly standing: "silent" | "priced_differently"
    /** Since when the resource has not matched its listing. */
    readonly since: string
    readonly listed: Money
    readonly seen?: Money
  }>
}

/** What `services.qr` takes. */
export interface ServicesQrQuery {
  readonly channel?: string | undefined
}

/** The static code of a service, for one of its channels. */
export interface ServiceQr {
  /** The service's id. */
  readonly service_id: string
  /** The channel that the code is for. */
  readonly channel: string
  /** The content of the QR code. */
  readonly qr_data: string
  /** The code's web page, which any phone opens. The payer picks a price there. */
  readonly scan_url: string
}

/** What `services.qrPng` takes. */
export interface ServicesQrPngQuery {
  readonly channel?: string | undefined
}

/** What `services.qrSvg` takes. */
export interface ServicesQrSvgQuery {
  readonly channel?: string | undefined
}

/** A payment channel. */
export interface Channel {
  /** The channel's name, such as `wallet_a`. */
  readonly channel: string
  /** The channel's name for people. */
  readonly label: string
  /** The kind of channel. */
  readonly kind: "consumer_wallet" | "bank_linked" | "business" | "stablecoin"
  /** The channel's rules for refunds. */
  readonly refunds: {
    /** The channel's type. It determines the refund rules. */
    readonly type: 1 | 2 | 3
    /** The maximum number of partial refunds of a payment; null means unlimited. */
    readonly max_partial_refunds: number | null
    /** The number of days after a payment in which the channel accepts refunds. */
    readonly window_days: number
    /** The maximum number of requests per second. */
    readonly rate_per_second: number | null
  }
  /** Whether the channel offers links that open a wallet. */
  readonly deep_links: boolean
  /**
   * Whether a capture may take less than the authorized amount. The rest is
   * released.
   */
  readonly partial_capture: boolean
  /** How soon captured money is settled. */
  readonly settles: "real_time" | "t_plus_1"
  /** The channel's network fee in basis points of the amount. */
  readonly network_fee_basis_points: number
  /** The currencies that the channel takes. */
  readonly currencies: ReadonlyArray<string> | "every"
  /** The lowest level that may pay by the channel. */
  readonly kyc_level: "anonymous" | "basic" | "enhanced" | "business"
  /** The currency to which a stablecoin is pegged. */
  readonly pegged_to?: string
  /** The schemes of merchant QR codes that the channel pays. */
  readonly qr_schemes?: ReadonlyArray<string>
  /** The channel's current health. */
  readonly health: "up" | "rate_limited" | "down"
}

/** The amount to pay, and the service. */
export interface CreateIntentInput {
  /** The service's id. */
  readonly service_id: string
  /** Always `one_time`. */
  readonly type: "one_time"
  /** The amount to pay: a price of the service, in its currency. */
  readonly amount: PayableMoney
  /** The purchase, described for the payer. */
  readonly description: string
  /** The channel that the payer wants. Default: the service's choice. */
  readonly payer_channel?: string | undefined
  /** The agent that pays, and the person it pays for. */
  readonly payer?:
    | {
        /** The agent's id, chosen by its account. */
        readonly agent_id?: string | undefined
        /** The id of the person whom the agent pays for, chosen by the caller. */
        readonly human_id?: string | undefined
      }
    | undefined
  /** The URL to which the payer's browser returns after the payment. */
  readonly return_url?: string | undefined
  /** The caller's own data. It is stored and shown, and has no other effect. */
  readonly metadata?:
    | {
        readonly [name: string]: Json
      }
    | undefined
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
   * Request Payment: pending, qr_generated, scanning, authorized, captured,
   * succeeded. One-Time Pay: pending, completed. Both: failed, expired, cancelled,
   * voided.
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
  /** The amount that the payer pays. */
  readonly amount: Money
  readonly captured_amount?: Money
  readonly refunded_amount?: Money
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
  /**
   * The payment's fees, shown only to its payee. They are charged when it has
   * succeeded. Null until the payer has chosen a channel. After a capture they are
   * based on the captured amount.
   */
  readonly fees?: Fees | null
  /** The purchase, described for the payer. */
  readonly description: string
  /** The agent that pays, and the person it pays for. */
  readonly payer: {
    /** The agent that pays; null if unknown. */
    readonly agent_id: string | null
    /** The person whom the agent pays for; null if unknown. */
    readonly human_id: string | null
    /** The id of the paying wallet at the channel. */
    readonly wallet_id?: string
  }
  /** The seller. */
  readonly payee: {
    /** The agent's id, chosen by its account. */
    readonly agent_id: string
    /** The seller's account at its channels; null if it has none. */
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
    /** The content of the QR code. */
    readonly qr_data: string
  } | null
  /** One QR code per channel, where the payer has the choice. */
  readonly channels?: ReadonlyArray<{
    /** The channel that the code is for. */
    readonly channel: string
    /** The content of the QR code. */
    readonly qr_data: string
    /** The address of a page with the QR code. */
    readonly scan_url: string
    /** The channel's name for people. */
    readonly label: string
  }>
  /** The text to show to the payer. */
  readonly payer_prompt?: string
  /** The link for the payer's wallet. One-Time Pay only. */
  readonly deeplink?: string
  /** When the payer scanned the code. */
  readonly scanned_at?: string
  /** When the payer authorized the payment. */
  readonly authorized_at?: string
  /** When the payee captured the payment. */
  readonly captured_at?: string
  /** When the channel settled the payment. */
  readonly succeeded_at?: string
  /** The channel's transaction number. */
  readonly channel_txn_id?: string
  /** Present while the channel has not confirmed whether it carried out a request. */
  readonly channel_outcome?: "unknown"
  /** Why the payment failed, for programs. */
  readonly failure_code?: string
  /** Why the payment failed, for people. */
  readonly failure_message?: string
  /** Whether an install's mandate paid, without asking a person. */
  readonly auto_paid?: boolean
  /** The URL to which the payer's browser returns after the payment. */
  readonly return_url?: string
  /** The invoice that the payment pays. Only for payments of invoices. */
  readonly invoice?: string
  /** The caller's own data; null for none. */
  readonly metadata: {
    readonly [name: string]: unknown
  } | null
  /** The time of creation. */
  readonly created_at: string
  /** When the payment expires. */
  readonly expires_at: string
}

/**
 * `service` is the service's own fee, `channel` the channel's network fee,
 * passed through. `fx_spread` is the difference between the settlement and the
 * mid-market rate. The settlement already includes it, so that it is not charged
 * again.
 */
export interface Fees {
  readonly service: Money
  readonly fx_spread: Money
  readonly channel: Money
  readonly total: Money
}

/** What `intents.list` takes. */
export interface IntentsListQuery {
  readonly service_id?: string | undefined
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
    | undefined
  readonly created_after?: string | undefined
  readonly created_before?: string | undefined
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/**
 * The history of a payment, oldest first, as far as the caller may see it:
 * states, callbacks of the channel and calls to it (payee), refunds,
 * revocations, journals of the ledger, events and deliveries.
 */
export interface PaymentTimeline {
  /** The entries, oldest first. */
  readonly data: ReadonlyArray<TimelineEntry>
  /** Whether the list is complete. If not, it has the oldest entries of each kind. */
  readonly complete: boolean
}

/** One thing that happened to a payment. */
export type TimelineEntry =
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "status"
      /** The time of the entry. */
      readonly at: string
      /** The payment's new state. */
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
      /** The kind of entry. The field of that name has the details. */
      readonly type: "channel_request"
      /** The time of the entry. */
      readonly at: string
      /** What the channel was asked to do. */
      readonly channel_request: {
        /** The number under which the channel knows the request. */
        readonly id: string
        /** What the channel was asked to do. */
        readonly action: "capture" | "release" | "close" | "refund" | "debit"
        /** The channel's name, such as `wallet_a`. */
        readonly channel: string
        /** The channel's answer. If it is `unknown`, the channel is asked again. */
        readonly status: "outstanding" | "unknown" | "done" | "refused"
        /** The number of calls and queries to the channel. */
        readonly attempts: number
        readonly amount: Money
        /** The channel's transaction number; null if it has given none yet. */
        readonly trade_no: string | null
        /** The id of the refund; null for other requests. */
        readonly refund: string | null
        /** Why the channel refused. */
        readonly failure?: string
      }
    }
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "callback"
      /** The time of the entry. */
      readonly at: string
      /** The channel's message. */
      readonly callback: {
        /** The callback's id. */
        readonly id: string
        /** The channel's name, such as `wallet_a`. */
        readonly channel: string
        /** Whether the message is about a charge or a refund. */
        readonly about: "charge" | "refund"
        /** The channel's number of the trade, or our number of the refund request. */
        readonly number: string
        /** The status that the channel reported. */
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
         * The result of the message. `late`: the money is returned. `contradicts` and
         * `refused` are also in the reconciliation report.
         */
        readonly result: "acted_on" | "nothing_new" | "late" | "contradicts" | "refused"
        /** The minimum number of times that the channel has sent the message. */
        readonly times: number
        /** When the message last arrived. */
        readonly last_at: string
      }
    }
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "refund"
      /** The time of the entry. */
      readonly at: string
      /** The refund in its current state. */
      readonly refund: {
        /** The refund's id. */
        readonly id: string
        /** The current state. */
        readonly status: "pending" | "succeeded" | "failed"
        readonly amount: Money
        /** The payee's reason for the refund. */
        readonly reason: string | null
      }
    }
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "journal"
      /** The time of the entry. */
      readonly at: string
      /** The rows that were entered in the ledger. */
      readonly journal: ReadonlyArray<LedgerEntry>
    }
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "revocation"
      /** The time of the entry. */
      readonly at: string
      /** The revocation of an access item. */
      readonly revocation: {
        /** The refund's id. */
        readonly refund: string
        /** The kind of access item. */
        readonly target_type: string
        /** The access item's id, chosen by the seller. */
        readonly target_id: string
        /** The scope of the access, such as `read:detail` or `all`. */
        readonly scope: string
        /** The current state. */
        readonly status: "pending" | "revoked" | "failed" | "expired"
        /** The number of attempts so far. */
        readonly attempts: number
        /** Why the last attempt failed; null if it did not fail. */
        readonly error: {
          /** The error code, for programs. */
          readonly code: string
          /** The error message, for people. */
          readonly message: string
        } | null
      }
    }
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "event"
      /** The time of the entry. */
      readonly at: string
      /** The event that was sent. */
      readonly event: Event
    }
  | {
      /** The kind of entry. The field of that name has the details. */
      readonly type: "delivery"
      /** The time of the entry. */
      readonly at: string
      /** The delivery of an event. */
      readonly delivery: WebhookDelivery
    }

/** One row of an account's double-entry books. */
export interface LedgerEntry {
  /** The entry's id. */
  readonly id: string
  /** The journal's id. The rows of a journal sum to zero in each currency. */
  readonly journal: string
  /** The kind of journal. */
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
  /** The ledger account that the row changes. */
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
  /** The channel that holds the money; null for none. */
  readonly channel: string | null
  readonly amount: Money
  /** The id of the payment; null for none. */
  readonly payment_intent: string | null
  /** The id of the refund, or of the request that returns late money. */
  readonly refund: string | null
  /** The time of creation. */
  readonly created_at: string
}

/** The event that was sent. */
export interface Event {
  /** The event's id. Use it to detect duplicates. */
  readonly id: string
  /** The event's name. */
  readonly type: string
  /** The id of the service; null for other events. */
  readonly service_id: string | null
  /** The event's data. Its fields depend on the event's type. */
  readonly data: {
    readonly [name: string]: unknown
  }
  /** The time of the event. */
  readonly created_at: string
}

/** The delivery of an event. */
export interface WebhookDelivery {
  /** `wd_` and a UUIDv7. */
  readonly id: string
  /** The endpoint's id; null if the receiver is a service's own endpoint. */
  readonly endpoint_id: string | null
  /** The service whose own endpoint is the receiver; null for registered endpoints. */
  readonly service_id: string | null
  /** The event's id. */
  readonly event_id: string
  /** The event's name. */
  readonly event_type: string
  /** The receiver's URL. */
  readonly url: string
  /** The delivery's state; `skipped` if the endpoint was gone. */
  readonly status: "pending" | "delivering" | "delivered" | "failed" | "skipped"
  /** The attempts so far. */
  readonly attempts: ReadonlyArray<{
    /** The number of the attempt, from 1. */
    readonly attempt: number
    /** The receiver's HTTP status; null without an answer. */
    readonly status: number | null
    /** When the attempt was made. */
    readonly at: string
    /** The receiver's response time in milliseconds. */
    readonly duration_ms: number
    /** Why there was no answer. */
    readonly error?: string
    /** The first KiB of the answer. */
    readonly response?: string
  }>
  /**
   * Why the delivery ended without an answer: webhook_endpoint_disabled,
   * webhook_key_not_found.
   */
  readonly error: string | null
  /** When the next attempt is made; null if there is none. */
  readonly next_attempt_at: string | null
  /** The delivery that this one repeats; null if it is not a replay. */
  readonly replay_of: string | null
  /** The time of creation. */
  readonly created_at: string
}

/** What `intents.qr` takes. */
export interface IntentsQrQuery {
  readonly channel?: string | undefined
}

/** The code of a payment, for one of its channels. */
export interface PaymentIntentQr {
  /** The payment's id. */
  readonly payment_intent_id: string
  /** The channel that the code is for. */
  readonly channel: string
  /** The content of the QR code. */
  readonly qr_data: string
}

/** What `intents.qrPng` takes. */
export interface IntentsQrPngQuery {
  readonly channel?: string | undefined
}

/** What `intents.qrSvg` takes. */
export interface IntentsQrSvgQuery {
  readonly channel?: string | undefined
}

/** The amount to capture. The body can be omitted. */
export interface CaptureInput {
  /**
   * The amount to capture, in the payment's currency, at most its amount. The rest
   * is released for good. Default: the whole amount.
   */
  readonly amount?: PayableMoney | undefined
}

/** The amount to pay at once, the service and the payer. */
export interface CreateOneTimeInput {
  /** The service's id. */
  readonly service_id: string
  /** The amount to pay: a price of the service, in its currency. */
  readonly amount: PayableMoney
  /** The purchase, described for the payer. */
  readonly description: string
  /** The agent that pays, and the person it pays for. */
  readonly payer: {
    /** The agent's id, chosen by its account. */
    readonly agent_id: string
    /** The id of the person whom the agent pays for, chosen by the caller. */
    readonly human_id?: string | undefined
  }
  /** The channel to pay by. Default: the service's choice. */
  readonly channel?: string | undefined
  /** The URL to which the payer's browser returns after the payment. */
  readonly return_url?: string | undefined
  /** The caller's own data. It is stored and shown, and has no other effect. */
  readonly metadata?:
    | {
        readonly [name: string]: Json
      }
    | undefined
}

/**
 * A One-Time payment under the payer's limits. With only `amount` (and
 * `kyc_level`, `payer`), it asks whether the amount may be paid.
 */
export interface AttemptPaymentInput {
  /** The amount to pay. */
  readonly amount: PayableMoney
  /** The service's id. */
  readonly service_id?: string | undefined
  /** The purchase, described for the payer. */
  readonly description?: string | undefined
  /** The agent that pays, and the person it pays for. */
  readonly payer?:
    | {
        /** The agent's id, chosen by its account. */
        readonly agent_id: string
        /** The id of the person whom the agent pays for, chosen by the caller. */
        readonly human_id?: string | undefined
      }
    | undefined
  /** The channel to pay by. Default: the service's choice. */
  readonly channel?: string | undefined
  /** The URL to which the payer's browser returns after the payment. */
  readonly return_url?: string | undefined
  /** The caller's own data. It is stored and shown, and has no other effect. */
  readonly metadata?:
    | {
        readonly [name: string]: Json
      }
    | undefined
  /**
   * The level that the payer claims. It can lower the level in force, never raise
   * it.
   */
  readonly kyc_level?: "anonymous" | "basic" | "enhanced" | "business" | undefined
}

/**
 * The payer may pay the amount: it is within the limits per payment and for the
 * rest of the day.
 */
export interface Allowance {
  /** Always `true`. A payment that is not allowed gets an error. */
  readonly allowed: true
  /** The level that is in force for the agent. */
  readonly current_kyc_level: "anonymous" | "basic" | "enhanced" | "business"
  /** The level's payment limits in whole US dollars. */
  readonly limits: KycLimits
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

/**
 * The resource and its price. With `valid_seconds`, the proof gives access for
 * that many seconds from its first use; without it, once. `idle_seconds` is for
 * deposits, which have no `valid_seconds`. Without `channel`, the service's
 * channel is used.
 */
export interface OpenChallengeInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The price of the resource. */
  readonly amount: PayableMoney
  /** The paid resource, such as `GET /reports/7`. */
  readonly resource: string
  /** The sale, described for the payer. */
  readonly description?: string | undefined
  /** The channel to pay by. Default: the service's choice. */
  readonly channel?: string | undefined
  /** For how many seconds the payment gives access. */
  readonly valid_seconds?: number | undefined
  /**
   * For a deposit from which requests draw: the number of seconds after the last
   * draw until the session closes and the rest is returned. Default: a day.
   */
  readonly idle_seconds?: number | undefined
}

/** A payment that a paid endpoint requests, and the token that proves it. */
export interface PaymentChallenge {
  /** The requested payment. */
  readonly payment_intent: DemandedPayment
  /** The service's id. */
  readonly service_id: string
  /** The paid resource, such as `GET /reports/7`. */
  readonly resource: string
  /** For how many seconds the payment gives access; null for no end. */
  readonly valid_seconds: number | null
  /** The seller. */
  readonly payee: {
    /** The agent's id, chosen by its account. */
    readonly agent_id: string
    /** The seller's account at its channels; null if it has none. */
    readonly merchant_account: string | null
  }
  /** `payport:sandbox` or `payport:live`. */
  readonly network: string
  /**
   * When the challenge was opened, by the service's clock. `expires_at` minus this
   * is the time to pay, whatever the seller's clock says.
   */
  readonly created_at: string
}

/** The requested payment. */
export interface DemandedPayment {
  /** The payment's id: `pi_` and a UUIDv7. */
  readonly id: string
  /** The amount to pay. */
  readonly amount: Money
  /** The channel's name, such as `wallet_a`. */
  readonly channel: string
  /** The link by which a wallet pays. */
  readonly qr_uri: string
  /** When the payment expires. */
  readonly expires_at: string
  /** The secret that proves the payment. It is shown only here. */
  readonly token: string
}

/** The proof that was shown, and the resource that it pays for. */
export interface RedeemInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The price of the resource. */
  readonly amount: PayableMoney
  /** The paid resource, such as `GET /reports/7`. */
  readonly resource: string
  /** The token of the payment challenge. */
  readonly token: string
  /**
   * The client's id of the purchase: 16 to 128 letters, digits, `-` and `_` (x402,
   * payment-identifier).
   */
  readonly payment_identifier?: string | undefined
  /**
   * Whether an authorized payment is captured at once (the default) or later, by
   * `POST /v1/payment-intents/{id}/capture`. `in_part` is accepted only if a part
   * can be captured.
   */
  readonly capture?: "at_once" | "later" | "in_part" | undefined
}

/** The proof is valid: let the request through. */
export interface PaymentRedemption {
  /** The payment's id. */
  readonly payment_intent: string
  /** The agent or the wallet that paid; null if the channel names neither. */
  readonly payer: string | null
  /** The paid resource, such as `GET /reports/7`. */
  readonly resource: string
  /** When the proof was first accepted. */
  readonly redeemed_at: string
  /** Until when the proof gives access again; null after a single use. */
  readonly valid_until: string | null
  /**
   * Whether the same purchase was already accepted under its identifier. If so,
   * return the earlier result and do not do the work twice.
   */
  readonly repeated: boolean
  /**
   * The deadline for capturing the payment, which is only authorized (`capture:
   * later`); null if it was captured.
   */
  readonly capture_before: string | null
}

/** The proof of the deposit, and the price to draw from it. */
export interface DrawInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The deposit. */
  readonly amount: PayableMoney
  /** The resource that the deposit pays for. */
  readonly resource: string
  /** The token of the payment challenge. */
  readonly token: string
  /** The amount to draw, in minor units of the deposit's currency. */
  readonly price: number
  /**
   * The total drawn from the deposit, including this draw. It is different for
   * each draw.
   */
  readonly spent: number
}

/** The price was drawn: let the request through. */
export interface PaymentDraw {
  /** The id of the deposit's payment. */
  readonly payment_intent: string
  readonly drawn: Money
  readonly left: Money
  /** When the session closes automatically, unless there is another draw before. */
  readonly closes_at: string
}

/** The proof of the deposit. */
export interface CloseInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The deposit. */
  readonly amount: PayableMoney
  /** The resource that the deposit pays for. */
  readonly resource: string
  /** The token of the payment challenge. */
  readonly token: string
}

/** A closed session, and the refund of the rest. */
export interface ClosedSession {
  /** The id of the deposit's payment. */
  readonly payment_intent: string
  /**
   * The id of the refund of the rest, the same each time the session is closed.
   * Null if nothing was left, or if nothing was captured: then the held money is
   * released. What pending refunds had taken goes back with a refund of its own if
   * they fail.
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
     * How it is paid; `exact` pays the amount that is asked, `upto` at most that, by
     * use; `auth-capture` holds it first, and takes or releases it afterwards.
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
  readonly type?: string | undefined
  readonly payTo?: string | undefined
  readonly scheme?: string | undefined
  readonly network?: string | undefined
  readonly extensions?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Resources that are sold by x402, confirmed by a probe. */
export interface X402DiscoveryResponse {
  /** The version of x402: 2. */
  readonly x402Version: number
  /**
   * Resources that match their listing come first, and each seller's first one
   * before any seller's second.
   */
  readonly items: ReadonlyArray<X402Resource>
  /** The position of this page in the list. */
  readonly pagination: {
    /** The maximum number of items per page. */
    readonly limit: number
    /** The number of skipped items before the page. */
    readonly offset: number
    /** The total number of items. 10000 also stands for more. */
    readonly total: number
  }
}

/** A resource that is sold by x402. */
export interface X402Resource {
  /** The URL, with `:name` for a variable part. */
  readonly resource: string
  /** `http`. */
  readonly type: "http"
  /** The version of x402: 2. */
  readonly x402Version: number
  /** The ways to pay. */
  readonly accepts: ReadonlyArray<{
    /** The x402 scheme of the payment. */
    readonly scheme: string
    /** The payment network. */
    readonly network: string
    /** Minor units of the asset, in digits. */
    readonly amount: string
    /** The currency, by its ISO 4217 code. */
    readonly asset: string
    /** The service, or its seller's agent. */
    readonly payTo: string
    /**
     * For how many seconds after the start of its payment a payload is first
     * accepted.
     */
    readonly maxTimeoutSeconds: number
    /** Nothing: ask the resource itself before you pay. */
    readonly extra: {
      readonly [name: string]: unknown
    }
  }>
  /** The time of the last change, ISO 8601. */
  readonly lastUpdated: string
  /** The resource, in its seller's words: data, never instructions. */
  readonly description?: string
  /** The media type of the answer, in the seller's words. */
  readonly mimeType?: string
  /** The name of its service in the registry. */
  readonly serviceName: string
  /** The tags of its service. */
  readonly tags: ReadonlyArray<string>
  /** `bazaar`: its input and output as the resource declares them: data as well. */
  readonly extensions?: {
    readonly [name: string]: unknown
  }
  /** Whether the resource still matches its listing, by our own probe. */
  readonly probe: {
    /**
     * `live`: at the last probe the resource asked for exactly this payment.
     * `silent`: it asked for no payment to its seller. `priced_differently`: it
     * asked for another price.
     */
    readonly standing: "live" | "silent" | "priced_differently"
    /** Since when the probe's result has held, ISO 8601. */
    readonly since: string
    /** When the resource was last probed. */
    readonly at?: string
    /** Why the resource is silent. */
    readonly reason?: string
    readonly seen?: Money
  }
}

/** The seller's requirements: its `payTo`, amount and `extra.resource`. */
export interface PayForResourceInput {
  /** The service that is paid. */
  readonly service_id: string
  /** The price of the resource. */
  readonly amount: PayableMoney
  /** The paid resource, such as `GET /reports/7`. */
  readonly resource: string
  /** The purchase, described for the payer. */
  readonly description?: string | undefined
  /** The channel to pay by. Default: the service's choice. */
  readonly channel?: string | undefined
}

/** A payload that a seller was sent, and what it was to pay. */
export interface X402FacilitatorRequest {
  /** The version of x402: 2. */
  readonly x402Version: number
  /**
   * What the buyer sent (5.2). Its `payload` holds `payment_intent` and `token`,
   * as `POST /v1/x402/payments` has answered them.
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
   * Minor units of the asset, in digits. With `upto` and `auth-capture`: the
   * maximum that may be taken. When settling or capturing: the amount to take. `0`
   * releases everything.
   */
  readonly amount: string
  /** The currency, by its ISO 4217 code. */
  readonly asset: string
  /** The id of the seller's service. */
  readonly payTo: string
  /**
   * For how many seconds after the start of its payment a payload is first
   * accepted.
   */
  readonly maxTimeoutSeconds: number
  /** `resource`: the URL of the paid resource, to which the payment is bound. */
  readonly extra?:
    | {
        readonly [name: string]: unknown
      }
    | undefined
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
   * Why nothing was settled. `settlement_pending`: whether the money was taken is
   * being found out; settle the same payload again.
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

/** The resource and its price. Listing it again updates the price. */
export interface ListResourceInput {
  /** The id of your active service that is paid. */
  readonly service_id: string
  /** The resource's URL. Its query is ignored. */
  readonly resource: string
  /**
   * The HTTP method of the resource. Default: `GET`. Resources of other methods
   * can be sold and are not listed, because a probe would send the method to a URL
   * that anybody can name. To be found, offer the resource by POST.
   */
  readonly method?: "GET" | "HEAD" | "POST" | undefined
  /** The price that the resource asks for. It becomes the listed price. */
  readonly amount: PayableMoney
}

/** A seller's resource that buyers find by x402 discovery. */
export interface ListedResource {
  /** `lst_` and a UUIDv7. */
  readonly id: string
  /** The service that is paid. */
  readonly service_id: string
  /** The resource's URL. `:name` stands for a variable part of the path. */
  readonly resource: string
  /** The HTTP method of the resource. */
  readonly method: "GET" | "HEAD" | "POST"
  readonly amount: Money
  /**
   * `live` is listed first. `silent` and `priced_differently` come after all live
   * resources. `unproven` is shown only to you.
   */
  readonly standing: "unproven" | "live" | "silent" | "priced_differently"
  /** Since when the resource has matched its listing, or not. */
  readonly since: string
  /**
   * Why the resource does not match: `timeout`, `dns` and similar; `status_200`
   * for an answer that was not a 402; `no_requirements`; `other_payee` or
   * `other_address` for a 402 with another payee or address.
   */
  readonly reason?: string
  readonly seen?: Money
  /** When the resource was last probed. */
  readonly probed_at?: string
  /** When the resource is probed next. */
  readonly next_probe_at?: string
  /** When the resource was listed. */
  readonly created_at: string
  /** When the data shown to buyers last changed. */
  readonly updated_at: string
}

/** What `listings.list` takes. */
export interface ListingsListQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly service_id?: string | undefined
}

/** The resource was deleted. */
export interface Deleted {
  /** The id of the deleted resource. */
  readonly id: string
  /** Always `true`. */
  readonly deleted: true
}

/** The amount to pay, and the settlement currency. */
export interface CreateQuoteInput {
  /** The amount that the payer pays. */
  readonly amount: PayableMoney
  /** The currency that the payee is paid in. */
  readonly settlement_currency: string
  /** The service that is paid. Its channels are compared. */
  readonly service_id?: string | undefined
  /** The channels to compare. Default: the service's channels. */
  readonly channels?: readonly [string, ...ReadonlyArray<string>] | undefined
  /** The agent that pays, and the person it pays for. */
  readonly payer?:
    | {
        /** The agent's id, chosen by its account. */
        readonly agent_id?: string | undefined
        /** The id of the person whom the agent pays for, chosen by the caller. */
        readonly human_id?: string | undefined
      }
    | undefined
}

/** Prices that are valid for a minute, for one payment of the requesting account. */
export interface Quote {
  /** `fxq_` and a UUIDv7. */
  readonly id: string
  readonly amount: Money
  /** The possible routes, best first. */
  readonly routes: ReadonlyArray<{
    /** The channel's name, such as `wallet_a`. */
    readonly channel: string
    /** From 0 to 1: 50% fee, 30% rate and 20% speed. */
    readonly score: number
    /** The parts of the score, each from 0 to 1. */
    readonly criteria: {
      /** 1 for the lowest network fee and FX spread, 0 for the highest. */
      readonly fee: number
      /** 1 for the best rate, or if no rate is needed; 0 for the worst. */
      readonly rate: number
      /** 1 for the fastest settlement, 0 for the slowest. */
      readonly speed: number
    }
    readonly fees: Fees
    /** The applied rate, including the spread. */
    readonly rate: number
    readonly settlement: Money
    /** How soon captured money is settled. */
    readonly settles: "real_time" | "t_plus_1"
  }>
  /** The time of creation. */
  readonly created_at: string
  /** When the prices expire. */
  readonly expires_at: string
}

/** The quote to use, and the purpose of the payment. */
export interface PayQuoteInput {
  /** The id of the quote. */
  readonly quote_id: string
  /** The channel of the quote to pay by. Default: the best one. */
  readonly channel?: string | undefined
  /** The service's id. */
  readonly service_id: string
  /** The purchase, described for the payer. */
  readonly description: string
  /** The agent that pays, and the person it pays for. */
  readonly payer?:
    | {
        /** The agent's id, chosen by its account. */
        readonly agent_id?: string | undefined
        /** The id of the person whom the agent pays for, chosen by the caller. */
        readonly human_id?: string | undefined
      }
    | undefined
  /** The URL to which the payer's browser returns after the payment. */
  readonly return_url?: string | undefined
  /** The caller's own data. It is stored and shown, and has no other effect. */
  readonly metadata?:
    | {
        readonly [name: string]: Json
      }
    | undefined
}

/** The payment to refund. Without an amount, all that is left of it. */
export interface CreateRefundInput {
  /** The payment's id. */
  readonly payment_intent: string
  /** The amount to refund, in the payment's currency. Default: all that is left. */
  readonly amount?: PayableMoney | undefined
  /** The reason for the refund. The payer sees it. */
  readonly reason?: string | undefined
  /** The payee's own note. */
  readonly description?: string | undefined
  /** The purchased access that the refund revokes. */
  readonly revoke?:
    | {
        /** The access items to revoke, each with its type and id. */
        readonly targets?:
          | ReadonlyArray<{
              /** The kind of access: `access_token`, `signed_url`, `session` or `license_key`. */
              readonly type: string
              /** The access item's id, chosen by the seller. */
              readonly id: string
              /** The scope of the access, such as `read:detail` or `all`. */
              readonly scope?: string | undefined
            }>
          | undefined
        /** `false` disables every revocation by this refund, also of `targets`. */
        readonly auto_revoke?: boolean | undefined
        /** Whether the service's endpoint is notified of each revocation. */
        readonly webhook_notify?: boolean | undefined
      }
    | undefined
}

/** A refund of a payment to its payer, in part or in full. */
export interface Refund {
  /** `ref_` and a UUID. */
  readonly id: string
  /** The id of the refunded payment. */
  readonly payment_intent: string
  readonly amount: Money
  /**
   * `pending` until the channel has confirmed or rejected the refund. Read it
   * again with GET.
   */
  readonly status: "pending" | "succeeded" | "failed"
  /** Why it was refunded, in the payee's words. */
  readonly reason: string | null
  /** The payee's own note; null for none. */
  readonly description: string | null
  /** The channel's name, such as `wallet_a`. */
  readonly channel: string
  readonly settlement?: Money
  readonly service_fee?: Money
  readonly remaining_refundable?: Money
  /** Why the channel rejected the refund. Only for failed refunds. */
  readonly channel_reason?: string
  /** The access that is revoked once the channel has confirmed the refund. */
  readonly revocations: ReadonlyArray<Revocation>
  /** Present once every revocation has succeeded or failed. */
  readonly revocation_batch_status?: "completed"
  /** The time of creation. */
  readonly created_at: string
  /** The time of the last change. */
  readonly updated_at: string
}

/** The revocation of an access item by a refund. */
export interface Revocation {
  /** The kind of access item. */
  readonly target_type: string
  /** The access item's id, chosen by the seller. */
  readonly target_id: string
  /** The scope of the access, such as `read:detail` or `all`. */
  readonly scope: string
  /** The current state. */
  readonly status: "pending" | "revoked" | "failed" | "expired"
  /** When the access was revoked. */
  readonly revoked_at?: string
  /** The error. */
  readonly error?: {
    /** The error code of the last attempt, for programs. */
    readonly code: string
    /** The error message of the last attempt, for people. */
    readonly message: string
  }
}

/** The amount and the reason. Without an amount, all that is left. */
export interface RefundIntentInput {
  /** The reason for the refund. The payer sees it. */
  readonly reason?: string | undefined
  /** The amount to refund, in the payment's currency. Default: all that is left. */
  readonly amount?: PayableMoney | undefined
}

/** What `refunds.list` takes. */
export interface RefundsListQuery {
  readonly payment_intent?: string | undefined
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/**
 * The payment, the reason and the amount. Without an amount, all that is left of
 * the payment.
 */
export interface CreateRefundRequestInput {
  /** The payment's id. */
  readonly payment_intent: string
  /** The requested amount. Default: all that is left of the payment. */
  readonly amount?: PayableMoney | undefined
  /** Why the buyer asks for a refund. The payee sees it. */
  readonly reason: string
}

/** A buyer's request for a refund of a payment, which the payee decides. */
export interface RefundRequest {
  /** `rr_` and a UUIDv7. */
  readonly id: string
  /**
   * `open` until the payee decides, the buyer withdraws the request, or it
   * expires. An approved request has a refund, which the channel may still reject.
   */
  readonly status: "open" | "approved" | "declined" | "withdrawn" | "expired"
  /** The payment's id. */
  readonly payment_intent: string
  /** The service's id. */
  readonly service_id: string
  readonly amount: Money
  /** Why the buyer asks for a refund. */
  readonly reason: string
  /** The payee's refund. Only for approved requests. */
  readonly refund?: string
  /** The payee's reason. Only for declined requests. */
  readonly decline_reason?: string
  /** The time of creation. */
  readonly created_at: string
  /** The time of the last change. */
  readonly updated_at: string
  /** The payee's deadline for a decision. */
  readonly expires_at: string
  /** When the request was decided, was withdrawn or expired. */
  readonly resolved_at?: string
}

/** What `refundRequests.list` takes. */
export interface RefundRequestsListQuery {
  readonly payment_intent?: string | undefined
  readonly status?: "open" | "approved" | "declined" | "withdrawn" | "expired" | undefined
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** The amount to refund. Without an amount, the requested one. */
export interface ApproveRefundRequestInput {
  /** The amount to refund. Default: the requested amount. */
  readonly amount?: PayableMoney | undefined
}

/** The reason for declining the request. */
export interface DeclineRefundRequestInput {
  /** Why the request is declined. The buyer sees it. */
  readonly reason: string
}

/** The access that a payment bought, with its id chosen by the seller. */
export interface RegisterAccessItemInput {
  /** The payment's id. */
  readonly payment_intent: string
  /** The kind of access: `access_token`, `signed_url`, `session` or `license_key`. */
  readonly type: string
  /** The access item's id, chosen by the seller. */
  readonly id: string
  /** The scopes that the payment bought. */
  readonly scopes?: readonly [string, ...ReadonlyArray<string>] | undefined
}

/** An access item that a payment bought. */
export interface AccessItem {
  /** The access item's id, chosen by the seller. */
  readonly id: string
  /** The kind of access. */
  readonly type: string
  /** The payment that bought the access; null if nobody registered it. */
  readonly payment_intent: string | null
  /** Whether any scope is still active, or the requested one. */
  readonly active: boolean
  /** The registered scopes that were not fully revoked. */
  readonly scopes: ReadonlyArray<string>
  /** The permanently revoked scopes, including those that nobody registered. */
  readonly revoked_scopes: ReadonlyArray<string>
}

/** The access item that was presented, and optionally the scope to check. */
export interface IntrospectAccessInput {
  /** The kind of access: `access_token`, `signed_url`, `session` or `license_key`. */
  readonly type: string
  /** The access item's id, chosen by the seller. */
  readonly id: string
  /** The scope of the access, such as `read:detail` or `all`. */
  readonly scope?: string | undefined
}

/** The state of an access item. An unregistered item is not active. */
export interface AccessState {
  /** Whether any scope is still active, or the requested one. */
  readonly active: boolean
  /** The registered scopes that were not fully revoked. */
  readonly scopes: ReadonlyArray<string>
  /** The permanently revoked scopes, including those that nobody registered. */
  readonly revoked_scopes: ReadonlyArray<string>
}

/** The settings of the install. A missing field stays unchanged; null removes it. */
export interface InstallInput {
  /** The agent that uses the service. Default: the key's own agent. */
  readonly agent_id?: string | undefined
  /** The maximum of a payment without asking a person; null always asks. */
  readonly auto_pay_limit?: PayableMoney | null | undefined
  /** The channel to try first; null means the service's choice. */
  readonly channel_preference?: string | null | undefined
  /** The only channels to pay by. Default: all channels of the service. */
  readonly channels?: ReadonlyArray<string> | undefined
  /** The maximum that the agent may pay to the service per period; null for no cap. */
  readonly spend_cap?:
    | {
        /** The maximum per period. */
        readonly amount: PayableMoney
        /** The cap's period: a UTC day, a week from Monday, or a month. */
        readonly period: "daily" | "weekly" | "monthly"
      }
    | null
    | undefined
  /** The percentages of the cap at which the account is notified. */
  readonly budget_alerts?: ReadonlyArray<number> | undefined
}

/** How an agent uses a service. */
export interface Install {
  /** `ins_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The agent's id, chosen by its account. */
  readonly agent_id: string
  /**
   * One-Time payments and invoices up to this amount, in its currency, are paid
   * without asking.
   */
  readonly auto_pay_limit: Money | null
  /** The channel to try first; null means the service's choice. */
  readonly channel_preference: string | null
  /** The only channels to pay by; empty means all channels of the service. */
  readonly channels: ReadonlyArray<string>
  /** The maximum that the agent may pay to the service per period; null for no cap. */
  readonly spend_cap: {
    /** The maximum per period. */
    readonly amount: Money
    /** The cap's period: a UTC day, a week from Monday, or a month. */
    readonly period: "daily" | "weekly" | "monthly"
  } | null
  /** The percentages of the cap at which the account is notified. */
  readonly budget_alerts: ReadonlyArray<number>
  /** The mandate that the person approves in the wallet; null for none. */
  readonly mandate: {
    /** `mnd_` and a UUIDv7. */
    readonly id: string
    /** `pending` until the person approves the mandate in the wallet. */
    readonly status: "pending" | "active" | "revoked"
    /** The channel that holds the mandate. */
    readonly channel: string
    /** Where the person approves a pending mandate, if the channel gives a URL. */
    readonly approval_url?: string
  } | null
  /** The time of creation. */
  readonly created_at: string
  /** The time of the last change. */
  readonly updated_at: string
}

/** What `installs.list` takes. */
export interface InstallsListQuery {
  readonly service_id?: string | undefined
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** What `installs.listOfService` takes. */
export interface InstallsListOfServiceQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** What `installs.uninstall` takes. */
export interface InstallsUninstallQuery {
  readonly agent_id?: string | undefined
}

/** The plan and the agent that subscribes. Default: the agent of a buyer's key. */
export interface SubscribeInput {
  /** The plan's id within its service. */
  readonly plan_id: string
  /**
   * The plan's interval that you agree to. If it differs, the request is refused.
   * Required with `amount`.
   */
  readonly interval?: "daily" | "weekly" | "monthly" | "quarterly" | "yearly" | undefined
  /**
   * The price of an interval that you agree to, as the service shows it. If the
   * plan's price differs, the request is refused, and nothing is charged. Default:
   * any price.
   */
  readonly amount?: PayableMoney | undefined
  /**
   * The agent that pays, and the person it pays for. Default: the agent of a
   * buyer's key. A seller's key has to name one.
   */
  readonly payer?:
    | {
        /** The agent's id, chosen by its account. */
        readonly agent_id?: string | undefined
        /** The id of the person whom the agent pays for, chosen by the caller. */
        readonly human_id?: string | undefined
      }
    | undefined
}

/** A new subscription, and the payment of its first period. */
export interface Subscribed extends Subscription {
  readonly payment: PaymentIntent
}

/** What `subscriptions.list` takes. */
export interface SubscriptionsListQuery {
  readonly service_id?: string | undefined
  readonly status?: "active" | "past_due" | "cancelled" | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
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

/** The challenge of the seller's endpoint. */
export interface ProveSubscriptionInput {
  /**
   * The seller's challenge, unique to a request. The proof is valid only for this
   * challenge.
   */
  readonly challenge: string
}

/** A proof of an active subscription whose period is paid, for one challenge. */
export interface SubscriptionProof {
  /** The subscription's id. */
  readonly subscription: string
  /**
   * The secret that proves the subscription to its seller, once, for this
   * challenge.
   */
  readonly token: string
  /** When the proof expires. */
  readonly expires_at: string
}

/** The proof that was shown, and the service and plan that it is for. */
export interface RedeemSubscriptionInput {
  /** The id of the requested service. */
  readonly service_id: string
  /** The plan's id within its service. */
  readonly plan_id: string
  /**
   * The seller's challenge, unique to a request. The proof is valid only for this
   * challenge.
   */
  readonly challenge: string
  /** The token of the proof. */
  readonly token: string
  /** When the proof expires. */
  readonly expires_at: string
}

/** The proof is valid: let the request through. */
export interface SubscriptionRedemption {
  /** The subscription's id. */
  readonly subscription: string
  /** The plan's id within its service. */
  readonly plan_id: string
  /** The subscribed agent. */
  readonly payer: string
  /** The payment of the current period; null for a free period. */
  readonly payment_intent: string | null
  /** When the proof was accepted. */
  readonly redeemed_at: string
  /** The end of the paid period. */
  readonly current_period_end: string
}

/** What `subscriptions.cancel` takes. */
export interface SubscriptionsCancelQuery {
  readonly now?: boolean | undefined
}

/** What `invoices.list` takes. */
export interface InvoicesListQuery {
  readonly service_id?: string | undefined
  readonly subscription?: string | undefined
  readonly status?: "open" | "paid" | "void" | "uncollectible" | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
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

/** An agent's use, counted once for each `idempotency_key`. */
export interface UsageInput {
  /** The agent that used the service. */
  readonly agent_id: string
  /** The id of the tab. Needed only if the agent has several. */
  readonly tab?: string | undefined
  /** The number of used units, as a decimal number. */
  readonly quantity: number | string
  /**
   * When the use happened. Default: now. For a day after the agent's tab was
   * closed, use before that can be reported with its time.
   */
  readonly occurred_at?: string | undefined
  /** The caller's idempotency key for this use. A repeated key is counted once. */
  readonly idempotency_key: string
}

/** A counted use. */
export interface UsageRecord {
  /** `use_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The agent's id, chosen by its account. */
  readonly agent_id: string
  /** Units, as an exact decimal. */
  readonly quantity: string
  /** When the use happened. */
  readonly occurred_at: string
  /** The seller's idempotency key for this use. */
  readonly idempotency_key: string
  /** The time of creation. */
  readonly created_at: string
}

/** The agent whose use is billed. Default: the agent of a buyer's key. */
export interface StartUsageInput {
  /**
   * The agent that pays, and the person it pays for. Default: the agent of a
   * buyer's key. A seller's key has to name one.
   */
  readonly payer?:
    | {
        /** The agent's id, chosen by its account. */
        readonly agent_id?: string | undefined
        /** The id of the person whom the agent pays for, chosen by the caller. */
        readonly human_id?: string | undefined
      }
    | undefined
  /**
   * The price of one unit that you agree to, in minor units, as the service shows
   * it. If it differs from the tab's price, the request is refused. Needs
   * `currency`.
   */
  readonly rate?: number | string | undefined
  /** The currency of the rate that you agree to. */
  readonly currency?: string | undefined
  /** The unit that you agree to, as the service shows it. */
  readonly unit?: string | undefined
}

/** An agent's use of a service, billed once per cycle. */
export interface Tab {
  /** `tab_` and a UUID. */
  readonly id: string
  /** The service's id. */
  readonly service_id: string
  /** The agent's id, chosen by its account. */
  readonly agent_id: string
  /** Use counts that happens while the tab is open. */
  readonly status: "open" | "closed"
  /** The unit that is counted, in words. */
  readonly unit: string
  /** The price of one unit in minor units, as an exact decimal. */
  readonly rate: string
  /** An ISO 4217 currency code, or a stablecoin's code. */
  readonly currency: string
  /** The period after which use is billed. */
  readonly billing_cycle: "daily" | "weekly" | "monthly" | "quarterly" | "yearly"
  /** The units used in the current period. */
  readonly quantity: string
  readonly amount: Money
  /**
   * What earlier bills have left to the next one of their currency, since they
   * were rounded to nothing or too small to be settled in the seller's currency.
   */
  readonly carried?: ReadonlyArray<{
    /** An ISO 4217 currency code, or a stablecoin's code. */
    readonly currency: string
    /** Minor units, as an exact decimal. */
    readonly value: string
  }>
  /** When the period began. */
  readonly period_start: string
  /** When the period ends. */
  readonly period_end: string
  /**
   * Only of a closed tab that is not billed yet: until when use before it was
   * closed can be reported. Then it is billed.
   */
  readonly reports_until?: string
  /** The time of creation. */
  readonly created_at: string
}

/** What `usage.get` takes. */
export interface UsageGetQuery {
  readonly agent_id?: string | undefined
  readonly tab?: string | undefined
}

/** What `usage.stop` takes. */
export interface UsageStopQuery {
  readonly agent_id?: string | undefined
  readonly tab?: string | undefined
}

/** An account's balances, one entry for each currency. */
export interface Balance {
  /** The time of the balances. */
  readonly as_of: string
  /** One entry for each currency. */
  readonly balances: ReadonlyArray<{
    /** An ISO 4217 code. */
    readonly currency: string
    /**
     * The money in the wallet; negative if more was returned than it held, in minor
     * units.
     */
    readonly available: number
    /** Captured money that is not settled yet, in minor units. */
    readonly pending: number
    /** Money that arrived too late or twice and is being returned, in minor units. */
    readonly returning: number
    /** The fees that leave the wallet on the next UTC day, in minor units. */
    readonly fees_due: number
    /** Money set aside for refunds in progress, in minor units. */
    readonly refunds_pending: number
  }>
}

/** What `ledger.entries` takes. */
export interface LedgerEntriesQuery {
  readonly payment_intent?: string | undefined
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
    | undefined
  readonly currency?: string | undefined
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
    | undefined
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** What `reports.reconciliation` takes. */
export interface ReportsReconciliationQuery {
  readonly from: string
  readonly to: string
}

/** One row for each date, channel and settlement currency, from the ledger. */
export interface ReconciliationReport {
  /** A UTC day, such as 2026-01-31. */
  readonly from: string
  /** A UTC day, such as 2026-01-31. */
  readonly to: string
  /** One row for each day, channel and currency. */
  readonly rows: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    /** The channel's name, such as `wallet_a`. */
    readonly channel: string
    /** The settlement currency of every column. */
    readonly currency: string
    /** The number of settled payments. */
    readonly payments: number
    /**
     * The value of these payments at the mid-market rate, in minor units of
     * `currency`.
     */
    readonly gross: number
    /**
     * The part that was refunded or is set aside for refunds, in minor units of
     * `currency`.
     */
    readonly refunds: number
    /**
     * The service's fees, less those that refunds gave back, in minor units of
     * `currency`.
     */
    readonly service_fees: number
    /**
     * The FX spread that was kept, less what refunds gave back, in minor units of
     * `currency`.
     */
    readonly fx_spread: number
    /** The channels' fees, in minor units of `currency`. */
    readonly channel_fees: number
    /**
     * What the wallet receives: gross less the previous columns, once the fees have
     * left it, in minor units of `currency`.
     */
    readonly net: number
  }>
  /** The sums of the rows, by currency. */
  readonly totals: ReadonlyArray<{
    /** The settlement currency of every column. */
    readonly currency: string
    /** The number of settled payments. */
    readonly payments: number
    /**
     * The value of these payments at the mid-market rate, in minor units of
     * `currency`.
     */
    readonly gross: number
    /**
     * The part that was refunded or is set aside for refunds, in minor units of
     * `currency`.
     */
    readonly refunds: number
    /**
     * The service's fees, less those that refunds gave back, in minor units of
     * `currency`.
     */
    readonly service_fees: number
    /**
     * The FX spread that was kept, less what refunds gave back, in minor units of
     * `currency`.
     */
    readonly fx_spread: number
    /** The channels' fees, in minor units of `currency`. */
    readonly channel_fees: number
    /**
     * What the wallet receives: gross less the previous columns, once the fees have
     * left it, in minor units of `currency`.
     */
    readonly net: number
  }>
  /** The differences between channels' statements and the ledger. */
  readonly discrepancies: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    /** The kind of difference. */
    readonly kind:
      | "missing_at_channel"
      | "missing_at_service"
      | "amount_mismatch"
      | "status_mismatch"
      | "late_payment"
    /** The payment's id. */
    readonly payment_intent?: string
    /** The channel's name, such as `wallet_a`. */
    readonly channel: string
    /** The channel's transaction number. */
    readonly trade_no?: string
    /** The value in our records; an amount in major units. */
    readonly expected?: string
    /** The value that the channel reports; an amount in major units. */
    readonly actual?: string
  }>
  /**
   * Whether there are more than 1,000 discrepancies. If so, request a shorter
   * period.
   */
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

/** The comparison of each channel's daily statement with the ledger. */
export interface ReconciliationRuns {
  /** One run for each day and channel. */
  readonly data: ReadonlyArray<{
    /** A UTC day, such as 2026-01-31. */
    readonly date: string
    /** The channel's name, such as `wallet_a`. */
    readonly channel: string
    /** How often the statement was compared. */
    readonly runs: number
    /** The number of consecutive failures to fetch the statement. */
    readonly failed_attempts: number
    /** Why the last attempt failed; null if it did not fail. */
    readonly failure: string | null
    /** When the day was compared; null if it was not yet. */
    readonly completed_at: string | null
    /** When the next run starts; null if there is none. */
    readonly next_run_at: string | null
    /** The result of the comparison; null before the first one. */
    readonly result: {
      /** The number of lines in the statement. */
      readonly lines: number
      /** The number of movements in the ledger. */
      readonly booked: number
      /** The number of discrepancies in accounts' payments. */
      readonly discrepancies: number
      /** The number of discrepancies beyond the stored maximum. */
      readonly unstored: number
      /** The number of lines whose trades belong to no account. */
      readonly unknown: number
      /** The first 100 lines whose trades belong to no account. */
      readonly unknown_lines: ReadonlyArray<{
        /** Whether money was received or refunded. */
        readonly kind: "payment" | "refund"
        /** Our number for the charge, as in the statement. */
        readonly out_trade_no: string
        /** The channel's transaction number. */
        readonly trade_no: string
        /** The number of our request to the channel, if the line has one. */
        readonly number: string | null
        readonly amount: Money
        /** The state according to the statement. */
        readonly status: "pending" | "settled" | "failed"
        /** The time according to the statement. */
        readonly at: string
      }>
    } | null
  }>
}

/** What `billing.usage` takes. */
export interface BillingUsageQuery {
  readonly month?: string | undefined
}

/** An account's use in a month, and its charges. */
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
    /** The number of operations in the month. */
    readonly count: number
    /** The number that the plan includes; null means unlimited. */
    readonly free_allowance: number | null
    /** The number of charged operations. */
    readonly billable: number
    /** The price of one operation in US dollars, as an exact decimal. */
    readonly unit_price: string
    readonly cost: Money
  }>
  /** The settled volume, and the part of it above the plan's cap. */
  readonly volume: {
    readonly total: Money
    /** The sums by currency. */
    readonly by_currency: ReadonlyArray<{
      readonly amount: Money
      readonly total: Money
    }>
    /**
     * Amounts that payers paid in currencies without an exchange rate. They are not
     * part of the total and not charged. A statement waits a week after its month
     * for the rate. Missing where there are none.
     */
    readonly unconverted?: ReadonlyArray<Money>
    /** The plan's volume cap; null if it has none. */
    readonly cap: Money | null
    readonly above_cap: Money
    /**
     * The percentage charged on the part above the cap, such as `0.5`; null if there
     * is no cap.
     */
    readonly overage_percent: string | null
    readonly overage: Money
  }
  readonly total: Money
}

/** What `billing.listStatements` takes. */
export interface BillingListStatementsQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** The final bill of an account's month. */
export interface Statement extends MonthlyUsage {
  /** `stmt_` and a UUIDv7. */
  readonly id: string
  /** When the month was closed. */
  readonly created_at: string
}

/**
 * Either `agent_id`, `level` and what the level requires of `data`, or the
 * answer to a code: `verification_id` and `otp`.
 */
export interface KycVerifyInput {
  /** The agent's id, chosen by its account. */
  readonly agent_id?: string | undefined
  /** The requested level. */
  readonly level?: "anonymous" | "basic" | "enhanced" | "business" | undefined
  /**
   * The identity data that the level requires, of the person or business that the
   * agent acts for.
   */
  readonly data?:
    | {
        /** The email address to which a code is sent. */
        readonly email?: string | undefined
        /** The phone number with country prefix, to which a code is sent. */
        readonly phone?: string | undefined
        /** The country's two-letter ISO 3166 code. */
        readonly country?: string | undefined
        /** The full name as in the document. */
        readonly full_name?: string | undefined
        /** The date of birth, such as `1985-12-10`. */
        readonly date_of_birth?: string | undefined
        /** The kind of document. */
        readonly document_type?: "passport" | "national_id" | "drivers_license" | undefined
        /** The number of the document. */
        readonly document_number?: string | undefined
        /** The registered name of the business. */
        readonly business_name?: string | undefined
        /** The registration number of the business. */
        readonly registration_number?: string | undefined
        /** The beneficial owner of the business. */
        readonly ubo_declaration?:
          | {
              /** The full name as in the document. */
              readonly full_name: string
              /** The owner's share, in percent. */
              readonly ownership_pct: number
            }
          | undefined
      }
    | undefined
  /** The payer's ids at channels. They make a document unnecessary. */
  readonly channel_credentials?:
    | {
        /** The payer's id at `wallet_a`. */
        readonly wallet_a_user_id?: string | undefined
        /** The payer's id at `wallet_b`. */
        readonly wallet_b_open_id?: string | undefined
      }
    | undefined
  /** The verification that `otp` belongs to. */
  readonly verification_id?: string | undefined
  /** The code that was sent. */
  readonly otp?: string | undefined
}

/** A verification of an agent. */
export interface KycVerification extends KycVerificationSummary {
  readonly limits: KycLimits
  /** The channels that the level unlocks. */
  readonly channels: ReadonlyArray<string>
  /** Whether steps were skipped because a channel knows the payer. */
  readonly channel_friction_reduced?: boolean
  /** The channels that know the payer, so that steps were skipped. */
  readonly friction_reduction_channels?: ReadonlyArray<string>
  readonly data: KycDataShown
}

/**
 * The submitted data. Of a document's number only the end is shown. Empty after
 * erasure.
 */
export interface KycDataShown {
  /** The email address to which a code is sent. */
  readonly email?: string
  /** The phone number with country prefix, to which a code is sent. */
  readonly phone?: string
  /** The country's two-letter ISO 3166 code. */
  readonly country?: string
  /** The full name as in the document. */
  readonly full_name?: string
  /** The date of birth, such as `1985-12-10`. */
  readonly date_of_birth?: string
  /** The kind of document. */
  readonly document_type?: "passport" | "national_id" | "drivers_license"
  /** The number of the document. */
  readonly document_number?: string
  /** The registered name of the business. */
  readonly business_name?: string
  /** The registration number of the business. */
  readonly registration_number?: string
  /** The beneficial owner of the business. */
  readonly ubo_declaration?: {
    /** The full name as in the document. */
    readonly full_name: string
    /** The owner's share, in percent. */
    readonly ownership_pct: number
  }
}

/** An agent's verified level, with its limits and channels. */
export interface KycAgent {
  /** The agent's id, chosen by its account. */
  readonly agent_id: string
  /** The level in force. */
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  /** The level's payment limits in whole US dollars. */
  readonly limits: KycLimits
  /** The channels that the level may pay through. */
  readonly channels: ReadonlyArray<string>
  /** The 20 newest verifications, newest first. */
  readonly verifications: ReadonlyArray<KycVerificationSummary>
  /** When the level in force expires, unless it is verified again. */
  readonly expires_at?: string
}

/** A verification without the submitted data. */
export interface KycVerificationSummary {
  /** `kyc_` and a UUIDv7. */
  readonly verification_id: string
  /** The id of the verified agent. */
  readonly agent_id: string
  /** The requested level. */
  readonly level: "anonymous" | "basic" | "enhanced" | "business"
  /** The verification's state. `verified` unlocks the level. */
  readonly status: "unverified" | "pending" | "verified" | "rejected" | "expired"
  /** The code that has been sent, while it can be answered. */
  readonly challenge?: {
    /** `otp`: a code of six digits. */
    readonly type: string
    /** Where the code was sent: `email`, `sms`. */
    readonly channels: ReadonlyArray<string>
    /** When the code expires. */
    readonly expires_at: string
  }
  /** Whether a person has to review the verification. */
  readonly compliance_review_required?: boolean
  /** How long a review takes, in hours. */
  readonly estimated_review_time_hours?: number
  /** Why the verification was rejected. */
  readonly rejection_reason?: {
    /** The reason's code, such as `document_mismatch`. */
    readonly code: string
    /** The error message, for people. */
    readonly message: string
    /** The wrong fields, each with the reason. */
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

/** The reasons why a rejection is wrong. */
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
  /** The rejected verification. */
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
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly status?: "pending" | "verified" | "rejected" | "expired" | undefined
  readonly level?: "anonymous" | "basic" | "enhanced" | "business" | undefined
  readonly account_id?: string | undefined
}

/** A verification of any account, without the submitted data. */
export interface KycReviewedVerification extends KycVerificationSummary {
  /** The account that submitted the data. */
  readonly account_id: string
}

/** A verification with all submitted data. */
export interface KycOpenedVerification extends KycVerificationSummary {
  /** The account's id. */
  readonly account_id: string
  readonly limits: KycLimits
  /** The channels that the level unlocks. */
  readonly channels: ReadonlyArray<string>
  /** Whether steps were skipped because a channel knows the payer. */
  readonly channel_friction_reduced?: boolean
  /** The channels that know the payer, so that steps were skipped. */
  readonly friction_reduction_channels?: ReadonlyArray<string>
  readonly data: KycDataOpened
  readonly channel_credentials: KycCredentialsOpened
}

/** The submitted data in full. Empty after erasure. */
export interface KycDataOpened {
  /** The email address to which a code is sent. */
  readonly email?: string
  /** The phone number with country prefix, to which a code is sent. */
  readonly phone?: string
  /** The country's two-letter ISO 3166 code. */
  readonly country?: string
  /** The full name as in the document. */
  readonly full_name?: string
  /** The date of birth, such as `1985-12-10`. */
  readonly date_of_birth?: string
  /** The kind of document. */
  readonly document_type?: "passport" | "national_id" | "drivers_license"
  /** The number of the document. */
  readonly document_number?: string
  /** The registered name of the business. */
  readonly business_name?: string
  /** The registration number of the business. */
  readonly registration_number?: string
  /** The beneficial owner of the business. */
  readonly ubo_declaration?: {
    /** The full name as in the document. */
    readonly full_name: string
    /** The owner's share, in percent. */
    readonly ownership_pct: number
  }
}

/** The payer's ids at channels. */
export interface KycCredentialsOpened {
  /** The payer's id at `wallet_a`. */
  readonly wallet_a_user_id?: string
  /** The payer's id at `wallet_b`. */
  readonly wallet_b_open_id?: string
}

/** The decision and its reason. The account sees the reason of a rejection. */
export interface KycReviewInput {
  /** `approve` grants the level. */
  readonly decision: "approve" | "reject"
  /** The reason for a rejection. Required to reject. */
  readonly reason?: string | undefined
}

/** What `reviews.listAppeals` takes. */
export interface ReviewsListAppealsQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly status?: "under_review" | "upheld" | "overturned" | undefined
  readonly account_id?: string | undefined
}

/** An appeal of any account. */
export interface KycReviewedAppeal extends KycAppeal {
  /** The account's id. */
  readonly account_id: string
}

/** An appeal with its reason and the rejected verification. */
export interface KycOpenedAppeal extends KycReviewedAppeal {
  /** The reason for the appeal; null after erasure. */
  readonly reason: string | null
  /** The rejected verification. */
  readonly verification: KycOpenedVerification
}

/** `upheld`: the rejection stands. `overturned`: the verification passes. */
export interface KycAppealReviewInput {
  /** `overturned` grants the level after all. */
  readonly decision: "upheld" | "overturned"
}

/** What `audit.list` takes. */
export interface AuditListQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly action?:
    | "account.created"
    | "account.plan_changed"
    | "account.suspended"
    | "account.resumed"
    | "api_key.created"
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
    | undefined
  readonly actor?: string | undefined
  readonly target?: string | undefined
  readonly after?: number | undefined
  readonly verify?: boolean | undefined
}

/** An action of the operator, chained to the previous entry. */
export interface AuditEntry {
  /** `aud_` and a UUIDv7. */
  readonly id: string
  /** The entry's place in the log, from 1. */
  readonly sequence: number
  /** The time of the entry. */
  readonly at: string
  /** `operator`, or `operator:` and the value of the header `X-Operator`. */
  readonly actor: string
  /** What the operator did. */
  readonly action:
    | "account.created"
    | "account.plan_changed"
    | "account.suspended"
    | "account.resumed"
    | "api_key.created"
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
  /** The id of the affected record. */
  readonly target: string
  /** The request's id, as in `X-Request-Id`. */
  readonly request_id: string
  /** Further details, by name. */
  readonly details: {
    readonly [name: string]: string | number | boolean | null
  }
  /** The hash of the previous entry. */
  readonly previous_hash: string
  /** SHA-256 in 64 lower-case hex digits. */
  readonly hash: string
  /** The Ed25519 signature under the installation's key, 86 base64url characters. */
  readonly signature: string
}

/** Whether the chain is intact. Only with `verify`. */
export interface AuditChain {
  /** Whether every entry matches the previous one, up to the last. */
  readonly whole: boolean
  /** The place of the last entry. */
  readonly sequence: number
  /** The hash of the last entry. Keep a copy of it elsewhere. */
  readonly hash: string
  /** The place of the first entry that does not match. */
  readonly broken_at?: number
}

/** What `audit.listHeads` takes. */
export interface AuditListHeadsQuery {
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** The end of the audit log at a time, signed by the installation. */
export interface AuditHead {
  /** The place of the last entry; 0 for an empty log. */
  readonly sequence: number
  /** The hash of the last entry, 64 lower-case hex digits. */
  readonly hash: string
  /** When the head was signed. */
  readonly at: string
  /**
   * The installation's public signing key, 32 bytes in base64url. It never
   * changes.
   */
  readonly public_key: string
  /** The Ed25519 signature under the installation's key, 86 base64url characters. */
  readonly signature: string
}

/** What `events.list` takes. */
export interface EventsListQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
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
    | undefined
  readonly after?: string | undefined
}

/** The receiver's URL, its events and the key for encryption. */
export interface WebhookEndpointInput {
  /** The https URL that receives the events. */
  readonly url: string
  /** The account's own note on the endpoint. */
  readonly description?: string | null | undefined
  /**
   * The events that are sent to the endpoint. `*` means all but
   * `webhook.delivery.*`, `refund.*` and `api_key.*`, which are sent only if they
   * are named. `escrow.*` is reserved: no such event is sent.
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
  /** The endpoint's own key. Default: the account's newest key. */
  readonly encryption?:
    | {
        /** The X25519 public key that encrypts bodies: 32 bytes in base64. */
        readonly public_key: string
        /** `x25519`. */
        readonly key_type?: "x25519" | undefined
      }
    | null
    | undefined
}

/** The endpoint with its secret. */
export interface NewWebhookEndpoint extends WebhookEndpoint {
  /** The secret that signs deliveries to the endpoint. It is shown only once. */
  readonly secret: string
}

/** What `webhooks.listEndpoints` takes. */
export interface WebhooksListEndpointsQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/** A receiver of an account's events. */
export interface WebhookEndpoint {
  /** `we_` and a UUIDv7. */
  readonly id: string
  /** The https URL that receives the events. */
  readonly url: string
  /** The account's own note on the endpoint. */
  readonly description: string | null
  /** The events that are sent to the endpoint. `*` stands for most of them. */
  readonly enabled_events: ReadonlyArray<string>
  /** Deliveries to a disabled endpoint are skipped. */
  readonly status: "enabled" | "disabled"
  /** Why the endpoint is disabled: at your request, or after five days of failures. */
  readonly disabled_reason: "requested" | "delivery_failures" | null
  /** When the endpoint was disabled; null while it is enabled. */
  readonly disabled_at: string | null
  /** The key that encrypts bodies to the endpoint. */
  readonly encryption: {
    /** The key's fingerprint; null without a key. */
    readonly public_key_fingerprint: string | null
    /** `x25519`; null without a key. */
    readonly key_type: "x25519" | null
    /** Whether bodies to the endpoint are encrypted. */
    readonly enabled: boolean
  }
  /** The time of creation. */
  readonly created_at: string
  /** The time of the last change. */
  readonly updated_at: string
}

/**
 * The fields to change. A missing field stays unchanged. `encryption: null`
 * removes the key.
 */
export interface WebhookEndpointChange {
  /** The https URL that receives the events. */
  readonly url?: string | undefined
  /** The account's own note on the endpoint. */
  readonly description?: string | null | undefined
  /**
   * The events that are sent to the endpoint. `*` means all but
   * `webhook.delivery.*`, `refund.*` and `api_key.*`, which are sent only if they
   * are named. `escrow.*` is reserved: no such event is sent.
   */
  readonly enabled_events?:
    | ReadonlyArray<
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
    | undefined
  /** The endpoint's own key. Default: the account's newest key. */
  readonly encryption?:
    | {
        /** The X25519 public key that encrypts bodies: 32 bytes in base64. */
        readonly public_key: string
        /** `x25519`. */
        readonly key_type?: "x25519" | undefined
      }
    | null
    | undefined
  /** `disabled` stops deliveries. `enabled` starts them again. */
  readonly status?: "enabled" | "disabled" | undefined
}

/** What `webhooks.listDeliveries` takes. */
export interface WebhooksListDeliveriesQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
  readonly endpoint_id?: string | undefined
  readonly event_id?: string | undefined
  readonly status?: "pending" | "delivering" | "delivered" | "failed" | "skipped" | undefined
}

/** The secret with which receivers check webhook signatures. */
export interface WebhookSecret {
  /** The secret that signs the account's webhooks. */
  readonly secret: string
}

/** The secret to replace, the reason, and how long the old secret still signs. */
export interface RotationInput {
  /** Why the secret is replaced, for the account's own log. */
  readonly reason: string
  /** For how many seconds the old secret still signs beside the new one. */
  readonly grace_period_seconds?: number | undefined
  /** The endpoint whose secret is replaced. Default: the account's own secret. */
  readonly endpoint_id?: string | null | undefined
}

/** The new secret, and when the old one expires. */
export interface RotatedSecret {
  /** The endpoint whose secret was replaced; null for the account's secret. */
  readonly endpoint_id: string | null
  /**
   * The fingerprint of the replaced secret; null if the service can no longer read
   * that secret, which then expires at once.
   */
  readonly old_key_fingerprint: string | null
  /** The fingerprint of the secret that signs from now on. */
  readonly new_key_fingerprint: string
  /** When the old secret expires. Until then both secrets sign. */
  readonly old_key_expires_at: string
  /** The new secret. */
  readonly secret: string
  /** The time of creation. */
  readonly created_at: string
}

/** The X25519 public key that encrypts webhooks from now on. */
export interface WebhookKeyInput {
  /** The X25519 public key that encrypts bodies: 32 bytes in base64. */
  readonly public_key: string
  /** `x25519`. */
  readonly key_type?: "x25519" | undefined
  /** The account's own name for the key. */
  readonly label?: string | null | undefined
}

/** A public key that encrypts webhooks. */
export interface WebhookKey {
  /** `whk_` and a UUIDv7. */
  readonly id: string
  /** `x25519`. */
  readonly key_type: "x25519"
  /** `fp_` and the first 16 hex digits of the SHA-256 of the key's 32 bytes. */
  readonly fingerprint: string
  /** The account's own name for the key. */
  readonly label: string | null
  /** The time of creation. */
  readonly created_at: string
}

/** What `webhooks.listKeys` takes. */
export interface WebhooksListKeysQuery {
  readonly limit?: number | undefined
  readonly starting_after?: string | undefined
}

/**
 * A PNG, JPEG, WebP or GIF of at most 8 MiB and 40 megapixels, in base64 or as a
 * data URL.
 */
export interface ScanInput {
  /** A PNG, JPEG, WebP or GIF in base64, plain or as a data URL. */
  readonly image: string
}

/**
 * The QR codes of an image, and the recommended action for the first payable
 * one.
 */
export interface ScanResult {
  /** The id of this scan. */
  readonly scan_id: string
  /** Always `recognized`. A picture without a code gets an error. */
  readonly status: "recognized"
  /** Always `image`. */
  readonly source: "image"
  /** The format of the picture, such as `png`. */
  readonly image_format: string
  /**
   * `svc`: a payport link; `emv`: a merchant code; `url`: a web address; `text`:
   * other text.
   */
  readonly raw_format: "svc" | "emv" | "url" | "text"
  /** Every code of the image, from top to bottom. */
  readonly detected_items: ReadonlyArray<{
    /** The channel that pays such a code; null for none. */
    readonly channel: string | null
    /** How certain the interpretation of the code is, from 0 to 1. */
    readonly confidence: number
    /** `dynamic`: for one payment. `static`: printed once, for many. Null if unknown. */
    readonly qr_type: "dynamic" | "static" | null
    /** The version of the QR symbol, 1 to 40. */
    readonly qr_version: number | null
    /** The amount in major units of the currency; null if the code leaves it open. */
    readonly amount: number | null
    /** The currency of `amount`; null if unknown. */
    readonly currency: string | null
    /** The payee, as far as the code names it. */
    readonly merchant: {
      /** The merchant's id with its scheme. */
      readonly id: string | null
      /** The merchant's name. */
      readonly name: string | null
      /** The merchant's line of business. */
      readonly category: string | null
    }
    /** The web address for paying. It was not fetched. */
    readonly payment_url: string | null
    /**
     * `svc`: a payport link; `emv`: a merchant code; `url`: a web address; `text`:
     * other text.
     */
    readonly format: "svc" | "emv" | "url" | "text"
    /**
     * The content of the code. Characters that hide or reorder text are shown as
     * U+FFFD.
     */
    readonly content: string
    /** The problems that damage the code or prevent its payment, with their places. */
    readonly problems: ReadonlyArray<{
      /** The problem's code, for programs. */
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
      /** The position of the tag's first character. */
      readonly at: number | null
      /** The problem, for people. */
      readonly message: string
    }>
    /** The fields of a merchant code; null for other codes. */
    readonly parsed_payload: EmvPayload | null
  }>
  /** Other channels that could pay the code. */
  readonly alternative_channels_possible: ReadonlyArray<string>
  /** The fields of the first merchant code; null if there is none. */
  readonly parsed_payload: EmvPayload | null
  /**
   * The recommended action; null if nothing can be paid, and for damaged codes.
   * Its amount includes the fee that the code adds (tags 55 to 57).
   */
  readonly recommended_action: {
    /** Whether to create a payment or to pay an existing one. */
    readonly type: "create_payment_intent" | "pay_payment_intent"
    /** The channel to pay by; null for the payer's choice. */
    readonly channel: string | null
    /** The amount in major units of the currency; null if the code leaves it open. */
    readonly amount: number | null
    /** The currency of `amount`; null if unknown. */
    readonly currency: string | null
    /** The id of the merchant to pay; null if unknown. */
    readonly merchant_id: string | null
    /** The payment's id. */
    readonly payment_intent_id?: string
    /** The API request for the action, if there is one. */
    readonly request?: {
      /** The request's method. */
      readonly method: "POST"
      /** The request's path. */
      readonly path: string
      /** The request's body. */
      readonly body: {
        readonly [name: string]: unknown
      }
    }
  } | null
}

/** The fields of a merchant code under their EMV names. */
export interface EmvPayload {
  /** The scheme, such as `promptpay`; null if unknown. */
  readonly vendor: string | null
  /** Tag 00: `01`. */
  readonly payload_format_indicator: string | null
  /** Tag 01: `11` static, `12` dynamic. */
  readonly point_of_initiation_method: string | null
  /** Tags 02 to 51: the payee's account in each scheme. */
  readonly merchant_account_info: ReadonlyArray<{
    /** The tag's number. */
    readonly tag: string
    /** The scheme; null if unknown. */
    readonly vendor: string | null
    /** The channel that pays such a code; null for none. */
    readonly channel: string | null
    /** The scheme's own identifier. */
    readonly globally_unique_identifier: string | null
    /** The value of a tag without parts. */
    readonly value: string | null
    /** The parts of the tag, by their numbers. */
    readonly fields: {
      readonly [name: string]: string
    }
  }>
  /** Tag 52: the line of business, by ISO 18245. */
  readonly merchant_category_code: string | null
  /** Tag 53: the currency's ISO 4217 number. */
  readonly transaction_currency: string | null
  /** Tag 54: the amount, as in the code. */
  readonly transaction_amount: string | null
  /** Tag 58: the country, by ISO 3166. */
  readonly country_code: string | null
  /** Tag 59: the merchant's name. */
  readonly merchant_name: string | null
  /** Tag 60: the merchant's city. */
  readonly merchant_city: string | null
  /** Tag 61: the postal code. */
  readonly postal_code: string | null
  /** Tag 55: whether a tip or a fee is added to the amount. */
  readonly tip_or_convenience_indicator: string | null
  /** Tag 56: the fee, as in the code. */
  readonly convenience_fee_fixed: string | null
  /** Tag 57: the fee in percent, as in the code. */
  readonly convenience_fee_percentage: string | null
  /** Tag 62: its parts, by their numbers. */
  readonly additional_data: {
    readonly [name: string]: string
  }
  /** Tag 64: its parts, by their numbers. */
  readonly merchant_information_language: {
    readonly [name: string]: string
  }
  /** Tag 63: the checksum, as in the code. */
  readonly crc: string | null
  /** Whether the code's checksum is correct. */
  readonly crc_valid: boolean
}

/**
 * A request in a person's own words, in English or Chinese. With `execute`, it
 * is carried out under the caller's key if nothing is missing.
 */
export interface QueryInput {
  /** A person's request in their own words, in English or Chinese. */
  readonly query: string
  /** Further context, such as the service that is meant. */
  readonly context?:
    | {
        /** The service that is meant. */
        readonly service_id?: string | undefined
        /** The agent that pays, and the person it pays for. */
        readonly payer?:
          | {
              /** The agent's id, chosen by its account. */
              readonly agent_id?: string | undefined
              /** The id of the person whom the agent pays for, chosen by the caller. */
              readonly human_id?: string | undefined
            }
          | undefined
        /** The currency to assume if the text names none. */
        readonly currency?: string | undefined
      }
    | undefined
  /** Whether to carry out the understood request under the caller's key. */
  readonly execute?: boolean | undefined
}

/** How a text was understood, and the API request that does it. */
export interface Understood {
  /** `nlq_` and a UUIDv7. */
  readonly id: string
  /** The kind of request; `unknown` if it is not clear. */
  readonly intent: "pay" | "subscribe" | "query_invoice" | "refund" | "void" | "scan_qr" | "unknown"
  /** How certain the interpretation is, from 0 to 1. */
  readonly confidence: number
  /** The details that the text names. */
  readonly entities: {
    /** The amount that is meant. */
    readonly amount?: Money
    /** The currency that is meant. */
    readonly currency?: string
    /** The service's name, or the words taken for a name while no service is found. */
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
  /** The request for the action. */
  readonly action: {
    /** The request's method. */
    readonly method: "GET" | "POST"
    /** The request's path. */
    readonly path: string
    /** The body to send; null for none. */
    readonly body: {
      readonly [name: string]: unknown
    } | null
  } | null
  /** The details that are still missing. */
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
  /** Everything that the action does, in one sentence in the text's language. */
  readonly summary?: string
  /**
   * The words of the text that were not understood. While there are any, nothing
   * is carried out.
   */
  readonly unread?: ReadonlyArray<string>
  /** A question about the first missing detail, in the text's language. */
  readonly clarification?: string
  /** The answer to the action, if it was carried out. */
  readonly result?: unknown
}

/** Up to 100 texts, each alone or with its context. None is carried out. */
export interface BatchInput {
  /** Up to 100 texts, each answered separately. */
  readonly queries: ReadonlyArray<
    | string
    | {
        /** A person's request in their own words, in English or Chinese. */
        readonly query: string
        /** Further context, such as the service that is meant. */
        readonly context?:
          | {
              /** The service that is meant. */
              readonly service_id?: string | undefined
              /** The agent that pays, and the person it pays for. */
              readonly payer?:
                | {
                    /** The agent's id, chosen by its account. */
                    readonly agent_id?: string | undefined
                    /** The id of the person whom the agent pays for, chosen by the caller. */
                    readonly human_id?: string | undefined
                  }
                | undefined
              /** The currency to assume if the text names none. */
              readonly currency?: string | undefined
            }
          | undefined
      }
  >
}

/** How each text was understood, in the order of the queries. */
export interface UnderstoodBatch {
  /** The answers, in the order of the texts. */
  readonly results: ReadonlyArray<Understood>
}

/**
 * The action of the payer's wallet. `pay` takes the payment as far as the flow
 * allows.
 */
export interface SimulateInput {
  /** The action of the payer or of the channel. */
  readonly action:
    | "scan"
    | "authorize"
    | "reject"
    | "insufficient_balance"
    | "settle"
    | "close"
    | "pay"
  /**
   * The amount that the payer agrees to. If the payment has another one, nothing
   * happens.
   */
  readonly amount?: PayableMoney | undefined
}

/** A channel that the sandbox simulates. */
export interface SandboxChannel {
  /** The channel's name, such as `wallet_a`. */
  readonly channel: string
  /** The secret that signs the channel's callbacks. */
  readonly secret: string
  /** The channel's faults, each on or off. */
  readonly faults: ChannelFaults
}

/** The channel's faults, each on or off. */
export interface ChannelFaults {
  /** The channel is over its rate limit. */
  readonly rate_limited: boolean
  /** The channel fails to make QR codes. */
  readonly qr_fails: boolean
  /** The channel fails to make links. */
  readonly deeplink_fails: boolean
  /** Refunds are rejected at once. */
  readonly refund_rejects: boolean
  /** Refunds are accepted, and rejected later instead of being confirmed. */
  readonly refund_rejects_late: boolean
  /** Debits are declined. */
  readonly auto_pay_declines: boolean
  /** Calls take effect but get no answer. */
  readonly timeout: boolean
  /** The channel does not answer. */
  readonly down: boolean
  /** The channel refuses our credentials. */
  readonly credentials_invalid: boolean
  /** Callbacks arrive twice. */
  readonly duplicate_callbacks: boolean
  /** The statement leaves out every other line. */
  readonly statement_drops: boolean
  /** Every other line of the statement is off by one minor unit. */
  readonly statement_changes: boolean
  /** `manual`: captures do not settle automatically. */
  readonly settle: "automatic" | "manual"
  /** `manual`: a person approves each mandate in the sandbox's wallet. */
  readonly mandates: "automatic" | "manual"
}

/** The faults to switch on or off. The others stay unchanged. */
export interface ChannelFaultsInput {
  /** The channel is over its rate limit. */
  readonly rate_limited?: boolean | undefined
  /** The channel fails to make QR codes. */
  readonly qr_fails?: boolean | undefined
  /** The channel fails to make links. */
  readonly deeplink_fails?: boolean | undefined
  /** Refunds are rejected at once. */
  readonly refund_rejects?: boolean | undefined
  /** Refunds are accepted, and rejected later instead of being confirmed. */
  readonly refund_rejects_late?: boolean | undefined
  /** Debits are declined. */
  readonly auto_pay_declines?: boolean | undefined
  /** Calls take effect but get no answer. */
  readonly timeout?: boolean | undefined
  /** The channel does not answer. */
  readonly down?: boolean | undefined
  /** The channel refuses our credentials. */
  readonly credentials_invalid?: boolean | undefined
  /** Callbacks arrive twice. */
  readonly duplicate_callbacks?: boolean | undefined
  /** The statement leaves out every other line. */
  readonly statement_drops?: boolean | undefined
  /** Every other line of the statement is off by one minor unit. */
  readonly statement_changes?: boolean | undefined
  /** `manual`: captures do not settle automatically. */
  readonly settle?: "automatic" | "manual" | undefined
  /** `manual`: a person approves each mandate in the sandbox's wallet. */
  readonly mandates?: "automatic" | "manual" | undefined
}

/** The time by which the clock moves forward. */
export interface AdvanceInput {
  /** The number of seconds by which the clock moves. */
  readonly seconds: number
}

/** The sandbox's clock after the move. */
export interface Advanced {
  /** The sandbox's new time. */
  readonly now: string
  /** The number of tasks that fell due. */
  readonly ran: number
}

/** What `sandbox.listMessages` takes. */
export interface SandboxListMessagesQuery {
  readonly verification_id?: string | undefined
}

/** A message that was stored here instead of being sent. */
export interface SandboxMessage {
  /** The message's id. */
  readonly id: string
  /** The verification's id. */
  readonly verification_id: string
  /** The medium of the message. */
  readonly channel: "email" | "sms"
  /** The recipient's address or phone number. */
  readonly to: string
  /** The message's subject. */
  readonly subject: string
  /** The message's text, with the code. */
  readonly text: string
  /** The time of sending. */
  readonly sent_at: string
}
