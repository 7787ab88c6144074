import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { issueKey } from "../../../core/keys/issueKey.ts"
import { keySpending } from "../../../core/keys/keySpending.ts"
import { Rates } from "../../../core/ports/Rates.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { core, open } from "../../support/core.ts"
import { T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, world } from "../../support/world.ts"
import { install, opened, pay, usd } from "./installWorld.ts"

const xof = { currency: "XOF", value: 100_000 }
const capInXof = { spend_cap: { amount: xof, period: "monthly" } } as const

/** Rates by currency; others have none. */
const rates = (table: { readonly [currency: string]: string }) =>
  Rates.of({
    perDollar: (currency) => {
      const rate = table[currency]
      return rate === undefined
        ? Effect.fail(new Failure({ code: "INVALID_AMOUNT", message: `No rate of ${currency}.` }))
        : Effect.succeed({ rate, as_of: T0 })
    },
  })

const usual = rates({ USD: "1", EUR: "0.87" })
const withXof = rates({ USD: "1", EUR: "0.87", XOF: "570.5" })
const outage = Rates.of({
  perDollar: () => Effect.fail(new Failure({ code: "TEMPORARILY_UNAVAILABLE", message: "Out." })),
})

const under = (table: Rates["Service"]) => Effect.provideService(Rates, table)

describe("a spend cap in a currency without an exchange rate", () => {
  it.effect("is refused, and tells what to do", () =>
    Effect.gen(function* () {
      yield* opened
      const refused = yield* Effect.flip(under(usual)(install(capInXof)))
      expect(refused).toMatchObject({
        code: "INVALID_AMOUNT",
        field: "spend_cap.amount.currency",
        message: expect.stringContaining("no exchange rate for XOF"),
      })
      expect((yield* under(withXof)(install(capInXof))).spend_cap).toEqual(capInXof.spend_cap)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is accepted while rates are missing altogether", () =>
    Effect.gen(function* () {
      yield* opened
      expect((yield* under(outage)(install(capInXof))).spend_cap).toEqual(capInXof.spend_cap)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is named when a payment is refused because the rate has disappeared", () =>
    Effect.gen(function* () {
      yield* opened
      yield* under(withXof)(install(capInXof))
      const refused = yield* Effect.flip(under(usual)(pay(500)))
      expect(refused).toMatchObject({
        code: "INVALID_AMOUNT",
        message: expect.stringMatching(/XOF, the currency of the spend cap.*Set spend_cap/),
        details: { limit: "spend_cap", currency: "XOF" },
      })
      expect(refused).not.toHaveProperty("field", "amount.currency")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("a key's limit in a currency without an exchange rate", () => {
  it.effect.each([
    ["restrictions.max_amount.currency", { max_amount: xof }],
    ["restrictions.budget.amount.currency", { budget: { amount: xof, period: "daily" } }],
  ] as const)("is refused for the field %s", ([field, restrictions]) =>
    Effect.gen(function* () {
      const caller = yield* open("oracle")
      const refused = yield* Effect.flip(under(usual)(issueKey(caller, { restrictions })))
      expect(refused).toMatchObject({
        code: "INVALID_REQUEST",
        field,
        message: expect.stringContaining("no exchange rate for XOF"),
      })
      yield* under(withXof)(issueKey(caller, { restrictions }))
    }).pipe(Effect.provide(core())),
  )

  it.effect.each([
    ["max_amount", { max_amount: xof }],
    ["budget", { budgets: [{ key_id: "key_1", amount: xof, period: "daily" }] }],
  ] as const)("is named as %s when the rate has disappeared", ([limit, restrictions]) =>
    Effect.gen(function* () {
      const caller = { ...as(buyer), restrictions }
      const refused = yield* Effect.flip(under(usual)(keySpending(caller, usd(500), T0)))
      expect(refused).toMatchObject({
        code: "INVALID_AMOUNT",
        message: expect.stringContaining(`XOF, the currency of the limit ${limit}`),
        details: { limit, currency: "XOF" },
      })
      const same = yield* under(usual)(keySpending(caller, { currency: "XOF", value: 5 }, T0))
      expect(same).toBeDefined()
    }).pipe(Effect.provide(core())),
  )

  it.effect("is not blamed for an amount that has no rate itself", () =>
    Effect.gen(function* () {
      const caller = { ...as(buyer), restrictions: { max_amount: usd(500) } }
      const spending = keySpending(caller, { currency: "XOF", value: 5 }, T0)
      const refused = yield* Effect.flip(under(usual)(spending))
      expect(refused).toMatchObject({ code: "INVALID_AMOUNT", message: "No rate of XOF." })
    }).pipe(Effect.provide(core())),
  )
})
