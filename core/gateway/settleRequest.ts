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

/** What an outcome means to the concept that the request was made for. */
export interface OutcomeMeaning {
  /** What is stored with the outcome. */
  readonly part?: CommitPart
  /** Stored too, unless a name that it claims is taken. */
  readonly once?: CommitPart
  /** The payment after that, where it has changed. */
  readonly payment?: Payment | undefined
}

/** The meaning of an outcome that changes nothing but its request. */
export const NO_MEANING: OutcomeMeaning = {}

/** What an action's outcomes mean, for the payment as it is when the outcome is recorded. */
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

/** What a caller has stored a moment ago and need not read again: a commit says if it is stale. */
export interface Known {
  readonly request: ChannelRequest
  readonly payment: Payment
}

interface Settling {
  /** How often it is tried while others change the same. */
  readonly attempts?: number | undefined
  readonly hearing?: Hearing | undefined
  /** What the first attempt decides by. */
  readonly known?: Known | undefined
}

/**
 * Records how a channel answered a request, together with what that means. Of a request that has
 * its final answer, no more is recorded than that a callback told of it again. Returns the payment
 * as it is then; fails with `Conflict` when something changes meanwhile.
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
  return payment ?? before
})

/**
 * The same, started over when the request or its payment changes meanwhile. Each action has a verb
 * that calls this with its own meaning; `dispatch/settleOutcome.ts` lists them.
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
