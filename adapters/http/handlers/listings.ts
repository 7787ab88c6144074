import {
  getListing,
  listListings,
  listResource,
  removeListing,
} from "../../../core/listings/ownListings.ts"
import type { listings } from "../contract/listings.ts"
import type { CoreHandlers } from "./Core.ts"

export const listingHandlers = {
  create: ({ caller, payload }) => listResource(caller, payload),
  list: ({ caller, query }) => listListings(caller, query),
  get: ({ caller, params }) => getListing(caller, params.id),
  delete: ({ caller, params }) => removeListing(caller, params.id),
} satisfies CoreHandlers<typeof listings>
