import { it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { showWebhookSecret } from "../../../core/accounts/showWebhookSecret.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Unsealable, Vault } from "../../../core/ports/Vault.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { changeEndpoint } from "../../../core/webhooks/endpoints/changeEndpoint.ts"
import { createEndpoint } from "../../../core/webhooks/endpoints/createEndpoint.ts"
import { deleteEndpoint } from "../../../core/webhooks/endpoints/deleteEndpoint.ts"
import { disable, endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { HOLDINGS } from "../../../core/accounts/Holding.ts"
import type { EndpointInput } from "../../../core/webhooks/endpoints/EndpointInput.ts"
import { rotateSecret } from "../../../core/webhooks/endpoints/rotateSecret.ts"
import { getEndpoint, listEndpoints } from "../../../core/webhooks/endpoints/showEndpoints.ts"
import {
  accountSecrets,
  endpointSecrets,
} from "../../../core/webhooks/deliveries/signingSecrets.ts"
import {
  addWebhookKey,
  deleteWebhookKey,
  listWebhookKeys,
} from "../../../core/webhooks/endpoints/webhookKeys.ts"
import { core, open } from "../../support/core.ts"
import { T0 } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"

const KEY = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="
const OTHER_KEY = `${"CQkJ".repeat(10)}CQk=`

const input = (said: Partial<EndpointInput> = {}): EndpointInput => ({
  url: "https://receiver.example/hooks",
  enabled_events: ["*"],
  ...said,
})
const encryption = { public_key: KEY, key_type: "x25519" } as const

const stored = (id: string) =>
  Effect.flatMap(Store, (store) => Effect.map(store.find("endpoint", id), (found) => found!))

describe("an endpoint", () => {
  it.effect("shows its secret at creation alone, and keeps it sealed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const { secret, ...made } = yield* createEndpoint(caller, input({ encryption }))
      expect(secret).toMatch(/^whsec_[\w-]{43}$/)
      expect(made).toMatchObject({
        description: null,
        enabled_events: ["*"],
        status: "enabled",
        disabled_reason: null,
        encryption: { key_type: "x25519", enabled: true },
        created_at: "2026-01-01T00:00:00.000Z",
      })
      expect(yield* getEndpoint(caller, made.id)).toStrictEqual(made)
      expect(yield* listEndpoints(caller, { limit: 20 })).toStrictEqual({
        data: [made],
        has_more: false,
      })
      const record = yield* stored(made.id)
      expect(JSON.stringify(record)).not.toContain("whsec_")
      expect(yield* endpointSecrets(record)).toStrictEqual([secret])
    }).pipe(Effect.provide(core())),
  )

  it.effect("is refused where it cannot be a receiver, also when it is to move there", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const { id } = yield* createEndpoint(caller, input())
      for (const url of [
        "http://receiver.example",
        "https://10.0.0.1/x",
        "nothing",
        "https://u@a.example",
      ]) {
        expect(yield* codeOf(createEndpoint(caller, input({ url }))), url).toBe("INVALID_URL")
        expect(yield* codeOf(changeEndpoint(caller, id, { url })), url).toBe("INVALID_URL")
      }
      expect((yield* stored(id)).version).toBe(1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("of another account is absent", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const stranger = yield* open("stranger")
      const { id } = yield* createEndpoint(caller, input())
      const rotation = { reason: "r", grace_period_seconds: 0, endpoint_id: id }
      const key = yield* addWebhookKey(caller, { public_key: KEY, key_type: "x25519" })
      expect([
        yield* codeOf(getEndpoint(stranger, id)),
        yield* codeOf(changeEndpoint(stranger, id, { status: "disabled" })),
        yield* codeOf(deleteEndpoint(stranger, id)),
        yield* codeOf(rotateSecret(stranger, rotation)),
        yield* codeOf(deleteWebhookKey(stranger, key.id)),
      ]).toStrictEqual(Array.from({ length: 5 }, () => "NOT_FOUND"))
      const page = { limit: 20, starting_after: id }
      expect(yield* codeOf(listEndpoints(stranger, page))).toBe("INVALID_QUERY")
      const keys = { limit: 20, starting_after: key.id }
      expect(yield* codeOf(listWebhookKeys(stranger, keys))).toBe("INVALID_QUERY")
      expect((yield* listEndpoints(stranger, { limit: 20 })).data).toStrictEqual([])
      expect((yield* listWebhookKeys(stranger, { limit: 20 })).data).toStrictEqual([])
      expect((yield* stored(id)).version).toBe(1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("can have so many keys and no more, however many are registered at once", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const add = codeOf(addWebhookKey(caller, { public_key: KEY, key_type: "x25519" }))
      const codes = [
        ...(yield* Effect.all(
          Array.from({ length: 15 }, () => add),
          { concurrency: 15 },
        )),
        ...(yield* Effect.all(
          Array.from({ length: 15 }, () => add),
          { concurrency: 15 },
        )),
      ]
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(
        HOLDINGS.starter.webhook_keys,
      )
      expect(new Set(codes)).toStrictEqual(new Set(["succeeded", "PLAN_LIMIT_EXCEEDED"]))
      const { data, has_more } = yield* listWebhookKeys(caller, { limit: 100 })
      expect([data.length, has_more]).toStrictEqual([HOLDINGS.starter.webhook_keys, false])
      yield* deleteWebhookKey(caller, data[7]!.id)
      expect(yield* add).toBe("succeeded")
      expect(yield* add).toBe("PLAN_LIMIT_EXCEEDED")
      const stranger = yield* open("stranger")
      const theirs = addWebhookKey(stranger, { public_key: KEY, key_type: "x25519" })
      expect(yield* codeOf(theirs)).toBe("succeeded")
    }).pipe(Effect.provide(core())),
  )

  it.effect("changes what is named and nothing else; what is the same is not stored", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const { id } = yield* createEndpoint(caller, input({ description: "One", encryption }))
      const before = yield* stored(id)
      yield* TestClock.setTime(T0 + MINUTE)
      yield* changeEndpoint(caller, id, {})
      yield* changeEndpoint(caller, id, { url: before.url, status: "enabled", encryption })
      expect(yield* stored(id)).toStrictEqual(before)
      yield* changeEndpoint(caller, id, { description: null, enabled_events: ["ping"] })
      expect(yield* stored(id)).toStrictEqual({
        ...before,
        version: 2,
        description: null,
        enabled_events: ["ping"],
        updated_at: T0 + MINUTE,
      })
      const other = { public_key: OTHER_KEY, key_type: "x25519" } as const
      yield* changeEndpoint(caller, id, { encryption: other })
      const rekeyed = (yield* stored(id)).encryption
      expect(rekeyed?.public_key).toBe(OTHER_KEY)
      expect(rekeyed?.id).not.toBe(before.encryption?.id)
      const { encryption: none } = yield* changeEndpoint(caller, id, { encryption: null })
      expect(none).toStrictEqual({ public_key_fingerprint: null, key_type: null, enabled: false })
    }).pipe(Effect.provide(core())),
  )

  it.effect("that failed for too long is switched on by its account, and begins anew", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const store = yield* Store
      const { id } = yield* createEndpoint(caller, input())
      const failing = { ...(yield* stored(id)), first_failure_at: T0 }
      const record = disable(failing, "delivery_failures", T0)
      yield* store.commit({ writes: [{ op: "replace", kind: "endpoint", record }] })
      expect(yield* getEndpoint(caller, id)).toMatchObject({
        status: "disabled",
        disabled_reason: "delivery_failures",
        disabled_at: "2026-01-01T00:00:00.000Z",
      })
      const on = yield* changeEndpoint(caller, id, { status: "enabled" })
      expect([on.status, on.disabled_reason, on.disabled_at]).toStrictEqual(["enabled", null, null])
      expect((yield* stored(id)).first_failure_at).toBeNull()
      const off = yield* changeEndpoint(caller, id, { status: "disabled" })
      expect([off.status, off.disabled_reason]).toStrictEqual(["disabled", "requested"])
    }).pipe(Effect.provide(core())),
  )

  it.effect("that moves to another address begins without failures", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const store = yield* Store
      const { id } = yield* createEndpoint(caller, input())
      const record = { ...(yield* stored(id)), first_failure_at: T0 }
      yield* store.commit({ writes: [{ op: "replace", kind: "endpoint", record }] })
      yield* changeEndpoint(caller, id, { description: "Still failing" })
      expect((yield* stored(id)).first_failure_at).toBe(T0)
      yield* changeEndpoint(caller, id, { url: "https://elsewhere.example" })
      expect((yield* stored(id)).first_failure_at).toBeNull()
    }).pipe(Effect.provide(core())),
  )

  it.effect("is one of so many and no more, however many are asked for at once", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const make = codeOf(createEndpoint(caller, input()))
      const rounds = 3
      const codes: Array<string> = []
      for (let n = 0; n < rounds; n += 1) {
        codes.push(
          ...(yield* Effect.all(
            Array.from({ length: 30 }, () => make),
            { concurrency: 30 },
          )),
        )
      }
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(
        HOLDINGS.starter.webhook_endpoints,
      )
      expect(new Set(codes)).toStrictEqual(new Set(["succeeded", "PLAN_LIMIT_EXCEEDED"]))
      const { data, has_more } = yield* listEndpoints(caller, { limit: 20 })
      expect([data.length, has_more]).toStrictEqual([20, true])
      yield* deleteEndpoint(caller, data[3]!.id)
      expect(yield* codeOf(getEndpoint(caller, data[3]!.id))).toBe("NOT_FOUND")
      expect(yield* codeOf(deleteEndpoint(caller, data[3]!.id))).toBe("NOT_FOUND")
      expect(yield* make).toBe("succeeded")
      expect(yield* make).toBe("PLAN_LIMIT_EXCEEDED")
      const stranger = yield* open("stranger")
      expect(yield* codeOf(createEndpoint(stranger, input()))).toBe("succeeded")
    }).pipe(Effect.provide(core())),
  )
})

