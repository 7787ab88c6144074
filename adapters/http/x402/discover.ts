import { Effect } from "effect"
import { discoverListings } from "../../../core/listings/discoverListings.ts"
import {
  type DiscoveryQuery,
  type DiscoveryResponse,
  MOST_ON_PAGE,
  resourceOf,
} from "../../shared/x402/Discovery.ts"
import { ourNetwork } from "../../shared/x402/network.ts"
import { BAZAAR } from "../../shared/x402/Required.ts"
import { VERSION } from "../../shared/x402/Wire.ts"

/** Lists resources that are sold by x402 (`bazaar`). An unknown filter value finds nothing. */
export const discoverResources = Effect.fnUntraced(function* (query: DiscoveryQuery) {
  const { extensions, offset, payTo, scheme, type = "http" } = query
  const network = yield* ourNetwork
  const limit = Math.min(query.limit, MOST_ON_PAGE)
  const isListed =
    type === "http" && (query.network ?? network) === network && (extensions ?? BAZAAR) === BAZAAR
  const { data, total } = isListed
    ? yield* discoverListings({
        ...(payTo !== undefined && { service_id: payTo }),
        ...(scheme !== undefined && { scheme }),
        ...(extensions !== undefined && { declared: true as const }),
        limit,
        offset,
      })
    : { data: [], total: 0 }
  const response: DiscoveryResponse = {
    x402Version: VERSION,
    items: data.flatMap((one) => resourceOf(network, one)),
    pagination: { limit, offset, total },
  }
  return response
})
