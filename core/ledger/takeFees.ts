import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { FeeDay } from "./FeeDay.ts"
import type { DayTotal } from "./LedgerQuery.ts"
import { type Journal, toPostings } from "./Posting.ts"

const owedFor = (totals: ReadonlyArray<DayTotal>, currency: string): number =>
  totals
    .filter(
      (total) =>
        total.ledger_account === "fees_due" &&
        total.currency === currency &&
        total.kind !== "fees_taken",
    )
    .reduce((sum, { amount }) => sum + amount, 0)

const takenFrom = ({ account_id, currency }: FeeDay, amount: number): Journal => ({
  kind: "fees_taken",
  account_id,
  channel: null,
  payment_intent: null,
  refund: null,
  lines: [
    { ledger_account: "merchant_wallet", currency, amount },
    { ledger_account: "fees_due", currency, amount: -amount },
  ],
})

/**
 * Takes a past day's fees from the merchant's wallet, minus what has been taken for it already
 * (Limits: T+1). Fails with `Conflict` if another worker took them first or a fee came in at the
 * last moment, because the day's record has then changed. Fees given back on a day with fewer new
 * ones return to the wallet in the same way.
 */
export const takeFees = Effect.fn("takeFees")(function* (day: FeeDay) {
  const now = yield* Clock.currentTimeMillis
  if (day.due_at === null || now < day.due_at) return
  const store = yield* Store
  const { account_id, currency } = day
  const totals = yield* store.listDayTotals({ account_id, from: day.day, to: day.day })
  const owed = owedFor(totals, currency)
  const journal = takenFrom(day, owed - day.taken)
  yield* store.commit({
    writes: [{ op: "replace", kind: "fee_day", record: { ...day, taken: owed, due_at: null } }],
    postings: toPostings([journal], (yield* Ids).uuid, now),
  })
})
