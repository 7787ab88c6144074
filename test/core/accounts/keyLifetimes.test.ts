import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../../core/accounts/Account.ts"
import { CurrentKeyLifetime } from "../../../core/accounts/KeyRules.ts"
import { authenticate } from "../../../core/accounts/authenticate.ts"
import { issueAnew } from "../../../core/keys/issueAnew.ts"
import { issueKey } from "../../../core/keys/issueKey.ts"
import { listKeys } from "../../../core/keys/listKeys.ts"
import { revokeKey } from "../../../core/keys/revokeKey.ts"
import { rollKey } from "../../../core/keys/rollKey.ts"
import { DAY, HOUR, SECOND, toIso } from "../../../core/shared/Timestamp.ts"
import { core, open } from "../../support/core.ts"
import { T0 } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"

const WEEK = 604_800
const by = (key: string) => authenticate(`Bearer ${key}`)
const days = (n: number) => toIso(T0 + n * DAY)
const atOnce = { grace_period_seconds: 0 }
const hostOf = (caller: Caller): Caller => ({ ...caller, api_key_id: "host", vouched: true })

const monthly = <A, E>(test: Effect.Effect<A, E, Layer.Success<ReturnType<typeof core>>>) =>
  test.pipe(
    Effect.provideService(CurrentKeyLifetime, { usual: 30, most: null }),
    Effect.provide(core()),
  )

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
    }).pipe(monthly),
  )

  it.effect("a replaced first key ends with its grace period, whatever it rolls", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const old = yield* open("seller")
      yield* TestClock.setTime(T0 + SECOND)
      const next = yield* rollKey(old, old.api_key_id, { grace_period_seconds: 3_600 })
      const end = next.replaces.expires_at
      yield* TestClock.setTime(T0 + 2 * SECOND)
      const second = yield* rollKey(old, old.api_key_id, atOnce)
      yield* TestClock.setTime(T0 + 3 * SECOND)
      const third = yield* rollKey(yield* by(second.key), second.id, atOnce)
      expect([second.expires_at, third.expires_at]).toEqual([end, end])

      // The replacement keeps the renewal, and ends what the replaced key has rolled.
      const owner = yield* by(next.key)
      yield* revokeKey(owner, old.api_key_id, { cascade: "true" })
      expect(yield* codeOf(by(third.key))).toBe("INVALID_API_KEY")
      yield* TestClock.setTime(T0 + 20 * DAY)
      expect((yield* rollKey(owner, next.id, atOnce)).expires_at).toBe(days(50))
    }).pipe(monthly),
  )

  it.effect("a replaced first key ends with its grace period also if the new one is revoked", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const old = yield* open("seller")
      yield* TestClock.setTime(T0 + SECOND)
      const grace = { grace_period_seconds: WEEK }
      const next = yield* rollKey(old, old.api_key_id, grace)
      yield* TestClock.setTime(T0 + DAY)
      yield* revokeKey(old, next.id)
      // At the plan's limit, new keys take the places of ended ones.
      for (let n = 0; n < 40; n += 1) {
        const { id } = yield* issueKey(old, {})
        yield* revokeKey(old, id)
      }
      const again = yield* rollKey(old, old.api_key_id, grace)
      expect(again.expires_at).toBe(toIso(T0 + SECOND + 7 * DAY))
    }).pipe(monthly),
  )

  it.effect("the end of the replacement ends what the replaced key had issued", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const old = yield* open("seller")
      const child = yield* issueKey(old, {})
      yield* TestClock.setTime(T0 + SECOND)
      const next = yield* rollKey(old, old.api_key_id, { grace_period_seconds: WEEK })
      const { data } = yield* listKeys(old, { limit: 100 })
      const issuers = new Map(data.map(({ id, minted_by }) => [id, minted_by]))
      expect(issuers.get(old.api_key_id)).toBe(next.id)
      expect(issuers.get(next.id)).toBeNull()
      // Without the issued key, the replacement could not roll it.
      const owner = yield* by(next.key)
      const rolled = yield* rollKey(owner, child.id, atOnce)
      const operators = yield* issueAnew(owner.account.id)
      yield* revokeKey(yield* by(operators.key), next.id, { cascade: "true" })
      expect(yield* codeOf(by(rolled.key))).toBe("INVALID_API_KEY")
      expect(yield* codeOf(rollKey(old, old.api_key_id, atOnce))).toBe("NOT_FOUND")
    }).pipe(monthly),
  )

  it.effect("a first key that the host rolls has its lifetime anew, and the old one ends", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const old = yield* open("seller")
      yield* TestClock.setTime(T0 + 20 * DAY)
      const next = yield* rollKey(hostOf(old), old.api_key_id, { grace_period_seconds: 3_600 })
      expect(next.expires_at).toBe(days(50))
      const own = yield* rollKey(old, old.api_key_id, atOnce)
      expect(own.expires_at).toBe(next.replaces.expires_at)
    }).pipe(monthly),
  )

  it.effect("a host's key for an hour is renewed by an hour at most", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const host = hostOf(yield* open("seller"))
      const brief = yield* issueKey(host, { expires_at: toIso(T0 + HOUR) })
      yield* TestClock.setTime(T0 + SECOND)
      const rolled = yield* rollKey(yield* by(brief.key), brief.id, atOnce)
      expect(rolled.expires_at).toBe(toIso(T0 + SECOND + HOUR))
    }).pipe(monthly),
  )

  it.effect("other keys without an issuer take the renewal from no first key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const first = yield* open("seller")
      yield* TestClock.setTime(T0 + SECOND)
      yield* issueKey(hostOf(first), { restrictions: { routes: ["read"] } })
      const another = yield* issueAnew(first.account.id)
      yield* revokeKey(first, another.id)
      yield* TestClock.setTime(T0 + 20 * DAY)
      expect((yield* rollKey(first, first.api_key_id, atOnce)).expires_at).toBe(days(50))
    }).pipe(monthly),
  )
})

describe("ended keys without an issuer", () => {
  it.effect("take up no room, whether the host or an operator has issued them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const first = yield* open("seller")
      const host = hostOf(first)
      for (let n = 1; n <= 25; n += 1) {
        yield* TestClock.setTime(T0 + n * SECOND)
        yield* revokeKey(host, (yield* issueKey(host, {})).id)
        yield* revokeKey(first, (yield* issueAnew(first.account.id)).id)
      }
      expect(yield* codeOf(issueKey(first, {}))).toBe("succeeded")
    }).pipe(Effect.provide(core())),
  )

  it.effect("take up no room where they replaced one another, and what they issued is found", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      let caller = yield* open("seller")
      const child = yield* issueKey(caller, {})
      for (let n = 1; n <= 40; n += 1) {
        yield* TestClock.setTime(T0 + n * SECOND)
        caller = yield* by((yield* rollKey(caller, caller.api_key_id, atOnce)).key)
      }
      yield* by(child.key)
      yield* revokeKey(caller, caller.api_key_id, { cascade: "true" })
      expect(yield* codeOf(by(child.key))).toBe("INVALID_API_KEY")
    }).pipe(Effect.provide(core())),
  )
})
