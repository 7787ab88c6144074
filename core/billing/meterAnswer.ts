import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { meter } from "./Meter.ts"
import type { Operation } from "./Operation.ts"

/**
 * Counts a metered operation whose only effect is its answer. The same commit stores the answer
 * under the request's Idempotency-Key, so that a repetition is not counted. Call it last, with what
 * the verb returns.
 */
export const meterAnswer = Effect.fnUntraced(function* <A>(
  { account }: Caller,
  operation: Operation,
  answer: A,
  count: number = 1,
) {
  const store = yield* Store
  yield* retryConflict(
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      yield* store.commit({
        writes: [],
        reservations: meter(account.id, operation, at, count),
        ...(yield* replyWith(answer)),
      })
    }),
  )
  return answer
})
