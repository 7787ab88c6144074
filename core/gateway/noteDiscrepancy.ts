import { Effect } from "effect"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import type { CommitPart, Conflict } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { ChannelCallback } from "./ChannelCallback.ts"
import { type Contradiction, othersTrade, TRADE_KEYS } from "./Contradiction.ts"
import type { Discrepancy } from "./Discrepancy.ts"

/** A payment as far as discrepancies about it are concerned. */
interface Concerned {
  readonly id: string
  readonly payee_account_id: string
}

/** A message as a discrepancy tells of it. */
interface Message {
  readonly channel: string
  readonly trade_no: string
  readonly trade_status: string
}

const NOTED = "discrepancy:"

/**
 * The part of a commit that notes a contradiction for reconciliation. It claims a name, so that the
 * same contradiction is noted once.
 */
export const newDiscrepancy = Effect.fnUntraced(function* (
  payment: Concerned,
  { channel, trade_no, trade_status }: Message,
  found: Contradiction,
  at: Timestamp,
) {
  const id = `disc_${(yield* Ids).uuid()}`
  const record: Discrepancy = {
    id,
    version: 1,
    account_id: payment.payee_account_id,
    ...found,
    payment_intent: payment.id,
    channel,
    trade_no,
    run: null,
    created_at: at,
  }
  const key = `${NOTED}${found.kind}:${payment.id}:${channel}:${trade_no}:${trade_status}`
  return {
    writes: [{ op: "insert", kind: "discrepancy", record }],
    keys: [{ op: "claim", key, owner: id }],
  } satisfies CommitPart
})

/** Ends without an effect when the contradiction was noted before, by the same message. */
export const unlessNoted = catchConflict(isKeyTaken(NOTED), () => Effect.void)

/** Notes a contradiction for reconciliation, once. */
export const noteDiscrepancy = Effect.fnUntraced(function* (
  payment: Concerned,
  message: Message,
  found: Contradiction,
  at: Timestamp,
) {
  const store = yield* Store
  yield* store.commit(yield* newDiscrepancy(payment, message, found, at)).pipe(unlessNoted)
})

/** Refuses a callback whose trade pays another payment already, and notes that. */
export const refuseOthersTrade =
  (payment: Concerned, callback: ChannelCallback, at: Timestamp) =>
  <A, E, R>(self: Effect.Effect<A, E | Conflict, R>) =>
    catchConflict(isKeyTaken(TRADE_KEYS), () =>
      Effect.andThen(
        noteDiscrepancy(payment, callback, othersTrade(payment.id, callback.trade_no), at),
        new Failure({
          code: "CHANNEL_MISMATCH",
          message: `Trade ${callback.trade_no} pays another payment. Nothing was moved.`,
        }),
      ),
    )(self)
