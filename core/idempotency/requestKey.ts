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

/** Returns the commit part that stores `view` as the answer, for the commit of its effect. */
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
 * Returns the commit part that reserves the key for this request before it calls a channel. A retry
 * then waits and, after a crash, finishes what was begun.
 */
export const reserveKey = Effect.fnUntraced(function* () {
  const request = yield* CurrentRequest
  if (request === null) return {}
  const now = yield* Clock.currentTimeMillis
  request.progress.state = "running"
  return { reply: reply(request, now, null, request.kept_for) }
})

/** Returns the commit part that releases the key of a request without an answer to keep. */
export const releaseKey = Effect.fnUntraced(function* () {
  const request = yield* CurrentRequest
  if (request === null) return {}
  const now = yield* Clock.currentTimeMillis
  request.progress.state = "none"
  return { reply: reply(request, now, null, 0) }
})

/** Marks the answer as not kept: a retry checks the outcome again. */
export const answerProvisionally = Effect.map(CurrentRequest, (request) => {
  if (request !== null) request.progress.kept = false
})

/**
 * Marks the answer as kept although a part of the request would not keep it: the outcome of the
 * request is still unknown, and nothing else may be done under its key meanwhile.
 */
export const answerForGood = Effect.map(CurrentRequest, (request) => {
  if (request !== null) request.progress.kept = true
})

/**
 * Runs a verb whose answer is a part of the request's answer. `wrap` makes the request's answer of
 * the verb's, so that the verb stores for retries what the request answers.
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
 * The ports that a repeated decision may use. None asks an outside system again: charges that
 * channels have made for a payment survive the attempt (`newQrCodes`, `newLinks`).
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
 * Reads, decides and commits again if something changed in between. After `attempts` attempts it
 * fails with `TEMPORARILY_UNAVAILABLE`. An answer that another request stored under the same
 * Idempotency-Key ends it at once, because deciding again would not help.
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
      // The reply of the refused commit was not stored.
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
    message: "Too many requests change this resource at the same time. Try again in a second.",
    retry_after: 1,
  })
