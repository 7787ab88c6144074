import { HOLDINGS } from "../accounts/Holding.ts"
import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { type Money, equals } from "../shared/Money.ts"
import { HOUR, MINUTE, type Timestamp } from "../shared/Timestamp.ts"

/** The methods by which listed resources are asked for (x402, `bazaar`). */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const
/** One of {@link METHODS}. */
export type Method = (typeof METHODS)[number]

/** How many resources an account can have listed. */
export const MOST_LISTINGS = HOLDINGS.enterprise.listings

/** A listing whose seller is paid again and again is written so often at most. */
const MENTIONED_EVERY = HOUR

/** Between two probes of one resource there is at least so much. */
const PROBED_APART = MINUTE

/**
 * How a listing stands by its probes: `unproven` until one has seen that it holds; `live` while the
 * last one did; `silent` where the resource asks for no payment to its seller; `priced_differently`
 * where it asks for another one.
 */
export const STANDINGS = ["unproven", "live", "silent", "priced_differently"] as const
/** One of {@link STANDINGS}. */
export type Standing = (typeof STANDINGS)[number]

/** The standings of a listing that was good once. */
export const FALLEN = ["silent", "priced_differently"] as const satisfies ReadonlyArray<Standing>

/** What a resource itself says of its price and of itself, as far as it is listed. */
export interface Offered {
  /** The scheme of x402 by which it is paid. */
  readonly scheme: string
  /** Whom it names as paid: the service, or its seller's agent. */
  readonly pay_to: string
  readonly max_timeout_seconds: number
  readonly description: string | null
  readonly mime_type: string | null
  /** What it declares of its input and output (x402, `bazaar`); null without that. */
  readonly declared: { readonly [field: string]: unknown } | null
}

/** A resource that is sold by x402 and that buyers are told of (x402, discovery). */
export interface Listing {
  /** `lst_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The seller's account. */
  readonly account_id: string
  readonly service_id: string
  /** Which of the account's places it takes: every seller's first comes before all seconds. */
  readonly place: number
  /** Lower-case hex SHA-256 of method and address: a service lists a resource once. */
  readonly key: string
  /** Its address, without a query; parts of the path that vary are written as `:name`. */
  readonly resource: string
  /** An address of it that can be asked: no part of the path varies. */
  readonly probe_url: string
  readonly method: Method
  /** The listed price. */
  readonly amount: Money
  /** What was paid for it last, or what its seller said. It is listed once the resource asks it. */
  readonly paid: Money
  /** What the resource said when it held last; null until then. */
  readonly offered: Offered | null
  readonly standing: Standing
  /** Since when it holds, or does not; an unproven one since it was listed. */
  readonly since: Timestamp
  /** Why it is silent: a code; null otherwise. */
  readonly reason: string | null
  /** The other price that the resource asked at its last probe; null otherwise. */
  readonly seen: Money | null
  /** How many probes in a row found that it does not hold. */
  readonly misses: number
  readonly probed_at: Timestamp | null
  /** When its seller was paid for it, or listed it, the last time that was written down. */
  readonly mentioned_at: Timestamp
  readonly created_at: Timestamp
  /** When what is told of it changed last. */
  readonly updated_at: Timestamp
  /** When a worker asks the resource. */
  readonly due_at: Timestamp | null
}

/**
 * The listing after its seller was paid for it, or has listed it again; undefined where that is
 * nothing new. Another price, and one that does not hold, is looked at soon.
 */
export const mentioned = (listing: Listing, paid: Money, now: Timestamp): Listing | undefined => {
  const isOther = !equals(paid, listing.paid)
  const soon = Math.max(now, (listing.probed_at ?? 0) + PROBED_APART)
  const sooner = Math.min(listing.due_at ?? soon, soon)
  const due_at = isOther || listing.standing !== "live" ? sooner : listing.due_at
  const isLate = now >= listing.mentioned_at + MENTIONED_EVERY
  return isOther || isLate || due_at !== listing.due_at
    ? { ...listing, paid, mentioned_at: now, due_at }
    : undefined
}

/** The lowest of an account's places that is free; undefined without one. */
export const lowestPlace = (
  taken: ReadonlyArray<Pick<Listing, "place">>,
  most: number,
): number | undefined => {
  if (taken.length >= most) return undefined
  const places = new Set(taken.map(({ place }) => place))
  return Array.from({ length: most }, (_, n) => n + 1).find((place) => !places.has(place))
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly listing: Listing
  }
}

/** How listings are kept. */
export const listingKind = defineKind("listing", {
  prefix: "lst",
  erased: true,
  unique: [{ by: ["service_id", "key"] }, { by: ["account_id", "place"] }],
  lists: [["account_id"], ["service_id", "standing"]],
  dueAt: ownDueAt,
})
