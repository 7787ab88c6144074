import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { authenticate } from "../../../core/accounts/authenticate.ts"
import { changePlan } from "../../../core/accounts/changePlan.ts"
import { createAccount } from "../../../core/accounts/createAccount.ts"
import { issueKey } from "../../../core/keys/issueKey.ts"
import { listKeys } from "../../../core/keys/listKeys.ts"
import { revokeKey } from "../../../core/keys/revokeKey.ts"
import { rollKey } from "../../../core/keys/rollKey.ts"
import { suspendKey } from "../../../core/keys/suspend.ts"
import { showWebhookSecret } from "../../../core/accounts/showWebhookSecret.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Unsealable, Vault } from "../../../core/ports/Vault.ts"
import { HOUR } from "../../../core/shared/Timestamp.ts"
import { core, open } from "../../support/core.ts"
import { id, T0, uuid } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"

const seller = { name: "Oracle Ltd", kind: "seller", agent_id: "oracle" } as const

const works = (key: string) => codeOf(authenticate(`Bearer ${key}`))

describe("opening an account", () => {
  it.effect("shows it with its first key", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { api_key, ...account } = yield* createAccount({ ...seller, merchant_account: "m-1" })
      assert.deepStrictEqual(account, {
        id: id("acct", 1_000),
        name: "Oracle Ltd",
        kind: "seller",
        agent_id: "oracle",
        merchant_account: "m-1",
        plan: "starter",
        created_at: "2026-01-01T00:00:00.000Z",
        suspended_at: null,
      })
      assert.match(api_key.key, /^sk_test_[\w-]{43}$/)
      assert.match(api_key.id, /^key_/)
      const caller = yield* authenticate(`Bearer ${api_key.key}`)
      assert.deepStrictEqual([caller.account.id, caller.api_key_id], [account.id, api_key.id])
    }).pipe(Effect.provide(core())),
  )

  it.effect("keeps neither the key nor the webhook secret in clear", () =>
    Effect.gen(function* () {
      const { api_key, id: accountId } = yield* createAccount(seller)
      const store = yield* Store
      const vault = yield* Vault
      const stored = JSON.stringify([
        yield* store.find("account", accountId),
        yield* store.find("api_key", api_key.id),
      ])
      assert.notInclude(stored, api_key.key)
      assert.notInclude(stored, "whsec_")
      assert.include(stored, vault.sha256(api_key.key))
      const { secret } = yield* showWebhookSecret(yield* authenticate(`Bearer ${api_key.key}`))
      assert.match(secret, /^whsec_[\w-]{43}$/)
    }).pipe(Effect.provide(core())),
  )

  it.effect.each([
    [true, "TEMPORARILY_UNAVAILABLE"],
    [false, "NOT_FOUND"],
  ] as const)("says that its webhook secret cannot be read: for now %s", ([isTemporary, code]) =>
    Effect.gen(function* () {
      const { api_key } = yield* createAccount(seller)
      const caller = yield* authenticate(`Bearer ${api_key.key}`)
      const open = (place: string) => Effect.fail(new Unsealable({ place, isTemporary }))
      const showing = Effect.updateService(showWebhookSecret(caller), Vault, (vault) => ({
        ...vault,
        open,
      }))
      assert.strictEqual(yield* codeOf(showing), code)
    }).pipe(Effect.provide(core())),
  )

  it.effect("gives buyers and live installations keys of their own kind", () =>
    Effect.gen(function* () {
      const { api_key } = yield* createAccount({ ...seller, kind: "buyer", plan: "pro" })
      assert.match(api_key.key, /^ag_sk_live_/)
    }).pipe(Effect.provide(core({ mode: "live" }))),
  )

  it.effect("refuses an agent that another account acts as", () =>
    Effect.gen(function* () {
      yield* createAccount(seller)
      const second = createAccount({ ...seller, kind: "buyer" })
      assert.strictEqual(yield* codeOf(second), "AGENT_ID_TAKEN")
    }).pipe(Effect.provide(core())),
  )

  it.effect("refuses an agent whose name looks like another's", () =>
    Effect.gen(function* () {
      yield* createAccount({ ...seller, agent_id: "weather" })
      for (const agent_id of ["we\u0430ther", "WEATHER", "weather.", "ｗｅａｔｈｅｒ"]) {
        assert.strictEqual(yield* codeOf(createAccount({ ...seller, agent_id })), "AGENT_ID_TAKEN")
      }
      yield* createAccount({ ...seller, agent_id: "whether" })
    }).pipe(Effect.provide(core())),
  )

  it.effect("gives an agent to one of twenty accounts that are opened at once", () =>
    Effect.gen(function* () {
      const race = Array.from({ length: 20 }, (_, i) =>
        codeOf(createAccount({ ...seller, name: `Account ${i}` })),
      )
      const codes = yield* Effect.all(race, { concurrency: "unbounded" })
      assert.deepStrictEqual(codes.toSorted(), [...Array(19).fill("AGENT_ID_TAKEN"), "succeeded"])
    }).pipe(Effect.provide(core())),
  )

  it.effect("takes a fixed key of the right form only", () =>
    Effect.gen(function* () {
      const key = `sk_test_${"k".repeat(43)}`
      assert.strictEqual(yield* codeOf(createAccount(seller, "sk_test_short")), "INVALID_REQUEST")
      const { api_key } = yield* createAccount(seller, key)
      assert.strictEqual(api_key.key, key)
      assert.strictEqual(yield* works(key), "succeeded")
    }).pipe(Effect.provide(core())),
  )
})

