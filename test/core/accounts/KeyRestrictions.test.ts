import { Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  type KeyRestrictions,
  type RestrictionsInput,
  restrictionsOf,
  restrictionsView,
  worksFrom,
} from "../../../core/accounts/KeyRestrictions.ts"

const usd = (value: number) => ({ currency: "USD", value })

const issued = (asked: RestrictionsInput | null, outer: KeyRestrictions | null) => {
  const found = restrictionsOf(asked, outer, "key_new")
  return Result.isSuccess(found) ? found.success : found.failure.field
}

describe("a key mints only keys within its own restrictions", () => {
  test.each<[RestrictionsInput | null, KeyRestrictions | null, unknown]>([
    [null, null, null],
    [{}, null, null],
    [{ expires_at: "2030-01-31T08:00:00Z" }, null, null],
    [{ routes: ["read"] }, null, { routes: ["read"] }],
    [null, { routes: ["read"] }, { routes: ["read"] }],
    [{ routes: ["pay"] }, { routes: ["read"] }, "restrictions.routes"],
    [{ routes: ["read"] }, { routes: ["read", "manage"] }, { routes: ["read"] }],
    [{ services: ["b"] }, { services: ["a"] }, "restrictions.services"],
    [{ agents: ["a", "b"] }, { agents: ["a"] }, "restrictions.agents"],
    [{ agents: ["a"] }, { services: ["s"] }, { agents: ["a"], services: ["s"] }],
    [{ max_amount: usd(5) }, { max_amount: usd(5) }, { max_amount: usd(5) }],
    [{ max_amount: usd(6) }, { max_amount: usd(5) }, "restrictions.max_amount"],
    [
      { max_amount: { currency: "JPY", value: 1 } },
      { max_amount: usd(5) },
      "restrictions.max_amount",
    ],
    [
      { addresses: ["10.1.0.0/16"] },
      { addresses: ["10.0.0.0/8", "192.0.2.7"] },
      { addresses: ["10.1.0.0/16"] },
    ],
    [{ addresses: ["0.0.0.0/0"] }, { addresses: ["10.0.0.0/8"] }, "restrictions.addresses"],
  ])("%j of a key with %j: %j", (asked, outer, expected) =>
    expect(issued(asked, outer)).toEqual(expected),
  )

  test("and spends of the budgets that it has inherited besides its own", () => {
    const own = { amount: usd(900), period: "daily" } as const
    const inherited = { key_id: "key_old", amount: usd(500), period: "total" } as const
    const found = issued({ budget: own }, { budgets: [inherited] }) as KeyRestrictions
    expect(found).toEqual({ budgets: [inherited, { ...own, key_id: "key_new" }] })
    expect(restrictionsView(found)).toEqual({ budget: own })
    const many = Array.from({ length: 8 }, () => inherited)
    expect(issued({}, { budgets: many })).toEqual({ budgets: many })
    expect(issued({ budget: own }, { budgets: many })).toBe("restrictions.budget")
  })
})

test("a key that is restricted to addresses works from no unknown one", () => {
  expect(worksFrom({}, undefined)).toBe(true)
  expect(worksFrom({ addresses: ["0.0.0.0/0"] }, undefined)).toBe(false)
  expect(worksFrom({ addresses: ["10.0.0.0/8"] }, "10.9.9.9")).toBe(true)
})
