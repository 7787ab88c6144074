import { Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  expiryAfterRoll,
  expiryOf,
  firstExpiry,
  issuedBy,
  issuersOfWorking,
  type KeyLifetime,
  mayRevoke,
  issuerAfterRoll,
  issuerOnceReplaced,
  mayRoll,
  passedOn,
} from "../../../core/accounts/KeyRules.ts"
import type { KeyRestrictions } from "../../../core/accounts/KeyRestrictions.ts"
import { DAY, HOUR } from "../../../core/shared/Timestamp.ts"
import { anApiKey, id, T0 } from "../../support/records.ts"

const free: KeyLifetime = { usual: null, most: null }
const bound: KeyLifetime = { usual: 30, most: 90 }
const longer: KeyLifetime = { usual: 60, most: null }

const keyIds = { a: id("key", 1), b: id("key", 2), c: id("key", 3) }
const family = [
  anApiKey({ n: 1 }),
  anApiKey({ n: 2, minted_by: keyIds.a }),
  anApiKey({ n: 3, minted_by: keyIds.b, expires_at: T0 + DAY }),
  anApiKey({ n: 4, restrictions: { routes: ["manage"] } }),
]

test.each([
  ["the host", null, keyIds.a, true],
  ["the first key", keyIds.a, keyIds.c, true],
  ["a key itself", keyIds.c, keyIds.c, true],
  ["the issuer", keyIds.b, keyIds.c, true],
  ["an issued key", keyIds.b, keyIds.a, false],
  ["a restricted key of the host", id("key", 4), keyIds.a, false],
  ["a restricted key of the host, itself", id("key", 4), id("key", 4), true],
  ["a key that is gone", id("key", 9), keyIds.a, false],
])("whether %s may roll a key", (_who, roller, rolled, may) => {
  expect(mayRoll(family, { id: roller }, rolled)).toBe(may)
})

test.each([
  ["the host, an issued key", null, keyIds.a, keyIds.a],
  ["the host, a first key", null, null, null],
  ["a first key, itself", keyIds.b, null, null],
  ["an issued key, itself", keyIds.b, keyIds.a, keyIds.b],
  ["another key", keyIds.c, keyIds.a, keyIds.c],
  ["another key, a first one", keyIds.c, null, keyIds.c],
])("after a roll by %s, the new key's issuer", (_who, roller, minted_by, issuer) => {
  expect(issuerAfterRoll({ id: keyIds.b, minted_by }, roller)).toBe(issuer)
})

const days = (n: number) => T0 + n * DAY

describe("a new key stops working", () => {
  test.each<[number | null | undefined, number | null, KeyLifetime, number | null | string]>([
    [T0, null, free, "must be in the future"],
    [null, null, bound, "must be within 90 days"],
    [days(91), null, bound, "must be within 90 days"],
    [null, days(5), free, "must not be after the expiry of the key that issues it"],
    [days(6), days(5), free, "must not be after the expiry of the key that issues it"],
    [undefined, null, free, null],
    [null, null, free, null],
    [undefined, days(5), free, days(5)],
    [undefined, null, bound, days(30)],
    [undefined, null, { usual: null, most: 90 }, days(90)],
    [undefined, days(5), bound, days(5)],
    [days(5), days(5), bound, days(5)],
    [days(90), null, bound, days(90)],
  ])(
    "asked %s, issued by one until %s, under %j: %s",
    (asked, minter_expires_at, lifetime, end) => {
      const found = expiryOf({ asked, minter_expires_at, now: T0, lifetime })
      expect(Result.isSuccess(found) ? found.success : found.failure).toBe(end)
    },
  )

  test.each([
    [free, null],
    [bound, days(30)],
    [{ usual: null, most: 7 }, days(7)],
  ])("as an account's first one under %j: %s", (lifetime, end) => {
    expect(firstExpiry(T0, lifetime)).toBe(end)
  })
})

test("what a key has issued is found over all generations, in any order", () => {
  const minted = (n: number, by: number | null) =>
    anApiKey({ n, minted_by: by === null ? null : id("key", by) })
  const keys = [
    minted(5, 4),
    minted(4, 2),
    minted(3, 1),
    minted(2, 1),
    minted(1, null),
    minted(6, 9),
  ]
  const of = (n: number) => issuedBy(keys, id("key", n)).map((key) => key.id)
  expect(of(1)).toEqual([5, 4, 3, 2].map((n) => id("key", n)))
  expect(of(2)).toEqual([5, 4].map((n) => id("key", n)))
  expect(of(5)).toEqual([])
})

describe("a key revokes", () => {
  const minted = (n: number, by: number | null) =>
    anApiKey({ n, minted_by: by === null ? null : id("key", by) })
  const keys = [minted(1, null), minted(2, 1), minted(3, 2), minted(4, 3), minted(5, 1)]
  const restricted = { routes: ["manage"] } as const
  test.each<[string, number, KeyRestrictions | null | undefined, number, boolean]>([
    ["its issuer's issuer, without restrictions", 3, null, 1, true],
    ["another, as the host's own caller", 9, undefined, 1, true],
    ["itself", 3, restricted, 3, true],
    ["what it has issued", 2, restricted, 3, true],
    ["what was issued by what it has issued", 2, restricted, 4, true],
    ["its issuer, restricted", 2, restricted, 1, false],
    ["its sibling, restricted", 2, restricted, 5, false],
    ["its issuer's issuer, restricted", 3, restricted, 1, false],
    ["another by an empty restriction", 3, {}, 5, false],
  ])("%s", (_, by, restrictions, of, may) => {
    const caller = {
      api_key_id: id("key", by),
      ...(restrictions !== undefined && { restrictions }),
    }
    expect(mayRevoke(keys, caller, id("key", of))).toBe(may)
  })
})

