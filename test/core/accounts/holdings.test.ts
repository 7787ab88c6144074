import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../../core/accounts/Account.ts"
import { type Held, holdingCounter, HOLDINGS } from "../../../core/accounts/Holding.ts"
import { issueKey } from "../../../core/keys/issueKey.ts"
import { listKeys } from "../../../core/keys/listKeys.ts"
import { revokeKey } from "../../../core/keys/revokeKey.ts"
import { rollKey } from "../../../core/keys/rollKey.ts"
import { uninstall } from "../../../core/installs/deleteInstall.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { Store } from "../../../core/ports/Store.ts"
import { ManifestInput, manifestInputRules } from "../../../core/registry/ManifestInput.ts"
import { registerService } from "../../../core/registry/registerService.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { core, open } from "../../support/core.ts"
import { aManifest } from "../../support/manifests.ts"
import { T0 } from "../../support/records.ts"
import { as, buyer, codeOf, seed } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"

const counted = (accountId: string, held: Held) =>
  Effect.flatMap(Store, (store) =>
    Effect.map(store.readCounters([holdingCounter(accountId, held)]), ([value]) => value),
  )

/** Leaves the account room for so many more, by its plan. */
const leaveRoom = Effect.fnUntraced(function* ({ account }: Caller, held: Held, room: number) {
  const store = yield* Store
  const counter = holdingCounter(account.id, held)
  const add = HOLDINGS[account.plan][held] - room - ((yield* counted(account.id, held)) ?? 0)
  yield* store.commit({ writes: [], reservations: [{ counter, add, limit: 1e12 }] })
})

const FULL = "PLAN_LIMIT_EXCEEDED"

/** The results of three simultaneous creations with room for one. */
const oneOfThree = [FULL, FULL, "succeeded"]

const three = <A, E, R>(make: (n: number) => Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.all(
      [1, 2, 3].map((n) => codeOf(make(n))),
      { concurrency: 3 },
    ),
    (codes) => codes.toSorted(),
  )

const service = (caller: Caller, name: string, fields: object = {}) =>
  Effect.flatMap(
    Effect.fromResult(decode(ManifestInput, manifestInputRules)(aManifest({ name, ...fields }))),
    (input) => registerService(caller, input),
  )

describe("an account at the end of what its plan has room for", () => {
  it.effect("registers no more services at once, and changes those that it has", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      yield* service(caller, "The first")
      yield* leaveRoom(caller, "services", 1)
      expect(yield* three((n) => service(caller, `Service ${n}`))).toStrictEqual(oneOfThree)
      expect(yield* codeOf(service(caller, "The first", { description: "New" }))).toBe("succeeded")
      const other = yield* open("other")
      expect(yield* codeOf(service(other, "Another's"))).toBe("succeeded")
    }).pipe(Effect.provide(core())),
  )

  it.effect("issues and rolls no more keys while all of them work", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const issue = issueKey(caller, {})
      const { id } = yield* issue
      yield* leaveRoom(caller, "api_keys", 1)
      expect(yield* three(() => issue)).toStrictEqual(oneOfThree)
      expect(yield* codeOf(rollKey(caller, id, { grace_period_seconds: 60 }))).toBe(FULL)
      yield* revokeKey(caller, id)
      expect(yield* three(() => issue)).toStrictEqual(oneOfThree)
      const { data } = yield* listKeys(caller, { limit: 100 })
      expect(data.map((key) => key.id)).not.toContain(id)
      expect(yield* counted(caller.account.id, "api_keys")).toBe(HOLDINGS.starter.api_keys)
    }).pipe(Effect.provide(core())),
  )

  it.effect("keeps a key that has ended while one works that it has issued", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const issue = issueKey(caller, {})
      const { id } = yield* issue
      const issued = yield* issueKey({ ...caller, api_key_id: id }, {})
      yield* revokeKey(caller, id)
      yield* leaveRoom(caller, "api_keys", 0)
      expect(yield* codeOf(issue)).toBe(FULL)
      yield* revokeKey(caller, id, { cascade: "true" })
      expect(yield* codeOf(issue)).toBe("succeeded")
      const { data } = yield* listKeys(caller, { limit: 100 })
      expect([id, issued.id].filter((one) => data.some((key) => key.id === one))).toHaveLength(1)
      expect(yield* counted(caller.account.id, "api_keys")).toBe(HOLDINGS.starter.api_keys)
    }).pipe(Effect.provide(core())),
  )

  it.effect("installs no more services, and changes and removes what it has", () =>
    Effect.gen(function* () {
      const { id } = yield* seed()
      const caller = as(buyer)
      const install = (n: number) => putInstall(caller, id, { agent_id: `mine-${n}` })
      yield* putInstall(caller, id, {})
      expect(yield* counted(buyer.id, "installs")).toBe(1)
      yield* leaveRoom(caller, "installs", 1)
      expect(yield* three(install)).toStrictEqual(oneOfThree)
      expect(yield* codeOf(putInstall(caller, id, { channel_preference: "wallet_a" }))).toBe(
        "succeeded",
      )
      const removed = yield* uninstall(caller, id)
      const again = yield* Effect.flip(uninstall(caller, id))
      expect(again).toMatchObject({ code: "NOT_FOUND", details: { id: removed.id } })
      expect(yield* three((n) => install(n + 3))).toStrictEqual(oneOfThree)
    }).pipe(Effect.provide(workWorld())),
  )
})