describe("keys of an account", () => {
  it.effect("live side by side; the newest is used, until it is deleted", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const { id } = yield* createEndpoint(caller, input())
      const used = Effect.map(getEndpoint(caller, id), (shown) => shown.encryption)
      expect((yield* used).enabled).toBe(false)
      const key = { key_type: "x25519", label: "laptop" } as const
      const first = yield* addWebhookKey(caller, { ...key, public_key: KEY })
      const second = yield* addWebhookKey(caller, { ...key, public_key: OTHER_KEY })
      expect((yield* listWebhookKeys(caller, { limit: 20 })).data).toStrictEqual([second, first])
      expect((yield* used).public_key_fingerprint).toBe(second.fingerprint)
      const again = yield* addWebhookKey(caller, { ...key, public_key: KEY })
      expect([again.fingerprint, again.id === first.id]).toStrictEqual([first.fingerprint, false])
      yield* deleteWebhookKey(caller, again.id)
      expect(yield* deleteWebhookKey(caller, second.id)).toStrictEqual({
        id: second.id,
        deleted: true,
      })
      expect(yield* codeOf(deleteWebhookKey(caller, second.id))).toBe("NOT_FOUND")
      expect((yield* used).public_key_fingerprint).toBe(first.fingerprint)
    }).pipe(Effect.provide(core())),
  )
})

