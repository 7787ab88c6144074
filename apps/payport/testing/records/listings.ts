import type { Listing, Offered } from "../../../../core/listings/Listing.ts"
import { HOUR } from "../../../../core/shared/Timestamp.ts"
import { hash, id, type Said, T0, uuid } from "./ids.ts"

/** What the resource of {@link aListing} offers. */
export const OFFERED: Offered = {
  scheme: "exact",
  pay_to: uuid(1),
  max_timeout_seconds: 300,
  description: 'A report: "rain".',
  mime_type: "application/json",
  declared: { info: { input: { type: "http", method: "GET", pathParams: { id: "7" } } } },
}

/** The listing in the n-th place of account 1, which was verified. */
export const aListing = ({ n = 1, ...said }: Said<Listing> = {}): Listing => ({
  id: id("lst", n),
  version: 1,
  account_id: id("acct", 1),
  service_id: uuid(1),
  place: n,
  key: hash(n),
  resource: `https://shop.example/reports-${n}/:id`,
  probe_url: `https://shop.example/reports-${n}/7`,
  method: "GET",
  amount: { currency: "USD", value: 25 },
  paid: { currency: "USD", value: 25 },
  offered: OFFERED,
  standing: "live",
  since: T0,
  reason: null,
  seen: null,
  misses: 0,
  probed_at: T0,
  mentioned_at: T0,
  created_at: T0,
  updated_at: T0,
  due_at: T0 + HOUR,
  ...said,
})
