import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { isFailure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Challenge, standingOf } from "./Challenge.ts"
import { closeUnchanged, GoesOn } from "./closeSession.ts"
import { forgetChallenge } from "./forgetChallenge.ts"
import { findRest } from "./findRest.ts"
import { abandonedAt, closed, givesBack, REST_CHECKED } from "./PaymentSession.ts"

/** Temporary failures: a worker tries again. */
const PASSING: ReadonlySet<string> = new Set(["PAYMENT_UNRESOLVED", "TEMPORARILY_UNAVAILABLE"])

/** The caller's key id if the service closes a session itself. */
const NO_KEY = "session_end"

/**
 * Closes an abandoned session, even if its rest cannot be refunded. Gives back what is left of a
 * closed one.
 */
const closeAbandoned = Effect.fnUntraced(function* (challenge: Challenge) {
  const store = yield* Store
  const { account_id } = challenge
  const account = yield* store.find("account", account_id)
  if (account === undefined)
    return yield* Effect.die(new Error(`The account ${account_id} does not exist.`))
  const answered = yield* Effect.result(closeUnchanged({ account, api_key_id: NO_KEY }, challenge))
  if (answered._tag === "Success") return
  const error = answered.failure
  if (error instanceof GoesOn) return
  if (!isFailure(error) || PASSING.has(error.code)) return yield* Effect.fail(error)
  yield* Effect.logWarning(
    "The rest of an abandoned session's deposit could not be refunded.",
    error,
  )
  const now = yield* store.find("challenge", challenge.id)
  // The refund was begun, which has closed the session, and the channel has rejected it.
  if (now === undefined || now.version !== challenge.version) return
  const record = closed(now, null, yield* Clock.currentTimeMillis)
  yield* store.commit({ writes: [{ op: "replace", kind: "challenge", record }] })
})

const keep = Effect.fnUntraced(function* (challenge: Challenge, due_at: Timestamp) {
  const record = { ...challenge, due_at }
  yield* (yield* Store).commit({ writes: [{ op: "replace", kind: "challenge", record }] })
})

/**
 * Handles a challenge that is due. A worker calls it with the claimed record. A session without a
 * draw for its time is closed, so that the payer gets the rest although nobody closes it. A closed
 * one gives back what a failed refund has left. A challenge without an open session is deleted once
 * it can no longer be used.
 *
 * Fails with `Conflict` if the challenge is used meanwhile.
 */
export const lookAfterChallenge = Effect.fn("lookAfterChallenge")(function* (challenge: Challenge) {
  const { due_at, payment_intent } = challenge
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  if (due_at === null || now < due_at) return
  const intent = yield* store.find("payment_intent", payment_intent)
  if (givesBack(challenge, now) && intent !== undefined) {
    const { value, waits } = yield* findRest(challenge, intent)
    if (value > 0) return yield* closeAbandoned(challenge)
    if (waits) return yield* keep(challenge, now + REST_CHECKED)
  }
  const ends = abandonedAt(challenge, intent && standingOf(intent))
  if (ends === undefined) return yield* forgetChallenge(challenge)
  if (ends <= now) return yield* closeAbandoned(challenge)
  yield* keep(challenge, ends)
})
