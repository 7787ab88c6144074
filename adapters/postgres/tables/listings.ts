import { METHODS, MOST_LISTINGS, STANDINGS } from "../../../core/listings/Listing.ts"
import * as column from "./codecs.ts"
import { money } from "./Group.ts"
import { makeTable } from "./Table.ts"

/** The order of listings in a search: those that hold first. */
export const LISTING_ORDER = "(standing <> 'live'), place, id"

export const listings = makeTable({
  kind: "listing",
  name: "listings",
  fields: {
    account_id: column.id("acct"),
    service_id: column.uuid,
    place: column.checked(column.integer, `… BETWEEN 1 AND ${MOST_LISTINGS}`),
    key: column.sha256,
    resource: column.checked(column.text, "length(…) BETWEEN 1 AND 2560"),
    probe_url: column.checked(column.text, "length(…) BETWEEN 1 AND 2048"),
    method: column.word(...METHODS),
    amount: money("amount", column.amount),
    paid: money("paid", column.amount),
    offered: column.nullable(column.jsonObject()),
    standing: column.word(...STANDINGS),
    since: column.timestamp,
    reason: column.nullable(column.checked(column.text, "length(…) BETWEEN 1 AND 64")),
    seen: column.nullable(column.moneyDocument()),
    misses: column.count,
    probed_at: column.nullable(column.timestamp),
    mentioned_at: column.timestamp,
    created_at: column.timestamp,
    updated_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  constraints: {
    listings_proven: "(standing = 'unproven') = (offered IS NULL)",
    listings_seen: "standing <> 'live' OR (reason IS NULL AND seen IS NULL)",
  },
  indexes: {
    listings_found: `(${LISTING_ORDER}) WHERE standing <> 'unproven'`,
  },
})
