import { Effect, Result } from "effect"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { collectedUntil, type Invoice, postponed } from "../invoices/Invoice.ts"
import { machine } from "../invoices/Subscription.ts"
import { endedTab } from "../invoices/tabs.ts"
import { writeInvoice, writeSubscription } from "../invoices/writeInvoice.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { endInvoice } from "./endInvoice.ts"

/**
 * Returns the commit part that ends the subscription of an unpaid invoice, with its open invoices.
 */
const endedSubscription = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const at = collectedUntil(invoice)
  const given = { type: "given_up", at } as const
  const store = yield* Store
  const subscription =
    invoice.subscription === null
      ? undefined
      : yield* store.find("subscription", invoice.subscription)
  const moved =
    subscription && machine.step(subscription, { type: "cancelled", at, reason: "unpaid" })
  if (subscription === undefined || moved === undefined || Result.isFailure(moved)) {
    return yield* endInvoice(invoice, given, now)
  }
  const { emit, record } = moved.success
  const open = yield* store.list("invoice", {
    by: { subscription: subscription.id, status: "open" },
    order: "oldest",
  })
  const others = open.filter(({ id }) => id !== invoice.id)
  const ended = yield* Effect.forEach([invoice, ...others], (each) => endInvoice(each, given, now))
  return merge(writeSubscription("replace", record, emit, yield* Ids, now), ...ended)
})

/**
 * Returns the commit part that closes a tab whose bill is given up. A closed tab is written, too,
 * so that an agent which opens it at the same time is refused.
 */
const endedTabOf = Effect.fnUntraced(function* (id: string, now: Timestamp) {
  const record = (yield* endedTab(id, now)) ?? (yield* (yield* Store).find("tab", id))
  const part: CommitPart =
    record === undefined ? empty : { writes: [{ op: "replace", kind: "tab", record }] }
  return part
})

/**
 * Gives up an invoice that was not paid in time: ends its subscription or tab, and voids its
 * payment. An invoice that is being charged waits for the outcome. Fails with `Conflict` when it is
 * paid at the same time.
 */
export const giveUp = Effect.fnUntraced(function* (invoice: Invoice, now: Timestamp) {
  const ended = yield* endedSubscription(invoice, now).pipe(
    Effect.catchTag("Failure", () => Effect.undefined),
  )
  if (ended === undefined) {
    const waiting = writeInvoice("replace", postponed(invoice, now), [], yield* Ids, now)
    return yield* (yield* Store).commit(waiting)
  }
  const tab = invoice.tab === null ? empty : yield* endedTabOf(invoice.tab, now)
  yield* (yield* Store).commit(merge(ended, tab))
})
