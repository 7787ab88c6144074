import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { rulesLanguage } from "../../../adapters/language/layer.ts"
import { anIntent } from "../../../apps/payport/testing/records/payments.ts"
import { understandQuery } from "../../../core/language/understandQuery.ts"
import { Store } from "../../../core/ports/Store.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, seed, seller, world } from "../../support/world.ts"

/** A payment in each of several currencies. */
const PAID = ["USD", "JPY", "CNY", "EUR"] as const
type Paid = (typeof PAID)[number]

const payments = PAID.map((currency, index) =>
  anIntent({ n: index + 1, amount: { currency, value: 100_000 } }),
)

const idOf = (currency: Paid): string =>
  payments.find(({ amount }) => amount.currency === currency)?.id ?? ""

const open = Effect.gen(function* () {
  yield* seed({ name: "Weather" })
  const store = yield* Store
  yield* store.commit({
    writes: payments.map((record) => ({ op: "insert", kind: "payment_intent", record })),
  })
})

const inWorld = Effect.provide(rulesLanguage.pipe(Layer.provideMerge(world(makeScript()))))

/** Returns the amount of the action that a text makes ready, else what is asked for. */
const answer = Effect.fnUntraced(function* (
  query: string,
  { currency, refunds }: { readonly currency?: string; readonly refunds?: Paid },
) {
  yield* open
  const caller = refunds === undefined ? as(buyer) : as(seller)
  const text = refunds === undefined ? query : query.replace("<p>", idOf(refunds))
  const context = currency === undefined ? {} : { currency }
  const { action, view } = yield* understandQuery(caller, text, context)
  if (action === null) {
    // Nothing is said of a currency that is asked for.
    expect(view.missing[0] === "currency" && view.entities.currency).not.toBeTypeOf("string")
    return view.missing
  }
  expect(view.missing).toEqual([])
  expect(view.entities).not.toHaveProperty("shared")
  const { amount } = "input" in action && "amount" in action.input ? action.input : {}
  return `${amount?.value} ${amount?.currency}`
})

type Wanted = string | ReadonlyArray<string>

const ASKS = ["currency"]

describe("a yen sign without Chinese or Japanese characters", () => {
  it.effect.each<readonly [text: string, currency: string | undefined, wanted: Wanted]>([
    ["Pay ¥500 to Weather", undefined, ASKS],
    ["Pay ¥500 to Weather", "EUR", ASKS],
    ["Pay ¥500 to Weather", "JPY", "500 JPY"],
    ["Pay ¥500 to Weather", "CNY", "50000 CNY"],
    ["Pay 500¥ to Weather", "EUR", ASKS],
    ["Pay 500 ¥ to Weather", "CNY", "50000 CNY"],
    ["Buy Weather for ￥500", "USD", ASKS],
    ["Pay ¥500 JPY to Weather", "EUR", "500 JPY"],
    ["Pay ¥500 CNY to Weather", "JPY", "50000 CNY"],
    ["Pay JP¥500 to Weather", "EUR", "500 JPY"],
    ["Pay CN¥500 to Weather", "EUR", "50000 CNY"],
    ["Pay 500 yen to Weather", "EUR", "500 JPY"],
    ["Pay ¥500 USD to Weather", "USD", ["amount"]],
    ["Pay ¥500 dollars to Weather", "USD", ["amount"]],
    ["给Weather付¥500", "EUR", "50000 CNY"],
    ["Pay ¥500 to Weather on Friday", "EUR", ASKS],
  ])("%s with %s", ([text, currency, wanted]) =>
    Effect.gen(function* () {
      expect(yield* answer(text, currency === undefined ? {} : { currency })).toEqual(wanted)
    }).pipe(inWorld),
  )

  it.effect.each<readonly [refunds: Paid, currency: string | undefined, wanted: Wanted]>([
    ["USD", undefined, ASKS],
    ["USD", "USD", ASKS],
    ["USD", "JPY", ASKS],
    ["JPY", undefined, "500 JPY"],
    ["CNY", "USD", "50000 CNY"],
  ])("refunds a payment in %s with %s", ([refunds, currency, wanted]) =>
    Effect.gen(function* () {
      const said = { refunds, ...(currency !== undefined && { currency }) }
      expect(yield* answer("Refund ¥500 of <p>", said)).toEqual(wanted)
    }).pipe(inWorld),
  )
})

