import { drawnAt, uuidAt } from "../shared/Id.ts"
import { MINUTE, type Timestamp } from "../shared/Timestamp.ts"
import type { Invoice } from "./Invoice.ts"

/**
 * Returns a hash of text in lower-case hex under a key of the installation that never changes.
 * Nobody else can compute these ids from what they know of a payer.
 */
export type KeyedHash = (text: string) => string

/** A period that is billed. */
export interface BilledPeriod {
  /** The id of the subscription or the tab. */
  readonly of: string
  readonly number: number
  /** When it becomes due: a subscription's at its start, and a tab's at its end. */
  readonly due: Timestamp
}

/**
 * Returns the id of a period's invoice. A service whose database was restored to an earlier time
 * makes the invoices of the time since again, under the same ids. `drawn` is a new UUID, and the id
 * itself in a sandbox whose clock is ahead of the time of ids: lists are in the order of ids, so
 * that of what is made later has to follow.
 */
export const invoiceOf = (
  { due, number, of }: BilledPeriod,
  keyedHash: KeyedHash,
  drawn: string,
): string => {
  const isPast = due <= drawnAt(drawn)
  return `inv_${isPast ? uuidAt(due, keyedHash(`invoice:${of}:${number}:${due}`)) : drawn}`
}

/**
 * Returns the id of the payment by which a worker first charges an invoice, under which its channel
 * knows the charge. It is the same after a restoration, so that the channel can tell that it was
 * paid. Later payments of the invoice have random ids. `drawn` is the same as for an invoice.
 */
export const chargeOf = (
  { created_at, id }: Pick<Invoice, "created_at" | "id">,
  keyedHash: KeyedHash,
  drawn: string,
): string => {
  const isPast = created_at <= drawnAt(drawn)
  return `pi_${isPast ? uuidAt(drawnAt(id), keyedHash(`charge:${id}`)) : drawn}`
}

/** Workers that keep up charge an invoice within this time, in milliseconds. */
const CHARGED_AT_ONCE = MINUTE

/**
 * Returns whether a worker charges an invoice so late that the charge may have been made before, in
 * a time that a restored database does not have.
 */
export const isLate = (
  {
    period_end,
    period_start,
    subscription,
  }: Pick<Invoice, "period_end" | "period_start" | "subscription">,
  now: Timestamp,
): boolean => now - (subscription === null ? period_end : period_start) > CHARGED_AT_ONCE
