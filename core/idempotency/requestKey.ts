import { Clock, Effect } from "effect"
import type { Channels } from "../ports/Channels.ts"
import type { ContactRules } from "../ports/ContactRules.ts"
import type { Ids } from "../ports/Ids.ts"
import type { Installation } from "../ports/Installation.ts"
import type { Rates } from "../ports/Rates.ts"
import type { ReceiverAddress } from "../ports/ReceiverAddress.ts"
import { Conflict, type Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import {
  CurrentRequest,
  type IdempotentRequest,
  type Reply,
  ReplyTaken,
  type RequestProgress,
  RUNNING_LEASE,
} from "./Reply.ts"

const reply = (
  request: IdempotentRequest,
  now: number,
  answer: string | null,
  keptFor: number,
): Reply => ({
  account_id: request.account_id,
  key: request.key,
  fingerprint: request.fingerprint,
  holder: request.progress.holder,
  answer,
  lease_until: now + (keptFor === 0 ? 0 : RUNNING_LEASE),
  created_at: now,
  expires_at: now + keptFor,
})

/** The part of a commit that stores `view` as the answer, in the commit that it tells of. */
export const replyWith = Effect.fnUntraced(function* (view: unknown) {
  const request = yield* CurrentRequest
  if (request === null) return {}
  const vault = yield* Vault
  const now = yield* Clock.currentTimeMillis
  const sealed = vault.seal(request.place, request.render(view))
  request.progress.state = "answered"
  return { reply: reply(request, now, sealed, request.kept_for) }
})

/**
 * The part of a commit that keeps the key for this request while it goes on to call a channel, so
 * that a retry waits and, after a crash, finishes what was begun.
 */
export const reserveKey = Effect.fnUntraced(function* () {
  const request = yield* CurrentRequest
  if (request === null) return {}
  const now = yield* Clock.currentTimeMillis
  request.progress.state = "running"
  return { reply: reply(request, now, null, request.kept_for) }
})

/** Gives the key back after a request that is to leave no answer. */
export const releaseKey = Effect.fnUntraced(function* () {
  const request = yield* CurrentRequest
  if (request === null) return {}
  const now = yield* Clock.currentTimeMillis
  request.progress.state = "none"
  return { reply: reply(request, now, null, 0) }
})

/** Lets the answer go out without being kept: a retry is to find out what has become of it. */
export const answerProvisionally = Effect.map(CurrentRequest, (request) => {
  if (request !== null) request.progress.kept = false
})

/**
 * Keeps the answer although a part of the request would not: what is not known yet is what came of
 * the request, and nothing else may be done under its key meanwhile.
 */
export const answerForGood = Effect.map(CurrentRequest, (request) => {
  if (request !== null) request.progress.kept = true
})

/**
 * Runs a verb whose answer is a part of the request's: `wrap` makes the one of the other, so that
 * what the verb stores for retries is what the request answers with.
 */
export const answeringWith = <A, E, R>(
  wrap: (view: unknown) => unknown,
  verb: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentRequest, (request) =>
    request === null
      ? verb
      : Effect.provideService(verb, CurrentRequest, {
          ...request,
          render: (view: unknown) => request.render(wrap(view)),
        }),
  )

const ATTEMPTS = 12

/**
 * What may be asked once more by who decides again: nobody outside among them. What channels have
 * made for a payment outlives the attempt (`newQrCodes`, `newLinks`).
 */
export type Repeatable =
  | Channels
  | ContactRules
  | Ids
  | Installation
  | Rates
  | ReceiverAddress
  | Store
  | Vault

/**
 * Reads, decides and commits again when something changed in between. A contest that goes on for
 * `attempts` rounds ends with `TEMPORARILY_UNAVAILABLE`; an answer that another request stored
 * under the same Idempotency-Key ends it at once, since deciding again would not help.
 */
export const retryConflict = <A, E, R extends Repeatable>(
  attempt: Effect.Effect<A, E | Conflict, R>,
  attempts: number = ATTEMPTS,
): Effect.Effect<A, Exclude<E, Conflict> | Failure<"TEMPORARILY_UNAVAILABLE"> | ReplyTaken, R> => {
  const run = (
    left: number,
    progress: RequestProgress | undefined,
    before: RequestProgress["state"],
  ): Effect.Effect<A, Exclude<E, Conflict> | Failure<"TEMPORARILY_UNAVAILABLE"> | ReplyTaken, R> =>
    Effect.catch(attempt, (error) => {
      if (!(error instanceof Conflict)) return Effect.fail(error as Exclude<E, Conflict>)
      // The reply that was to be stored with the refused commit was not.
      if (progress !== undefined) progress.state = before
      if (error.reason.type === "reply_taken") return Effect.fail(new ReplyTaken())
      if (left === 0) return Effect.fail(contended())
      return Effect.andThen(Effect.yieldNow, run(left - 1, progress, before))
    })
  return Effect.flatMap(CurrentRequest, (request) =>
    run(attempts - 1, request?.progress, request?.progress.state ?? "none"),
  )
}

const contended = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many requests change this resource at once. Try again in a second.",
    retry_after: 1,
  })
