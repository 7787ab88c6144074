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
 * Sees to it that these consumers are told of every event from now on, also of those that happen
 * while no process has them. True where that is new to the store.
 */
export const nameConsumers = Effect.fn("nameConsumers")((names: ReadonlyArray<string>) =>
  change((list, now) => withNames(list, names, now)),
)

/** Ends that: what waits for the consumer is dropped. False where there is none of that name. */
export const forgetConsumer = Effect.fn("forgetConsumer")((name: string) =>
  change((list) => withoutName(list, name)),
)
