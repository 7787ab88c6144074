import { Effect } from "effect"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { enter } from "../ledger/enter.ts"
import type { Ids } from "../ports/Ids.ts"
import type { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { journalsOf } from "./IntentJournals.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

/**
 * The writing of an intent, with what the ledger has to say about it. Intents are written here
 * alone, so that no money moves past the books. `before` is undefined for a new one.
 */
export const writeIntent = (
  before: PaymentIntent | undefined,
  after: PaymentIntent,
  at: Timestamp,
): Effect.Effect<CommitPart, never, Ids | Vault> => {
  const op = before === undefined ? "insert" : "replace"
  const written: CommitPart = { writes: [{ op, kind: "payment_intent", record: after }] }
  return Effect.map(enter(journalsOf(before, after), at), (entered) => merge(written, entered))
}
