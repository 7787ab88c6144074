import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { authenticate } from "../../core/accounts/authenticate.ts"
import { HOLDINGS } from "../../core/accounts/Holding.ts"
import { issueKey } from "../../core/keys/issueKey.ts"
import { listKeys } from "../../core/keys/listKeys.ts"
import { rollKey } from "../../core/keys/rollKey.ts"
import { Store } from "../../core/ports/Store.ts"
import { Auditor } from "../../simulator/auditor/Auditor.ts"
import { core, open } from "../support/core.ts"
import { T0 } from "../support/records.ts"

/** A first key that replaces itself twice, and then issues keys until one has to leave. */
const replaceTwice = Effect.gen(function* () {
  const first = yield* open("seller")
  yield* issueKey(first, {})
  const replace = Effect.fnUntraced(function* (caller: typeof first) {
    yield* TestClock.adjust("1 day")
    const { key } = yield* rollKey(caller, caller.api_key_id, { grace_period_seconds: 0 })
    return yield* authenticate(`Bearer ${key}`)
  })
  const second = yield* replace(first)
  const third = yield* replace(second)
  yield* Effect.repeat(issueKey(third, {}), { times: HOLDINGS.starter.api_keys - 4 })
  const { data } = yield* listKeys(third, { limit: 100 })
  const ids = data.map(({ id }) => id)
  return { first: ids.includes(first.api_key_id), second: ids.includes(second.api_key_id) }
})

it.effect(
  "a key that was replaced makes room, also before an older one that has issued a key",
  () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const clock = yield* TestClock.testClockWith(Effect.succeed)
      const auditor = new Auditor(() => clock.currentTimeMillisUnsafe())
      const store = yield* Store
      const watched: Store["Service"] = {
        ...store,
        commit: (commit) =>
          Effect.tap(store.commit(commit), () =>
            Effect.sync(() => auditor.commit(commit, { type: "nobody" })),
          ),
      }
      const kept = yield* Effect.provideService(replaceTwice, Store, watched)
      expect(kept).toEqual({ first: true, second: false })
      expect(auditor.violations.filter(({ number }) => number === 138)).toEqual([])
    }).pipe(Effect.provide(core())),
)
