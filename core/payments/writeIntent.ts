import { Effect } from "effect"
import { meter } from "../billing/Meter.ts"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { spendWithin } from "../installs/spendWithin.ts"
import { reserve } from "../kyc/limits/Limits.ts"
import { refusedForDay } from "../kyc/limits/payers.ts"
import { loggedUse, refusedForBudget } from "../keys/keySpending.ts"
import { enter } from "../ledger/enter.ts"
import type { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { IntentDraft } from "./draftIntent.ts"
import { journalsOf } from "./IntentJournals.ts"
import { releaseRest } from "./HeldLimits.ts"
import { endsUnpaid, type PaymentIntent } from "./PaymentIntent.ts"
import { countUnpaid } from "./UnpaidPayments.ts"

/**
 * Returns the write of an intent's move, with its journals. Only this file writes intents, so that
 * no money moves without the books. `mostUnpaid` is the account's largest number of payments that
 * will be removed, in case this becomes one.
 */
export const writeIntent = (
  before: PaymentIntent,
  after: PaymentIntent,
  at: Timestamp,
  mostUnpaid?: number,
): Effect.Effect<CommitPart, never, Ids | Vault> => {
  const written: CommitPart = {
    writes: [{ op: "replace", kind: "payment_intent", record: after }],
    reservations: [
      ...countUnpaid(before, after, mostUnpaid),
      // A payment that ends unpaid gives back all that it counts with its ending.
      ...(endsUnpaid(after.status) ? [] : releaseRest(before, after)),
    ],
  }
  return Effect.map(enter(journalsOf(before, after), at), (entered) => merge(written, entered))
}

/**
 * Returns the write of an unchanged intent, for which late money comes. A removal at the same time
 * is then refused, or the callback read again, and a refund that fails is decided again.
 */
export const kept = (record: PaymentIntent): CommitPart => ({
  writes: [{ op: "replace", kind: "payment_intent", record }],
})

/**
 * Returns the removal of an intent that nobody has paid. Its QR codes are metered from now on,
 * because they can no longer be counted by the intent.
 */
export const removed = (record: PaymentIntent): CommitPart => ({
  writes: [{ op: "remove", kind: "payment_intent", record }],
  reservations: [
    ...meter(record.account_id, "qr-generation", record.created_at, record.offers.length),
    ...countUnpaid(record, undefined),
  ],
})

/** Returns the write of a new intent. No money has moved, so there are no journals. */
export const inserted = (record: PaymentIntent): CommitPart => ({
  writes: [{ op: "insert", kind: "payment_intent", record }],
})

/**
 * Stores the payment that a draft has become, with what it takes of daily limits, its install's
 * spend cap and its key's budgets. A payment that has failed already takes nothing.
 *
 * Fails with `INSUFFICIENT_KYC` and `SPEND_CAP_EXCEEDED` if a limit has no room.
 */
export const commitPayment = Effect.fnUntraced(function* (
  { budget, consent, install, intent, keyed, spender }: IntentDraft,
  { status }: Pick<PaymentIntent, "status">,
  ...parts: ReadonlyArray<CommitPart>
) {
  const store = yield* Store
  const { account_id, amount, spending } = intent
  if (status === "failed" || spending === null) {
    return yield* store.commit(merge(...parts, { guards: consent }))
  }
  const { limits } = (yield* Installation).terms
  const places = reserve(limits, spender.level, spending)
  const reservations = keyed === undefined ? places : [...places, ...keyed.reservations]
  const writes = keyed === undefined ? [] : [yield* loggedUse(keyed, intent.id, amount)]
  const commit = merge(...parts, { guards: consent, reservations, writes })
  const stored =
    install === undefined || budget === null
      ? store.commit(commit)
      : spendWithin(account_id, install, budget, commit)
  const within = keyed === undefined ? stored : refusedForBudget(keyed)(stored)
  yield* Effect.catchTag(within, "Conflict", (conflict) =>
    refusedForDay(spender, amount, spending.cents, account_id, conflict),
  )
})