test("a key is kept while a key works that it has issued, directly or not", () => {
  const minted = (n: number, by: number | null, revoked_at: number | null) =>
    anApiKey({ n, minted_by: by === null ? null : id("key", by), revoked_at })
  const keys = [
    minted(6, 5, T0),
    minted(5, 1, T0),
    minted(4, 2, null),
    minted(3, 9, null),
    minted(2, 1, T0),
    minted(1, null, T0),
  ]
  const needed = issuersOfWorking(keys, ({ revoked_at }) => revoked_at === null)
  expect([...needed].toSorted()).toEqual([1, 2, 9].map((n) => id("key", n)))
})

test("a thousand keys, each issued by the one before, are walked once", () => {
  const keys = Array.from({ length: 1_000 }, (_, n) =>
    anApiKey({ n, minted_by: n === 0 ? null : id("key", n - 1), revoked_at: n < 999 ? T0 : null }),
  ).toReversed()
  const began = performance.now()
  expect(issuersOfWorking(keys, ({ revoked_at }) => revoked_at === null).size).toBe(999)
  for (const key of keys.slice(0, 100)) issuedBy(keys, key.id)
  expect(issuedBy(keys, id("key", 0))).toHaveLength(999)
  // Pass by pass, the first line alone took half a minute.
  expect(performance.now() - began).toBeLessThan(2_000)
})

describe("a rolled key expires", () => {
  const now = days(20)
  const first = anApiKey({ n: 1, created_at: T0, expires_at: days(30) })
  const replaced = { ...first, expires_at: days(21), minted_by: id("key", 2) }
  const issued = anApiKey({ n: 3, created_at: days(1), expires_at: days(25), minted_by: first.id })
  const narrow = { ...first, restrictions: { routes: ["manage" as const] } }
  const brief = { ...first, created_at: now - HOUR / 2, expires_at: now + HOUR / 2 }
  const free1 = { ...first, expires_at: null }
  const host = { id: null, expires_at: null }
  const other = { id: "key", expires_at: null }
  test.each([
    ["with the lifetime anew: a first key by itself", first, first, bound, days(50)],
    ["with the lifetime anew: a first key by the host", first, host, bound, days(50)],
    ["with its own lifetime anew: one for an hour", brief, brief, bound, now + HOUR],
    ["with its own lifetime anew: one for an hour by the host", brief, host, bound, now + HOUR],
    ["with a lifetime that is shorter now", first, first, { usual: 7, most: null }, days(27)],
    ["with its own lifetime where that is longer now", first, first, longer, days(50)],
    ["as before: a first key that was replaced", replaced, replaced, bound, days(21)],
    ["as before: a first key that was replaced, by the host", replaced, host, bound, days(21)],
    ["as before: a first key by another key", first, other, bound, days(30)],
    ["as before: a first key without a lifetime", first, first, free, days(30)],
    ["as before: a restricted key without an issuer", narrow, narrow, bound, days(30)],
    ["as before: an issued key by itself", issued, issued, bound, days(25)],
    ["as before: an issued key by its issuer", issued, first, bound, days(25)],
    ["after the longest lifetime: one without an expiry", free1, free1, bound, days(110)],
    ["never: one without an expiry or a lifetime", free1, free1, free, null],
    ["with its roller", free1, { id: "key", expires_at: days(22) }, free, days(22)],
  ])("%s", (_which, old, roller, lifetime, end) => {
    expect(expiryAfterRoll({ old, roller, now, lifetime })).toBe(end)
  })
})

test.each([
  ["a first key", null, keyIds.b],
  ["an issued key", keyIds.a, keyIds.a],
])("once it is replaced, the issuer of %s", (_which, minted_by, issuer) => {
  expect(issuerOnceReplaced({ minted_by }, keyIds.b)).toBe(issuer)
})

describe("of first keys that replaced one another", () => {
  const key = (n: number, by: number | null, works = false) =>
    anApiKey({
      n,
      created_at: days(n),
      minted_by: by === null ? null : id("key", by),
      revoked_at: works ? null : T0,
    })
  const works = ({ revoked_at }: { readonly revoked_at: number | null }) => revoked_at === null
  const chain = [key(1, 2), key(2, 3), key(3, 4), key(4, null, true)]

  test("only those are kept that have issued a working key themselves", () => {
    const needed = issuersOfWorking([...chain, key(5, 1, true), key(6, 3), key(7, 6, true)], works)
    expect([...needed].toSorted()).toEqual([1, 3, 6].map((n) => id("key", n)))
  })

  test("the replacement of a working one is kept", () => {
    const needed = issuersOfWorking([key(1, 2, true), key(2, 3), key(3, null, true)], works)
    expect([...needed]).toEqual([id("key", 2)])
  })

  test("one that is removed passes on what counts as issued by it, and nothing else", () => {
    const keys = [...chain, key(5, 2), key(6, 3)]
    expect(passedOn(keys, key(2, 3))).toEqual([key(1, 3), key(5, 3)])
    expect(passedOn(keys, key(4, null))).toEqual([])
    const left = [key(1, 3), ...keys.slice(2)]
    expect(issuedBy(left, id("key", 4)).map((one) => one.id)).toContain(id("key", 1))
  })

  test("one that is removed passes on what it replaced in the same millisecond", () => {
    const replaced = { ...key(1, 2), created_at: days(2) }
    expect(passedOn([replaced, ...chain.slice(1)], key(2, 3))).toEqual([
      { ...replaced, minted_by: id("key", 3) },
    ])
  })
})
