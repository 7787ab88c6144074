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

/** So many different messages of one payment are looked through for the same one. */
const MOST = 200

/** How the message that is acted upon is written down. */
export interface Hearing {
  /** With what it leads to: the part of that commit. */
  readonly part: Effect.Effect<CommitPart, never, Ids>
  /** By itself, where it leads to nothing: counted if it has come before. */
  readonly alone: Effect.Effect<void, StoreUnavailable, Store | Ids>
}

/** What is written down of a message with some result. */
export type Hear = (payment: HeardOf, result: HeardResult, at: Timestamp) => Hearing

const NOTHING: Hearing = { part: Effect.succeed(empty), alone: Effect.void }

/** Writes nothing down: what the channel answers when it is asked is no callback. */
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
 * Writes a channel's message down. A message that leads to nothing changes at most its own record,
 * so that one that is repeated for ever takes no room; where two count at once, one does.
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
