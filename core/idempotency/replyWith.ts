import { Clock, Effect } from "effect"
import { Vault } from "../ports/Vault.ts"
import {
  CurrentRequest,
  type IdempotentRequest,
  type Reply,
  replyPlace,
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
  const sealed = vault.seal(replyPlace(request.account_id, request.key), request.render(view))
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
