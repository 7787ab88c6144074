import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CurrentKeyLifetime } from "../../../core/accounts/KeyRules.ts"
import { authenticate } from "../../../core/accounts/authenticate.ts"
import { issueKey } from "../../../core/keys/issueKey.ts"
import { revokeKey } from "../../../core/keys/revokeKey.ts"
import { rollKey } from "../../../core/keys/rollKey.ts"
import { DAY, SECOND, toIso } from "../../../core/shared/Timestamp.ts"
import { core, open } from "../../support/core.ts"
import { T0 } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"

const WEEK = 604_800
const by = (key: string) => authenticate(`Bearer ${key}`)
const days = (n: number) => toIso(T0 + n * DAY)

describe("where keys expire after 30 days", () => {
  it.effect("an account stays reachable for as long as it rolls its first key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      let caller = yield* open("seller")
      for (const month of [0, 1, 2, 3]) {
        yield* TestClock.setTime(T0 + month * 29 * DAY)
        const input = { grace_period_seconds: 0 }
        const { expires_at, key } = yield* rollKey(caller, caller.api_key_id, input)
        expect(expires_at).toBe(days(month * 29 + 30))
        caller = yield* by(key)
      }
      // What it issues ends with it.
      expect((yield* issueKey(caller, {})).expires_at).toBe(days(3 * 29 + 30))
    }).pipe(
      Effect.provideService(CurrentKeyLifetime, { usual: 30, most: null }),
      Effect.provide(core()),
    ),
  )

  it.effect("a replaced first key ends with its grace period, whatever it does", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const old = yield* open("seller")
      yield* TestClock.setTime(T0 + SECOND)
      const grace = { grace_period_seconds: WEEK }
      const next = yield* rollKey(old, old.api_key_id, grace)
      yield* TestClock.setTime(T0 + DAY)
      yield* revokeKey(old, next.id)
      // At the plan's limit, new keys take the places of ended ones.
      for (let n = 0; n < 17; n += 1) {
        const { id } = yield* issueKey(old, {})
        yield* revokeKey(old, id)
      }
      const issued = yield* Effect.forEach(Array.from({ length: 18 }), () => issueKey(old, {}))
      expect(yield* codeOf(issueKey(old, {}))).toBe("PLAN_LIMIT_EXCEEDED")
      yield* revokeKey(old, issued[0]?.id ?? "")
      const again = yield* rollKey(old, old.api_key_id, grace)
      expect(again.expires_at).toBe(toIso(T0 + SECOND + 7 * DAY))
      yield* TestClock.setTime(T0 + SECOND + 7 * DAY)
      expect(yield* codeOf(rollKey(old, old.api_key_id, grace))).toBe("NOT_FOUND")
    }).pipe(
      Effect.provideService(CurrentKeyLifetime, { usual: 30, most: null }),
      Effect.provide(core()),
    ),
  )
})
