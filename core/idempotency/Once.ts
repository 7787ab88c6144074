import { Clock, Context, Effect } from "effect"
import { Vault } from "../ports/Vault.ts"
import { type Reply, RUNNING_LEASE } from "./Reply.ts"

/** The Idempotency-Key that the present request was sent with. */
export interface Once {
  readonly account_id: string
  readonly key: string
  readonly fingerprint: string
  /** Who holds the key: this request, or the earlier one that it goes on with. */
  holder: string
  /** The holder of an earlier such request, which ended without an answer; null without one. */
  resumes: string | null
  /** How long the answer is kept, in milliseconds. */
  readonly kept_for: number
  /** The answer's text for what a verb returns. */
  render: (view: unknown) => string
  /** Whether a reply of this request is stored, and whether it is the answer or a place for it. */
  state: "none" | "running" | "answered"
  /** Whether the answer may be given to retries; false while an outcome is still open. */
  kept: boolean
}

/** Set around a verb by the edge; null when the request has no key. */
export const CurrentOnce = Context.Reference<Once | null>("payport/core/idempotency/CurrentOnce", {
  defaultValue: () => null,
})

/** Where a sealed answer lives. */
export const replyPlace = (accountId: string, key: string): string => `reply:${accountId}:${key}`

const reply = (once: Once, now: number, answer: string | null, keptFor: number): Reply => ({
  account_id: once.account_id,
  key: once.key,
  fingerprint: once.fingerprint,
  holder: once.holder,
  answer,
  lease_until: now + (keptFor === 0 ? 0 : RUNNING_LEASE),
  created_at: now,
  expires_at: now + keptFor,
})

/** The part of a commit that stores `view` as the answer, in the commit that it tells of. */
export const replyWith = Effect.fnUntraced(function* (view: unknown) {
  const once = yield* CurrentOnce
  if (once === null) return {}
  const vault = yield* Vault
  const now = yield* Clock.currentTimeMillis
  const sealed = vault.seal(replyPlace(once.account_id, once.key), once.render(view))
  once.state = "answered"
  return { reply: reply(once, now, sealed, once.kept_for) }
})

/**
 * The part of a commit that keeps the key for this request while it goes on to call a channel, so
 * that a retry waits and, after a crash, finishes what was begun.
 */
export const replyLater = Effect.fnUntraced(function* () {
  const once = yield* CurrentOnce
  if (once === null) return {}
  const now = yield* Clock.currentTimeMillis
  once.state = "running"
  return { reply: reply(once, now, null, once.kept_for) }
})

/** Gives the key back after a request that is to leave no answer. */
export const replyNever = Effect.fnUntraced(function* () {
  const once = yield* CurrentOnce
  if (once === null) return {}
  const now = yield* Clock.currentTimeMillis
  once.state = "none"
  return { reply: reply(once, now, null, 0) }
})

/** Lets the answer go out without being kept: a retry is to find out what has become of it. */
export const answerProvisionally = Effect.map(CurrentOnce, (once) => {
  if (once !== null) once.kept = false
})

/**
 * Runs a verb whose answer is a part of the request's: `wrap` makes the one of the other, so that
 * what the verb stores for retries is what the request answers with.
 */
export const answeringWith = <A, E, R>(
  wrap: (view: unknown) => unknown,
  verb: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentOnce, (once) => {
    if (once === null) return verb
    const { render } = once
    once.render = (view) => render(wrap(view))
    return Effect.ensuring(
      verb,
      Effect.sync(() => {
        once.render = render
      }),
    )
  })
