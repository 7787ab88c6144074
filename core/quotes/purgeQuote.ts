import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { type Quote, QUOTE_KEPT } from "./Quote.ts"

/**
 * Removes a quote whose time is over; a worker calls it with the claimed record. A quote that was
 * removed meanwhile is ignored.
 */
export const purgeQuote = Effect.fn("purgeQuote")(function* (quote: Quote) {
  const store = yield* Store
  if ((yield* Clock.currentTimeMillis) < quote.expires_at + QUOTE_KEPT) return
  yield* store
    .commit({ writes: [{ op: "remove", kind: "quote", record: quote }] })
    .pipe(Effect.catchTag("Conflict", () => Effect.void))
})
