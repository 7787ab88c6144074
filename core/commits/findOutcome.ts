import { Clock, Effect, Result } from "effect"
import { type Store, StoreUnavailable } from "../ports/Store.ts"
import { CurrentDeadline } from "../shared/CurrentDeadline.ts"
import { isDrawn } from "../shared/Id.ts"
import type { Commit, ConflictReason } from "./Commit.ts"

/** How long the outcome of a commit is looked for, in milliseconds. */
export const FOUND_OUT_WITHIN = 10_000

/** Waits before a commit is sent again, in milliseconds: each twice the last, up to the longest. */
const FIRST_WAIT = 50
const LONGEST_WAIT = 1_000

/**
 * What a commit stores under an id that was drawn for it alone: where it is found, the commit was
 * stored, whatever has become of the records that it changed.
 */
const witnessOf = ({ events: [event] = [], writes }: Commit) => {
  if (event !== undefined) return { kind: "event", id: event.id } as const
  const inserted = writes.find(({ op, record }) => op === "insert" && isDrawn(record.id))
  return inserted === undefined ? undefined : { kind: inserted.kind, id: inserted.record.id }
}

/** Versions and answers do not come back: what they refuse once, they refuse for good. */
const isFinal = ({ type }: ConflictReason): boolean =>
  type === "stale_version" || type === "reply_taken"

/**
 * What has become of a commit that a store gave no answer to. Where its outcome is unknown it is
 * sent again until the store says, at most 10 seconds and not beyond the caller's deadline. That is
 * harmless: it inserts a record whose id cannot be there twice, so that one of the two is refused.
 * Only looking for the record would not do, since the first commit may still be on its way.
 *
 * Fails as the commit would have. What could not be found out fails with `unknown`, and names the
 * first record of the commit.
 */
export const findOutcome = Effect.fnUntraced(function* (
  { commit, find }: Pick<Store["Service"], "commit" | "find">,
  wanted: Commit,
  lost: StoreUnavailable,
) {
  const { cause, outcome } = lost
  if (outcome === "not_stored") return yield* lost
  const subject = wanted.writes[0]?.record.id
  const unknown = new StoreUnavailable({ outcome, cause, subject })
  const witness = witnessOf(wanted)
  if (witness === undefined) return yield* unknown
  const { left } = yield* CurrentDeadline
  const until = (yield* Clock.currentTimeMillis) + Math.min(FOUND_OUT_WITHIN, left())
  for (let wait = FIRST_WAIT; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    if ((yield* Clock.currentTimeMillis) + wait > until) return yield* unknown
    yield* Effect.sleep(wait)
    const again = yield* Effect.result(commit(wanted))
    if (Result.isSuccess(again)) return
    if (again.failure instanceof StoreUnavailable) continue
    const found = yield* Effect.result(find(witness.kind, witness.id))
    if (Result.isFailure(found)) continue
    if (found.success !== undefined) return
    if (isFinal(again.failure.reason)) return yield* again.failure
  }
})
