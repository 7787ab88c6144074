import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  type KeyRestrictions,
  type RestrictionsInput,
  restrictionsOf,
  restrictionsView,
  ROUTE_GROUPS,
  scopeBroken,
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

describe("whatever a key mints", () => {
  const some = <A>(items: ReadonlyArray<A>) =>
    fc.option(fc.subarray([...items], { minLength: 1 }), { nil: undefined })
  const money = fc.record({
    currency: fc.constantFrom("USD", "JPY"),
    value: fc.integer({ min: 1, max: 9 }),
  })
  const BLOCKS = ["10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "0.0.0.0/0", "2001:db8::/32", "::/0"]
  const optional = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined })
  const anInput = fc
    .record({
      routes: some(ROUTE_GROUPS),
      services: some(["a", "b", "c"]),
      agents: some(["x", "y"]),
      addresses: some(BLOCKS),
      max_amount: optional(money),
      budget: optional(
        fc.record({ amount: money, period: fc.constantFrom("daily", "total" as const) }),
      ),
    })
    // Absent fields are left out of the object.
    .map((said) => JSON.parse(JSON.stringify(said)) as RestrictionsInput)
  const aRequest = fc.record({
    group: fc.constantFrom(...ROUTE_GROUPS),
    service: fc.constantFrom("a", "b", "c", "d"),
    agent: fc.constantFrom("x", "y", "z"),
    address: fc.constantFrom("10.1.2.3", "10.9.9.9", "192.0.2.1", "2001:db8::1", "2001:dead::1"),
    amount: money,
    /** The part of each budget that is already spent, by key. */
    spent: fc.dictionary(fc.constantFrom("key_0", "key_1", "key_2"), fc.nat(9)),
  })
  type Asked = typeof aRequest extends fc.Arbitrary<infer A> ? A : never

  /** Every restriction on its own, as its check in the core has it; rates are one to one. */
  const allows = (by: KeyRestrictions | null, asked: Asked): boolean => {
    const { agents, budgets = [], max_amount, routes, services } = by ?? {}
    return (
      (routes?.includes(asked.group) ?? true) &&
      (services?.includes(asked.service) ?? true) &&
      (agents?.includes(asked.agent) ?? true) &&
      worksFrom(by ?? {}, asked.address) &&
      asked.amount.value <= (max_amount?.value ?? Infinity) &&
      budgets.every(
        ({ amount, key_id }) => (asked.spent[key_id] ?? 0) + asked.amount.value <= amount.value,
      )
    )
  }

  test("allows nothing that its minter does not, over any number of generations", () => {
    let minted = 0
    fc.assert(
      fc.property(fc.array(anInput, { minLength: 1, maxLength: 3 }), aRequest, (inputs, asked) => {
        let outer: KeyRestrictions | null = null
        for (const [n, input] of inputs.entries()) {
          const found = restrictionsOf(input, outer, `key_${n}`)
          if (Result.isFailure(found)) return
          minted += n
          if (allows(found.success, asked)) expect(allows(outer, asked)).toBe(true)
          outer = found.success
        }
      }),
      { numRuns: 3_000 },
    )
    // Most random restrictions are too wide.
    expect(minted).toBeGreaterThan(100)
  })

  test("is allowed to mint its own restrictions again, and to say nothing", () => {
    fc.assert(
      fc.property(anInput, (input) => {
        const first = restrictionsOf(input, null, "key_0")
        if (Result.isFailure(first)) return
        const { budget: _, ...same } = input
        expect(restrictionsOf(same, first.success, "key_1")).toEqual(first)
        expect(restrictionsOf(null, first.success, "key_1")).toEqual(first)
      }),
    )
  })
})

test.each<[KeyRestrictions, ReadonlyArray<string>, ReadonlyArray<string>, string | undefined]>([
  [{}, [], [], undefined],
  [{ routes: ["read"] }, ["a", "b"], ["x"], undefined],
  [{ services: ["a"] }, ["a", "a"], ["x"], undefined],
  [{ services: ["a"] }, [], [], "services"],
  [{ services: ["a"] }, ["b"], [], "services"],
  [{ services: ["a"] }, ["a", "b"], [], "services"],
  [{ agents: ["x", "y"] }, ["b"], ["y", "x"], undefined],
  [{ agents: ["x"] }, ["b"], [], "agents"],
  [{ agents: ["x"] }, ["b"], ["x", "y"], "agents"],
  [{ agents: ["x"], services: ["a"] }, ["a"], ["x"], undefined],
  [{ agents: ["x"], services: ["a"] }, ["b"], ["y"], "services"],
  [{ agents: ["x"], services: ["a"] }, ["a"], [], "agents"],
])(
  "a key with %j and a request about services %j, agents %j: %s",
  (key, services, agents, broken) => expect(scopeBroken(key, { services, agents })).toBe(broken),
)
