import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { type Challenge, keepUntil, standingOf } from "./Challenge.ts"

/**
 * Deletes a challenge that can no longer be used. A worker calls it with the claimed record. The
 * payment does not change. Fails with `Conflict` if the challenge is used meanwhile.
 */
export const forgetChallenge = Effect.fn("forgetChallenge")(function* (challenge: Challenge) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  if (challenge.due_at === null || now < challenge.due_at) return
  const intent = yield* store.find("payment_intent", challenge.payment_intent)
  const due_at = keepUntil(challenge, intent && standingOf(intent), now)
  const kind = "challenge"
  yield* store.commit({
    writes:
      due_at === null
        ? [{ op: "remove", kind, record: challenge }]
        : [{ op: "replace", kind, record: { ...challenge, due_at } }],
  })
})
