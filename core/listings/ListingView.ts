import { Schema } from "effect"
import { toIso } from "../shared/Timestamp.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { type Listing, METHODS, STANDINGS } from "./Listing.ts"

/** A listing as its seller sees it. */
export const ListingView = Schema.Struct({
  id: Schema.String.annotate({ description: "`lst_` and a UUIDv7." }),
  service_id: Schema.String.annotateKey({ description: "The service that is paid." }),
  resource: Schema.String.annotateKey({
    description: "The resource's URL. `:name` stands for a variable part of the path.",
  }),
  method: Schema.Literals(METHODS).annotateKey({ description: "The HTTP method of the resource." }),
  amount: Amount.annotate({ description: "The listed price." }),
  standing: Schema.Literals(STANDINGS).annotateKey({
    description:
      "`live` is listed first. `silent` and `priced_differently` come after all live " +
      "resources. `unproven` is shown only to you.",
  }),
  since: Time.annotateKey({
    description: "Since when the resource has matched its listing, or not.",
  }),
  reason: Schema.optionalKey(Schema.String).annotate({
    description:
      "Why the resource does not match: `timeout`, `dns` and similar; `status_200` for an " +
      "answer that was not a 402; `no_requirements`; `other_payee` or `other_address` for " +
      "a 402 with another payee or address.",
  }),
  seen: Schema.optionalKey(Amount).annotate({
    description: "The different price that the resource asks for.",
  }),
  probed_at: Schema.optionalKey(Time).annotateKey({
    description: "When the resource was last probed.",
  }),
  next_probe_at: Schema.optionalKey(Time).annotateKey({
    description: "When the resource is probed next.",
  }),
  created_at: Time.annotateKey({ description: "When the resource was listed." }),
  updated_at: Time.annotateKey({ description: "When the data shown to buyers last changed." }),
}).annotate({
  identifier: "ListedResource",
  description: "A seller's resource that buyers find by x402 discovery.",
  examples: [
    {
      id: "lst_01997d3e-8a00-7000-8000-000000000060",
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      resource: "https://weather.example/reports/:id",
      method: "GET",
      amount: { currency: "USD", value: 25 },
      standing: "live",
      since: "2026-01-31T08:00:00.000Z",
      probed_at: "2026-01-31T08:00:00.000Z",
      next_probe_at: "2026-01-31T09:00:00.000Z",
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** See {@link ListingView}. */
export const listingView = (listing: Listing): typeof ListingView.Type => {
  const { due_at, probed_at, reason, seen } = listing
  return {
    id: listing.id,
    service_id: listing.service_id,
    resource: listing.resource,
    method: listing.method,
    amount: listing.amount,
    standing: listing.standing,
    since: toIso(listing.since),
    ...(reason !== null && { reason }),
    ...(seen !== null && { seen }),
    ...(probed_at !== null && { probed_at: toIso(probed_at) }),
    ...(due_at !== null && { next_probe_at: toIso(due_at) }),
    created_at: toIso(listing.created_at),
    updated_at: toIso(listing.updated_at),
  }
}