describe("authenticating", () => {
  it.effect.each<[string | undefined, string]>([
    [undefined, "UNAUTHORIZED"],
    ["Basic c2s6eA==", "UNAUTHORIZED"],
    ["Bearer", "UNAUTHORIZED"],
    ["Bearer nonsense", "INVALID_API_KEY"],
    [`Bearer sk_test_${"x".repeat(43)}`, "INVALID_API_KEY"],
    [`Bearer sk_live_${"x".repeat(43)}`, "INVALID_API_KEY"],
  ])("with %j fails: %s", ([header, code]) =>
    Effect.gen(function* () {
      yield* open("oracle")
      assert.strictEqual(yield* codeOf(authenticate(header)), code)
    }).pipe(Effect.provide(core())),
  )

  it.effect.each<[string, RegExp]>([
    [`sk_test_${"x".repeat(43)}`, /^This API key is unknown/],
    [`sk_live_${"x".repeat(43)}`, /not a whole API key.*sk_test_ or ag_sk_test_ and 43/],
    ["sk_test_short", /not a whole API key.*sk_test_ or ag_sk_test_ and 43/],
    ["the-key-of-an-operator", /An operator's key works only on the routes of operators/],
  ])("with %s says what kind of key is needed", ([key, message]) =>
    Effect.gen(function* () {
      assert.match((yield* Effect.flip(authenticate(`Bearer ${key}`))).message, message)
    }).pipe(Effect.provide(core())),
  )
})

describe("changing a plan", () => {
  it.effect("is refused for an account that does not exist", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* codeOf(changePlan(id("acct", 9), { plan: "pro" })), "NOT_FOUND")
      assert.strictEqual(yield* codeOf(changePlan("acct_'; --", { plan: "pro" })), "NOT_FOUND")
    }).pipe(Effect.provide(core())),
  )

  it.effect("is seen by the next call of the account", () =>
    Effect.gen(function* () {
      const { api_key, id: accountId } = yield* createAccount(seller)
      assert.propertyVal(yield* changePlan(accountId, { plan: "pro" }), "plan", "pro")
      assert.propertyVal(yield* changePlan(accountId, { plan: "pro" }), "plan", "pro")
      assert.strictEqual((yield* authenticate(`Bearer ${api_key.key}`)).account.plan, "pro")
    }).pipe(Effect.provide(core())),
  )
})

describe("issuing a key", () => {
  it.effect("that would be over already is refused", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("oracle")
      const past = issueKey(caller, { expires_at: "2026-01-01T00:00:00.000Z" })
      assert.strictEqual(yield* codeOf(past), "INVALID_REQUEST")
      assert.lengthOf((yield* listKeys(caller, { limit: 20 })).data, 1)
    }).pipe(Effect.provide(core())),
  )

  it.effect("gives one that works until it expires", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("oracle")
      const issued = yield* issueKey(caller, { expires_at: "2026-01-01T01:00:00Z" })
      assert.strictEqual(issued.expires_at, "2026-01-01T01:00:00.000Z")
      yield* TestClock.setTime(T0 + HOUR - 1)
      assert.strictEqual(yield* works(issued.key), "succeeded")
      yield* TestClock.setTime(T0 + HOUR)
      assert.strictEqual(yield* works(issued.key), "INVALID_API_KEY")
    }).pipe(Effect.provide(core())),
  )
})

describe("listing keys", () => {
  it.effect("pages from the newest and shows no secrets", () =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const other = yield* open("pythia")
      const second = yield* issueKey(caller, {})
      const third = yield* issueKey(caller, { expires_at: null })
      yield* issueKey(other, {})

      const first = yield* listKeys(caller, { limit: 2 })
      assert.deepStrictEqual(
        first.data.map((key) => key.id),
        [third.id, second.id],
      )
      assert.isTrue(first.has_more)
      assert.deepStrictEqual(Object.keys(first.data[0]!), [
        "id",
        "hint",
        "created_at",
        "expires_at",
        "revoked_at",
        "minted_by",
        "restrictions",
        "suspended_at",
        "oauth",
      ])
      assert.strictEqual(first.data[0]?.hint, third.key.slice(0, 12))

      const rest = yield* listKeys(caller, { limit: 2, starting_after: second.id })
      assert.deepStrictEqual(
        rest.data.map((key) => key.id),
        [caller.api_key_id],
      )
      assert.isFalse(rest.has_more)
    }).pipe(Effect.provide(core())),
  )

  it.effect("refuses to go on behind a key that is not the account's", () =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const other = yield* open("pythia")
      for (const starting_after of [other.api_key_id, id("key", 5), "key_x", uuid(1)]) {
        const page = listKeys(caller, { limit: 20, starting_after })
        assert.strictEqual(yield* codeOf(page), "INVALID_QUERY")
      }
    }).pipe(Effect.provide(core())),
  )
})

