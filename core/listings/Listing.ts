import { HOLDINGS } from "../accounts/Holding.ts"
import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { type Money, equals } from "../shared/Money.ts"
import { HOUR, MINUTE, type Timestamp } from "../shared/Timestamp.ts"

/**
 * The HTTP methods of listed resources (x402, `bazaar`). A probe sends them to a URL that anybody
 * can name, so that those which change or delete what is there are not among them.
 */
export const METHODS = ["GET", "HEAD", "POST"] as const
/** One of {@link METHODS}. */
export type Method = (typeof METHODS)[number]

/** The most listings of an account. */
export const MOST_LISTINGS = HOLDINGS.enterprise.listings

/** A listing is written for further payments at most this often, in milliseconds. */
const MENTIONED_EVERY = HOUR

/** The shortest time between two probes of a resource, in milliseconds. */
const PROBED_APART = MINUTE

/**
 * The standing of a listing by its probes. `unproven`: no probe has confirmed it yet. `live`: the
 * last probe confirmed it. `silent`: the resource asks for no payment to its seller.
 * `priced_differently`: the resource asks for another price.
 */
export const STANDINGS = ["unproven", "live", "silent", "priced_differently"] as const
/** One of {@link STANDINGS}. */
export type Standing = (typeof STANDINGS)[number]

/** The standings of a listing that was confirmed once. */
export const FALLEN = ["silent", "priced_differently"] as const satisfies ReadonlyArray<Standing>

/** The part of a resource's own payment requirements that is listed. */
export interface Offered {
  /** The x402 scheme of the payment. */
  readonly scheme: string
  /** The payee that it names: the service, or its seller's agent. */
  readonly pay_to: string
  readonly max_timeout_seconds: number
  readonly description: string | null
  readonly mime_type: string | null
  /** Its declared input and output (x402, `bazaar`); null without a declaration. */
  readonly declared: { readonly [field: string]: unknown } | null
}

/** A resource sold by x402 that buyers can discover (x402, discovery). */
export interface Listing {
  /** `lst_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The seller's account. */
  readonly account_id: string
  readonly service_id: string
  /**
   * Its place among the account's listings. The first place of every seller is shown before any
   * second.
   */
  readonly place: number
  /** Lower-case hex SHA-256 of method and URL; a service lists a resource once. */
  readonly key: string
  /** Its URL without a query; variable parts of the path are written as `:name`. */
  readonly resource: string
  /** A URL that can be probed: it has no variable parts. */
  readonly probe_url: string
  readonly method: Method
  /** The listed price. */
  readonly amount: Money
  /**
   * The last price that was paid or that its seller gave. It becomes `amount` once a probe confirms
   * it.
   */
  readonly paid: Money
  /** The resource's requirements at the last successful probe; null before. */
  readonly offered: Offered | null
  readonly standing: Standing
  /** Since when the standing holds; for an unproven listing, since its creation. */
  readonly since: Timestamp
  /** A code for why it is silent; null otherwise. */
  readonly reason: string | null
  /** The other price at the last probe; null otherwise. */
  readonly seen: Money | null
  /** How many probes in a row did not confirm it. */
  readonly misses: number
  readonly probed_at: Timestamp | null
  /** The last recorded time at which its seller was paid for it or listed it. */
  readonly mentioned_at: Timestamp
  readonly created_at: Timestamp
  /** When the published data last changed. */
  readonly updated_at: Timestamp
  /** When a worker probes the resource next. */
  readonly due_at: Timestamp | null
}

/**
 * Updates the listing after a payment for it, or after its seller has listed it again; undefined
 * where nothing changes. A new price, and a listing that is not live, is probed soon.
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

/** Returns the lowest free place of an account; undefined without one. */
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

/** How the store keeps listings. */
export const listingKind = defineKind("listing", {
  prefix: "lst",
  erased: true,
  unique: [{ by: ["service_id", "key"] }, { by: ["account_id", "place"] }],
  lists: [["account_id"], ["service_id", "standing"]],
  dueAt: ownDueAt,
})