describe("dollars without the name of their country", () => {
  it.effect.each<readonly [text: string, currency: string | undefined, wanted: Wanted]>([
    ["Pay $5 to Weather", undefined, "500 USD"],
    ["Pay $5 to Weather", "CAD", "500 CAD"],
    ["Pay 5 bucks to Weather", "AUD", "500 AUD"],
    ["Pay $20 to Weather", "MXN", ASKS],
    ["Pay five dollars to Weather", "SGD", "500 SGD"],
    ["Pay 5 dollars and 50 cents to Weather", "CAD", "550 CAD"],
    ["Pay $5 to Weather", "EUR", "500 USD"],
    ["Pay $5 to Weather", "CNY", "500 USD"],
    ["Pay US$5 to Weather", "CAD", "500 USD"],
    ["Pay $5 USD to Weather", "CAD", "500 USD"],
    ["Pay C$5 to Weather", "USD", "500 CAD"],
    ["Pay C$ 5 bucks to Weather", "USD", "500 CAD"],
    ["Pay R$5 to Weather", "USD", "500 BRL"],
    ["Pay $5 to Weather on Friday", "CAD", ["wording"]],
  ])("%s with %s", ([text, currency, wanted]) =>
    Effect.gen(function* () {
      expect(yield* answer(text, currency === undefined ? {} : { currency })).toEqual(wanted)
    }).pipe(inWorld),
  )
})

describe("cents without the name of their currency", () => {
  it.effect.each<readonly [text: string, currency: string | undefined, wanted: Wanted]>([
    ["Pay 50 cents to Weather", undefined, "50 USD"],
    ["Pay 50 cents to Weather", "USD", "50 USD"],
    ["Pay 50 cents to Weather", "EUR", "50 EUR"],
    ["Buy Weather for 50¢", "CAD", "50 CAD"],
    ["Pay 50 cents to Weather", "JPY", ASKS],
    ["Pay 50 cents to Weather", "KWD", ASKS],
    ["Pay 50 cents to Weather", "GBP", ASKS],
    ["Pay 50 eurocents to Weather", "USD", "50 EUR"],
    ["Pay 5 dollars and 50 cents to Weather", "EUR", "550 USD"],
    ["Pay 5 pounds and 50 cents to Weather", "GBP", ["amount"]],
    ["Pay 50 cents to Weather on Friday", "JPY", ASKS],
  ])("%s with %s", ([text, currency, wanted]) =>
    Effect.gen(function* () {
      expect(yield* answer(text, currency === undefined ? {} : { currency })).toEqual(wanted)
    }).pipe(inWorld),
  )

  it.effect.each<readonly [refunds: Paid, currency: string | undefined, wanted: Wanted]>([
    ["USD", "EUR", "50 USD"],
    ["EUR", "USD", "50 EUR"],
    ["JPY", "USD", ASKS],
    ["CNY", undefined, ASKS],
  ])("refunds of a payment in %s with %s", ([refunds, currency, wanted]) =>
    Effect.gen(function* () {
      const said = { refunds, ...(currency !== undefined && { currency }) }
      expect(yield* answer("Refund 50 cents of <p>", said)).toEqual(wanted)
    }).pipe(inWorld),
  )
})

describe("a comma before three digits", () => {
  it.effect.each<readonly [text: string, wanted: Wanted]>([
    ["Pay 1,500 USD to Weather", "150000 USD"],
    ["Pay 0,50 USD to Weather", "50 USD"],
    ["Pay 0,500 USD to Weather", ["amount"]],
    ["Pay USD 0,500 to Weather", ["amount"]],
    ["Pay $0,050 to Weather", ["amount"]],
    ["Pay 01,500 USD to Weather", ["amount"]],
    ["Pay 0,500,000 USD to Weather", ["amount"]],
    ["Pay 0 500 USD to Weather", ["amount"]],
    // One dinar and a part, or a thousand.
    ["Pay 1,234 KWD to Weather", ["wording"]],
    ["Pay KWD 1,234 to Weather", ["wording"]],
    ["Pay 1,234.500 KWD to Weather", "1234500 KWD"],
    ["Pay 1,234,567 KWD to Weather", "1234567000 KWD"],
    ["Pay 12,345,678 KWD to Weather", "12345678000 KWD"],
    ["Pay 1,234,567 JPY to Weather", "1234567 JPY"],
  ])("%s", ([text, wanted]) =>
    Effect.gen(function* () {
      expect(yield* answer(text, {})).toEqual(wanted)
    }).pipe(inWorld),
  )

  it.effect.each<readonly [text: string, currency: string, wanted: Wanted]>([
    ["Pay 1,234 to Weather", "USD", "123400 USD"],
    ["Pay 1,234 to Weather", "KWD", ["wording"]],
    ["Pay 1234 to Weather", "KWD", "1234000 KWD"],
    ["Pay 1,234,567 to Weather", "KWD", "1234567000 KWD"],
  ])("%s with %s", ([text, currency, wanted]) =>
    Effect.gen(function* () {
      expect(yield* answer(text, { currency })).toEqual(wanted)
    }).pipe(inWorld),
  )
})