describe("a rotation", () => {
  it.effect("of the account's secret: both sign in the grace, the new alone afterwards", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const store = yield* Store
      const vault = yield* Vault
      const account = Effect.map(store.find("account", caller.account.id), (found) => found!)
      const signing = Effect.flatMap(account, accountSecrets)
      const [old] = yield* signing
      const rotated = yield* rotateSecret(caller, { reason: "leak", grace_period_seconds: 60 })
      expect(rotated).toStrictEqual({
        endpoint_id: null,
        old_key_fingerprint: `fp_${vault.sha256(old).slice(0, 16)}`,
        new_key_fingerprint: `fp_${vault.sha256(rotated.secret).slice(0, 16)}`,
        old_key_expires_at: "2026-01-01T00:01:00.000Z",
        secret: rotated.secret,
        created_at: "2026-01-01T00:00:00.000Z",
      })
      expect(yield* signing).toStrictEqual([rotated.secret, old])
      const shown = yield* showWebhookSecret({ ...caller, account: yield* account })
      expect(shown).toStrictEqual({ secret: rotated.secret })
      yield* TestClock.setTime(T0 + MINUTE - 1)
      expect(yield* signing).toStrictEqual([rotated.secret, old])
      yield* TestClock.setTime(T0 + MINUTE)
      expect(yield* signing).toStrictEqual([rotated.secret])
      expect(JSON.stringify(yield* account)).not.toContain("whsec_")
    }).pipe(Effect.provide(core())),
  )

  it.effect("of an endpoint's secret leaves the account's and other endpoints' alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const one = yield* createEndpoint(caller, input())
      const other = yield* createEndpoint(caller, input())
      const rotation = { reason: "r", grace_period_seconds: 10, endpoint_id: one.id }
      const first = yield* rotateSecret(caller, rotation)
      yield* TestClock.setTime(T0 + SECOND)
      const second = yield* rotateSecret(caller, { ...rotation, grace_period_seconds: 0 })
      expect(first.endpoint_id).toBe(one.id)
      expect(second.old_key_fingerprint).toBe(first.new_key_fingerprint)
      expect(yield* endpointSecrets(yield* stored(one.id))).toStrictEqual([
        second.secret,
        one.secret,
      ])
      expect(yield* endpointSecrets(yield* stored(other.id))).toStrictEqual([other.secret])
      const account = yield* (yield* Store).find("account", caller.account.id)
      expect(account?.version).toBe(1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("of a secret that can no longer be opened replaces it at once", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const store = yield* Store
      const { id } = yield* createEndpoint(caller, input())
      const rotation = { reason: "r", grace_period_seconds: 60, endpoint_id: id }
      const kept = yield* rotateSecret(caller, rotation)
      const endpoint = yield* stored(id)
      const lost = makeVault(new Uint8Array(32).fill(99)).seal(endpointSecretPlace(id), "whsec_x")
      const [replaced] = endpoint.previous_secrets
      const record = {
        ...endpoint,
        secret: lost,
        previous_secrets: [
          { ...replaced!, secret: endpoint.secret },
          { ...replaced!, secret: lost },
        ],
      }
      yield* store.commit({ writes: [{ op: "replace", kind: "endpoint", record }] })
      const rotated = yield* rotateSecret(caller, rotation)
      expect(rotated).toMatchObject({
        old_key_fingerprint: null,
        old_key_expires_at: "2026-01-01T00:00:00.000Z",
      })
      const signing = yield* endpointSecrets(yield* stored(id))
      expect(signing).toStrictEqual([rotated.secret, kept.secret])
    }).pipe(Effect.provide(core())),
  )

  it.effect("gives up no secret while the keys that seal cannot be read", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("seller")
      const { id } = yield* createEndpoint(caller, input())
      const before = yield* stored(id)
      const behind = Vault.of({
        ...(yield* Vault),
        open: (place) => Effect.fail(new Unsealable({ place, isTemporary: true })),
      })
      const rotated = Effect.provideService(
        rotateSecret(caller, { reason: "r", grace_period_seconds: 60, endpoint_id: id }),
        Vault,
        behind,
      )
      expect(yield* codeOf(rotated)).toBe("TEMPORARILY_UNAVAILABLE")
      expect(yield* stored(id)).toStrictEqual(before)
    }).pipe(Effect.provide(core())),
  )

  it.effect("at the same time as others loses none of their secrets", () =>
    Effect.gen(function* () {
      const caller = yield* open("seller")
      const rotation = { reason: "r", grace_period_seconds: 60 }
      const racers = Array.from({ length: 4 }, () => rotateSecret(caller, rotation))
      const rotated = yield* Effect.all(racers, { concurrency: 4 })
      const account = yield* (yield* Store).find("account", caller.account.id)
      const signing = yield* accountSecrets(account!)
      expect(signing).toHaveLength(5)
      expect(signing).toStrictEqual(expect.arrayContaining(rotated.map(({ secret }) => secret)))
    }).pipe(Effect.provide(core())),
  )
})
