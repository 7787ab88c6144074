import { Clock, Effect, Result } from "effect"
import { catchConflict } from "../commits/catchConflict.ts"
import { type CommitPart, type ConflictReason, merge } from "../commits/Commit.ts"
import type { Records } from "../commits/Records.ts"
import { retryConflict, type Repeatable } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { ChannelOutcome } from "./ChannelCall.ts"
import type { Hearing } from "./hearCallback.ts"
import { type ChannelRequest, machine, moveBy } from "./ChannelRequest.ts"

type Payment = Records["payment_intent"]

/** What an outcome means for the concept that made the request. */
export interface OutcomeMeaning {
  /** The commit part that is stored with the outcome. */
  readonly part?: CommitPart
  /** Stored too, unless a name that it claims is already taken. */
  readonly once?: CommitPart | undefined
  /** The payment after the outcome, if it changes. */
  readonly payment?: Payment | undefined
}

/** The meaning of an outcome that changes only its request. */
export const NO_MEANING: OutcomeMeaning = {}

/** Decides what an outcome means, for the payment as it is when the outcome is recorded. */
export type MeaningOf<E = never, R = never> = (
  request: ChannelRequest,
  payment: Payment | undefined,
  outcome: ChannelOutcome,
  now: Timestamp,
) => Effect.Effect<OutcomeMeaning, E, R>

const claims =
  (part: CommitPart) =>
  (reason: ConflictReason): boolean =>
    reason.type === "key_taken" && part.keys?.some(({ key }) => key === reason.key) === true

/**
 * Records that the caller has just stored and need not read again. If stale, the commit conflicts.
 */
export interface Known {
  readonly request: ChannelRequest
  readonly payment: Payment
}

interface Settling {
  /** The most attempts while others change the same records. */
  readonly attempts?: number | undefined
  readonly hearing?: Hearing | undefined
  /** The records that the first attempt uses. */
  readonly known?: Known | undefined
}

/**
 * Records a channel's outcome of a request, together with its meaning. For a request with a final
 * outcome, records only that a callback repeated it. Returns the payment as it is stored then.
 * Fails with `Conflict` when something changes meanwhile.
 */
export const recordOutcome = Effect.fnUntraced(function* <E, R>(
  id: string,
  outcome: ChannelOutcome,
  meaningOf: MeaningOf<E, R>,
  { hearing, known }: Pick<Settling, "hearing" | "known"> = {},
) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const request = known?.request ?? (yield* store.find("channel_request", id))
  if (request === undefined) return undefined
  const before = known?.payment ?? (yield* store.find("payment_intent", request.payment_intent))
  const moved = machine.step(request, moveBy(request, outcome, now))
  if (Result.isFailure(moved)) {
    if (hearing !== undefined) yield* hearing.alone
    return before
  }
  const { once, part = {}, payment } = yield* meaningOf(request, before, outcome, now)
  const replaced: CommitPart = {
    writes: [{ op: "replace", kind: "channel_request", record: moved.success.record }],
  }
  const own = hearing === undefined ? replaced : merge(replaced, yield* hearing.part)
  yield* once === undefined
    ? store.commit(merge(own, part))
    : store
        .commit(merge(own, part, once))
        .pipe(catchConflict(claims(once), () => store.commit(merge(own, part))))
  return payment === undefined ? before : { ...payment, version: payment.version + 1 }
})

/**
 * Does the same, and retries when the request or its payment changes meanwhile. Each action has a
 * verb that calls this with its own meaning; `dispatch/settleOutcome.ts` lists them.
 */
export const settleRequest = <E, R extends Repeatable>(
  id: string,
  outcome: ChannelOutcome,
  meaningOf: MeaningOf<E, R>,
  { attempts, hearing, known }: Settling = {},
) => {
  let first = known
  const attempt = Effect.suspend(() => {
    const basis = { hearing, known: first }
    first = undefined
    return recordOutcome(id, outcome, meaningOf, basis)
  })
  return retryConflict(attempt, attempts)
}