describe("a key that is suspended while its request is decided", () => {
  it.effect("issues and rolls no other, until it is resumed", () =>
    Effect.gen(function* () {
      // The request was admitted by a process that has not heard of the suspension yet.
      const caller = yield* open("oracle")
      const { account, api_key_id } = caller
      const roll = rollKey(caller, api_key_id, { grace_period_seconds: 60 })
      yield* suspendKey(account.id, api_key_id, true)
      assert.strictEqual(yield* codeOf(issueKey(caller, {})), "ACCOUNT_SUSPENDED")
      assert.strictEqual(yield* codeOf(roll), "ACCOUNT_SUSPENDED")
      assert.lengthOf((yield* listKeys(caller, { limit: 20 })).data, 1)
      yield* suspendKey(account.id, api_key_id, false)
      assert.strictEqual(yield* codeOf(issueKey(caller, {})), "succeeded")
    }).pipe(Effect.provide(core())),
  )
})

describe("rolling a key", () => {
  it.effect("of another account, or one that no longer works, is refused", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("oracle")
      const other = yield* open("pythia")
      const grace = { grace_period_seconds: 60 }
      const over = yield* issueKey(caller, { expires_at: "2026-01-01T00:00:01Z" })
      const revoked = yield* issueKey(caller, {})
      yield* revokeKey(caller, revoked.id)
      yield* TestClock.adjust("1 second")
      for (const keyId of [other.api_key_id, id("key", 5), "key_1", over.id, revoked.id]) {
        assert.strictEqual(yield* codeOf(rollKey(caller, keyId, grace)), "NOT_FOUND")
      }
      assert.lengthOf((yield* listKeys(caller, { limit: 20 })).data, 3)
    }).pipe(Effect.provide(core())),
  )

  it.effect("lets the old one work for the grace period", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("oracle")
      const old = yield* issueKey(caller, {})
      const rolled = yield* rollKey(caller, old.id, { grace_period_seconds: 3_600 })
      assert.deepStrictEqual(rolled.replaces, {
        id: old.id,
        expires_at: "2026-01-01T01:00:00.000Z",
      })
      yield* TestClock.setTime(T0 + HOUR - 1)
      assert.strictEqual(yield* works(old.key), "succeeded")
      assert.strictEqual(yield* works(rolled.key), "succeeded")
      yield* TestClock.setTime(T0 + HOUR)
      assert.strictEqual(yield* works(old.key), "INVALID_API_KEY")
      assert.strictEqual(yield* works(rolled.key), "succeeded")
    }).pipe(Effect.provide(core())),
  )

  it.effect("without a grace period ends the old one at once", () =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const old = yield* issueKey(caller, {})
      yield* rollKey(caller, old.id, { grace_period_seconds: 0 })
      assert.strictEqual(yield* works(old.key), "INVALID_API_KEY")
    }).pipe(Effect.provide(core())),
  )

  it.effect("makes neither key live longer than the old one would have", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("oracle")
      const old = yield* issueKey(caller, { expires_at: "2026-01-01T00:01:00Z" })
      const rolled = yield* rollKey(caller, old.id, { grace_period_seconds: 86_400 })
      assert.strictEqual(rolled.replaces.expires_at, "2026-01-01T00:01:00.000Z")
      assert.strictEqual(rolled.expires_at, "2026-01-01T00:01:00.000Z")
    }).pipe(Effect.provide(core())),
  )
})

describe("revoking a key", () => {
  it.effect("of another account is refused", () =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const other = yield* open("pythia")
      assert.strictEqual(yield* codeOf(revokeKey(caller, other.api_key_id)), "NOT_FOUND")
      assert.strictEqual(yield* codeOf(revokeKey(caller, "key_x")), "NOT_FOUND")
    }).pipe(Effect.provide(core())),
  )

  it.effect("ends it at once, and twice is as good as once", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const caller = yield* open("oracle")
      const { id: keyId, key } = yield* issueKey(caller, {})
      const revoked = yield* revokeKey(caller, keyId)
      assert.strictEqual(revoked.revoked_at, "2026-01-01T00:00:00.000Z")
      assert.strictEqual(yield* works(key), "INVALID_API_KEY")
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* revokeKey(caller, keyId), revoked)
    }).pipe(Effect.provide(core())),
  )

  it.effect("wins over rolling it at the same time, whichever comes first", () =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const { id: keyId, key } = yield* issueKey(caller, {})
      yield* Effect.all(
        [
          codeOf(rollKey(caller, keyId, { grace_period_seconds: 60 })),
          codeOf(revokeKey(caller, keyId)),
        ],
        { concurrency: "unbounded" },
      )
      assert.strictEqual(yield* works(key), "INVALID_API_KEY")
    }).pipe(Effect.provide(core())),
  )
})
