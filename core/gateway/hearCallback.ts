import { Effect } from "effect"
import { type CommitPart, type Conflict, empty } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { ChannelCallback, RefundCallback } from "./ChannelCallback.ts"
import {
  heard,
  heardAgain,
  type HeardOf,
  type HeardResult,
  messageOf,
  sameAs,
} from "./HeardCallback.ts"

/** The most messages of a payment that are searched for the same one. */
const MOST = 200

/** How a message is recorded. */
export interface Hearing {
  /** Returns the commit part that records it together with its effects. */
  readonly part: Effect.Effect<CommitPart, never, Ids>
  /** Records a message without effects by itself; counts a repeated message. */
  readonly alone: Effect.Effect<void, StoreUnavailable, Store | Ids>
}

/** Returns how a message with that result is recorded. */
export type Hear = (payment: HeardOf, result: HeardResult, at: Timestamp) => Hearing

const NOTHING: Hearing = { part: Effect.succeed(empty), alone: Effect.void }

/** Records nothing, for answers to inquiries, which are not callbacks. */
export const unheard: Hear = () => NOTHING

const inserted = (
  payment: HeardOf,
  callback: ChannelCallback | RefundCallback,
  result: HeardResult,
  at: Timestamp,
) =>
  Effect.map(Ids, (ids): CommitPart & { writes: NonNullable<CommitPart["writes"]> } => {
    const record = heard(`cb_${ids.uuid()}`, payment, messageOf(callback), result, at)
    return { writes: [{ op: "insert", kind: "callback", record }] }
  })

/**
 * Records a channel's message. A message without effects changes at most its own record, so that
 * endless repetition takes no space. Of concurrent repetitions, one is counted.
 */
export const hearCallback =
  (callback: ChannelCallback | RefundCallback): Hear =>
  (payment, result, at) => {
    const part = inserted(payment, callback, result, at)
    const alone = Effect.gen(function* () {
      const store = yield* Store
      const by = { payment_intent: payment.id }
      const known = yield* store.list("callback", { by, order: "oldest", limit: MOST })
      const same = sameAs(known, messageOf(callback))
      if (same === undefined) return yield* store.commit(yield* part)
      const record = heardAgain(same, at)
      yield* store.commit({ writes: [{ op: "replace", kind: "callback", record }] })
    }).pipe(Effect.catchTag("Conflict", (_: Conflict) => Effect.void))
    return { part, alone }
  }
