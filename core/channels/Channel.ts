/**
 * The KYC levels, from low to high. Each includes the rights of the lower ones (KYC level limits).
 */
export const KYC_LEVELS = ["anonymous", "basic", "enhanced", "business"] as const
export type KycLevel = (typeof KYC_LEVELS)[number]

/** Returns whether a level is at least the required one. */
export const atLeast = (level: KycLevel, required: KycLevel): boolean =>
  KYC_LEVELS.indexOf(level) >= KYC_LEVELS.indexOf(required)

/** Returns the lower of two levels. */
export const lower = (a: KycLevel, b: KycLevel): KycLevel => (atLeast(a, b) ? b : a)

/** A payment channel of the catalog: what it is, what it can do and what it costs. */
export interface Channel {
  readonly id: string
  /** The name that people see. */
  readonly label: string
  readonly kind: "consumer_wallet" | "bank_linked" | "business" | "stablecoin"
  /** Refund rules by channel type; `max_partial_refunds` null means unlimited. */
  readonly refunds: {
    readonly type: 1 | 2 | 3
    readonly max_partial_refunds: number | null
    readonly window_days: number
    readonly rate_per_second: number | null
  }
  readonly deep_links: boolean
  /** Whether a capture may take less than the hold and release the rest; false by default. */
  readonly partial_capture?: boolean
  readonly settles: "real_time" | "t_plus_1"
  /** The network's own fee, in parts per ten thousand of the amount. */
  readonly network_fee_basis_points: number
  /** ISO 4217 codes, or every currency. */
  readonly currencies: ReadonlyArray<string> | "every"
  readonly kyc_level: KycLevel
  /** The currency that a stablecoin channel's token is pegged to. */
  readonly pegged_to?: string
  /**
   * The schemes of merchant QR codes that the channel pays: names such as `promptpay`, or the
   * globally unique identifiers of account templates.
   */
  readonly qr_schemes?: ReadonlyArray<string>
}

/** The health of a channel. */
export type Health = "up" | "rate_limited" | "down"

/** The channels of an installation in their order of preference. An embedder can give its own. */
export type Catalog = ReadonlyArray<Channel>

/** Returns the channel with that id, if the catalog has one. */
export const find = (catalog: Catalog, id: string): Channel | undefined =>
  catalog.find((channel) => channel.id === id)

/** Returns the first channel that pays merchant codes of one of these schemes. */
export const paysScheme = (catalog: Catalog, names: ReadonlyArray<string>): Channel | undefined =>
  catalog.find(({ qr_schemes = [] }) =>
    qr_schemes.some((scheme) => names.some((name) => name.toLowerCase() === scheme.toLowerCase())),
  )

/** Returns whether the channel can take an amount in that currency. */
export const serves = (channel: Channel, currency: string): boolean =>
  channel.currencies === "every" || channel.currencies.includes(currency)
