import { Effect } from "effect"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { type CommitPart, type Conflict, empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { ChannelCallback } from "./ChannelCallback.ts"
import { type Contradiction, othersTrade, TRADE_KEYS } from "./Contradiction.ts"
import type { Discrepancy } from "./Discrepancy.ts"
import type { Hear, Hearing } from "./hearCallback.ts"

/** The fields of a payment that discrepancies need. */
interface Concerned {
  readonly id: string
  readonly payee_account_id: string
}

/** The fields of a message that a discrepancy needs. */
interface Message {
  readonly channel: string
  readonly trade_no: string
  readonly trade_status: string
}

const NOTED = "discrepancy:"

/**
 * Returns the commit part that records a contradiction for reconciliation. It claims a unique name,
 * so that the same contradiction is recorded once.
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

/** Counts the message alone if the same contradiction was recorded before. */
export const unlessNoted = ({ alone }: Hearing) => catchConflict(isKeyTaken(NOTED), () => alone)

/**
 * Records a contradiction for reconciliation once, together with its message and with `along`.
 */
export const noteDiscrepancy = Effect.fnUntraced(function* (
  payment: Concerned,
  message: Message,
  found: Contradiction,
  hearing: Hearing,
  at: Timestamp,
  along: CommitPart = empty,
) {
  const store = yield* Store
  const noted = merge(yield* hearing.part, yield* newDiscrepancy(payment, message, found, at))
  yield* store.commit(merge(noted, along)).pipe(unlessNoted(hearing))
})

/** Refuses a callback whose trade pays another payment, and records the contradiction. */
export const refuseOthersTrade =
  (payment: Concerned, callback: ChannelCallback, hear: Hear, at: Timestamp) =>
  <A, E, R>(self: Effect.Effect<A, E | Conflict, R>) =>
    catchConflict(isKeyTaken(TRADE_KEYS), () =>
      Effect.andThen(
        noteDiscrepancy(
          payment,
          callback,
          othersTrade(payment.id, callback.trade_no),
          hear(payment, "refused", at),
          at,
        ),
        new Failure({
          code: "CHANNEL_MISMATCH",
          message: `Trade ${callback.trade_no} pays another payment. The callback had no effect.`,
        }),
      ),
    )(self)
