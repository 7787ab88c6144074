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
 * The writing of an intent's move, with what the ledger has to say about it. Intents are written
 * in this file alone, so that no money moves past the books. `mostUnpaid` is how many payments the
 * account may have that are to leave, where this may become one.
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
      // What ends unpaid gives back all that it counts, with its ending.
      ...(endsUnpaid(after.status) ? [] : releaseRest(before, after)),
    ],
  }
  return Effect.map(enter(journalsOf(before, after), at), (entered) => merge(written, entered))
}

/**
 * The removal of an intent that nobody has paid. The QR codes that it had are metered from now on,
 * since they can no longer be counted by it.
 */
export const removed = (record: PaymentIntent): CommitPart => ({
  writes: [{ op: "remove", kind: "payment_intent", record }],
  reservations: [
    ...meter(record.account_id, "qr-generation", record.created_at, record.offers.length),
    ...countUnpaid(record, undefined),
  ],
})

/** The writing of a new intent. None of its money has moved, so the ledger has nothing to say. */
export const inserted = (record: PaymentIntent): CommitPart => ({
  writes: [{ op: "insert", kind: "payment_intent", record }],
})

/**
 * Stores the payment that a draft has become, with its place within the daily limits that it
 * takes, its install's spend cap and its key's budgets. One that has failed already takes none.
 *
 * Fails with `INSUFFICIENT_KYC` and `SPEND_CAP_EXCEEDED` where they have no room.
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
