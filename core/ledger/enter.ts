import { Effect } from "effect"
import { type CommitPart, empty } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { feeDayOf } from "./FeeDay.ts"
import { type Journal, toPostings } from "./Posting.ts"

const enterAll = Effect.fnUntraced(function* (
  journals: ReadonlyArray<Journal>,
  at: Timestamp,
): Effect.fn.Return<CommitPart, never, Ids | Vault> {
  const { sha256 } = yield* Vault
  const postings = toPostings(journals, (yield* Ids).uuid, at)
  const owed = postings.filter(({ ledger_account }) => ledger_account === "fees_due")
  const fee_days = owed.map(({ account_id, currency }) =>
    feeDayOf(account_id, currency, at, sha256),
  )
  return { postings, fee_days }
})

/**
 * Returns journals as parts of the commit that causes them: their rows, and the days with new fees,
 * which leave the wallet on the next day. Most payments begin with none.
 */
export const enter = (
  journals: ReadonlyArray<Journal>,
  at: Timestamp,
): Effect.Effect<CommitPart, never, Ids | Vault> =>
  journals.length === 0 ? Effect.succeed(empty) : enterAll(journals, at)
