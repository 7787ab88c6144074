import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { find } from "../channels/Channel.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { searchWords, type ServiceQuery } from "./ServiceQuery.ts"
import { manifestSummary } from "./ServiceView.ts"

/** The largest offset. No store has more services, so results behind it are empty anyway. */
const LAST_OFFSET = 2_147_483_647

const unknownChannel = (channel: string) =>
  new Failure({
    code: "INVALID_QUERY",
    field: "channel",
    message: `No channel ${JSON.stringify(channel.slice(0, 64))} exists.`,
    details: { field: "channel", constraint: "must be a supported channel" },
  })

/**
 * Searches services (Service registry): active ones by default. Drafts, paused and deleted services
 * are found by their owner only. A key that is restricted to services finds only those; one that is
 * restricted to agents finds only public ones, since the others concern no agent.
 *
 * Fails with `INVALID_QUERY` for a channel that does not exist.
 */
export const searchServices = Effect.fn("searchServices")(function* (
  { account, restrictions }: Caller,
  query: ServiceQuery,
) {
  const { catalog } = yield* Installation
  const { channel, payment_method, limit, offset } = query
  if (channel !== undefined && find(catalog, channel) === undefined) {
    return yield* unknownChannel(channel)
  }
  const store = yield* Store
  const q = searchWords(query.q)
  const { data, total } = yield* store.searchServices({
    ...(q === undefined ? {} : { q }),
    ...(channel === undefined ? {} : { channel }),
    ...(payment_method === undefined ? {} : { payment_method }),
    ...(restrictions?.services && { ids: restrictions.services }),
    ...(query.own === "true" && { own: true }),
    status: query.status ?? "active",
    viewer: restrictions?.agents === undefined ? account.id : "",
    limit,
    offset: Math.min(offset, LAST_OFFSET),
  })
  return { data: data.map(manifestSummary), pagination: { total, limit, offset } }
})
