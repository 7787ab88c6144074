import { equals, type Money } from "../shared/Money.ts"
import { DAY, MINUTE, type Timestamp } from "../shared/Timestamp.ts"
import { addressOf } from "./Address.ts"
import type { Listing, Offered, Standing } from "./Listing.ts"

/** How long an unproven listing is probed before it is removed, in milliseconds. */
export const UNPROVEN_KEPT = DAY

/** How long a listing that is no longer confirmed is kept, in milliseconds. */
export const FALLEN_KEPT = 14 * DAY

/** One payment option of a resource. */
export interface Offer {
  readonly scheme: string
  readonly network: string
  readonly pay_to: string
  readonly amount: Money
  readonly max_timeout_seconds: number
}

/** A resource's answer to a request without a payment. */
export type ProbeAnswer =
  | {
      readonly type: "silent"
      /** A code: `timeout`, `dns`, `status_200`, `no_requirements`. */
      readonly reason: string
    }
  | {
      readonly type: "payment_required"
      readonly offers: ReadonlyArray<Offer>
      /** The resource's own path template, if it has one. */
      readonly template: string | null
      readonly said: Pick<Offered, "description" | "mime_type" | "declared">
    }

/** The meaning of an answer for its listing. */
export type Finding =
  | { readonly type: "holds"; readonly amount: Money; readonly offered: Offered }
  | { readonly type: "silent"; readonly reason: string }
  | { readonly type: "priced_differently"; readonly seen: Money }

/** The payee of a listed resource, and the network of this installation. */
export interface Seller {
  readonly network: string
  /** The seller's agent, which our own paid endpoints name as payee. */
  readonly agent_id: string
}

const silent = (reason: string): Finding => ({ type: "silent", reason })

/**
 * Returns the meaning of an answer. A listing is confirmed where the resource asks for a payment to
 * its seller at the listed price, or at the price that was paid last.
 */
export const findingOf = (listing: Listing, { agent_id, network }: Seller, answer: ProbeAnswer) => {
  if (answer.type === "silent") return silent(answer.reason)
  const { offers, said, template } = answer
  if (addressOf(listing.probe_url, template)?.resource !== listing.resource) {
    return silent("other_address")
  }
  const ours = offers.filter(
    (offer) => offer.network === network && [listing.service_id, agent_id].includes(offer.pay_to),
  )
  const [first] = ours
  if (first === undefined) return silent("other_payee")
  const asking = (price: Money) => ours.find(({ amount }) => equals(amount, price))
  const good = asking(listing.amount) ?? asking(listing.paid)
  if (good === undefined) {
    const sameCurrency = ours.find(({ amount }) => amount.currency === listing.amount.currency)
    const { amount: seen } = sameCurrency ?? first
    return { type: "priced_differently", seen } satisfies Finding
  }
  const { amount, max_timeout_seconds, pay_to, scheme } = good
  const offered: Offered = { scheme, pay_to, max_timeout_seconds, ...said }
  return { type: "holds", amount, offered } satisfies Finding
}

/** Returns the finding of a listing's last probe; undefined without one. */
export const lastFinding = (listing: Listing): Finding | undefined => {
  const { amount, offered, probed_at, reason, seen, standing } = listing
  if (probed_at === null) return undefined
  if (seen !== null) return { type: "priced_differently", seen }
  if (reason !== null) return silent(reason)
  return standing === "live" && offered !== null ? { type: "holds", amount, offered } : undefined
}

/** Returns the wait after failed probes in a row: a minute, then twice as long each time. */
export const pauseAfter = (misses: number, interval: number): number =>
  Math.min(interval, MINUTE * 2 ** Math.min(misses - 1, 20))

const held = (listing: Listing, finding: Extract<Finding, { type: "holds" }>, now: Timestamp) => {
  const { amount, offered } = finding
  const same =
    listing.standing === "live" &&
    equals(amount, listing.amount) &&
    JSON.stringify(offered) === JSON.stringify(listing.offered)
  return {
    ...listing,
    amount,
    offered,
    standing: "live" as const,
    since: listing.standing === "live" ? listing.since : now,
    reason: null,
    seen: null,
    misses: 0,
    updated_at: same ? listing.updated_at : now,
  }
}

const missed = (listing: Listing, finding: Exclude<Finding, { type: "holds" }>, now: Timestamp) => {
  const { standing } = listing
  const next: Standing = standing === "unproven" ? standing : finding.type
  return {
    ...listing,
    standing: next,
    since: standing === "live" ? now : listing.since,
    reason: finding.type === "silent" ? finding.reason : null,
    seen: finding.type === "priced_differently" ? finding.seen : null,
    misses: listing.misses + 1,
    updated_at: next === standing ? listing.updated_at : now,
  }
}

/** Tells whether an unconfirmed listing is removed now. */
const isOver = ({ created_at, since, standing }: Listing, now: Timestamp): boolean =>
  standing === "unproven"
    ? now >= created_at + UNPROVEN_KEPT
    : standing !== "live" && now >= since + FALLEN_KEPT

/**
 * Updates the listing after a probe and schedules the next one; null where the listing is removed.
 * An unconfirmed listing records since when, and is probed sooner than a confirmed one.
 */
export const afterProbe = (
  listing: Listing,
  finding: Finding,
  now: Timestamp,
  interval: number,
): Listing | null => {
  if (finding.type === "holds") {
    return { ...held(listing, finding, now), probed_at: now, due_at: now + interval }
  }
  const next: Listing = { ...missed(listing, finding, now), probed_at: now }
  return isOver(next, now) ? null : { ...next, due_at: now + pauseAfter(next.misses, interval) }
}
