import { Clock, Effect } from "effect"
import { retryConflict } from "../../idempotency/requestKey.ts"
import { Store } from "../../ports/Store.ts"
import { type ConsumerList, CONSUMERS, withNames, withoutName } from "./ConsumerList.ts"

const change = (
  decide: (list: ConsumerList | undefined, now: number) => ConsumerList | undefined,
) =>
  retryConflict(
    Effect.gen(function* () {
      const store = yield* Store
      const list = yield* store.find("consumer_list", CONSUMERS)
      const record = decide(list, yield* Clock.currentTimeMillis)
      if (record === undefined) return false
      const op = list === undefined ? "insert" : "replace"
      yield* store.commit({ writes: [{ op, kind: "consumer_list", record }] })
      return true
    }),
  )

/**
 * Registers consumers: from now on they are told of every event, also of those that happen while no
 * process has them. Returns true if the store did not know one of them.
 */
export const nameConsumers = Effect.fn("nameConsumers")((names: ReadonlyArray<string>) =>
  change((list, now) => withNames(list, names, now)),
)

/** Removes a consumer and drops its waiting events. Returns false if there is none of that name. */
export const forgetConsumer = Effect.fn("forgetConsumer")((name: string) =>
  change((list) => withoutName(list, name)),
)
