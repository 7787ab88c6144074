import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { answerQuery } from "../../../core/language/answerQuery.ts"
import { understandQuery } from "../../../core/language/understandQuery.ts"
import type { Understanding } from "../../../core/language/Understanding.ts"
import { listIntents } from "../../../core/payments/listIntents.ts"
import { Language } from "../../../core/ports/Language.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, seed, seller, world } from "../../support/world.ts"

const PAYMENT = "pi_01997d3e-8a00-7000-8000-000000000001"
const OTHER = "pi_01997d3e-8a00-7000-8000-000000000002"

/** An engine that claims to be certain of a wrong reading. */
const saying = (said: Pick<Understanding, "intent" | "entities">) =>
  Layer.succeed(Language, { understand: () => Effect.succeed({ ...said, confidence: 1 }) })

const inWorld = Effect.provide(world(makeScript()))

/** Returns the questions in the answer when the text should be executed. */
const asked = Effect.fnUntraced(function* (
  query: string,
  said: Pick<Understanding, "intent" | "entities">,
) {
  yield* seed()
  const caller = said.intent === "refund" ? as(seller) : as(buyer)
  const answer = yield* answerQuery(caller, { query, execute: true }).pipe(
    Effect.provide(saying(said)),
  )
  expect((yield* listIntents(as(buyer), { limit: 100 })).data).toEqual([])
  expect(answer).not.toHaveProperty("result")
  expect(answer.action).toBeNull()
  return answer.missing
})

describe("an engine that says what the text does not moves no money", () => {
  it.effect.each<
    readonly [text: string, intent: "pay" | "refund", Understanding["entities"], string]
  >([
    [
      "pay 5 dollars to Service 1",
      "pay",
      { amount: "500", currency: "USD", service: "Service 1" },
      "amount",
    ],
    ["pay 5 dollars to Service 1", "pay", { service: "Service 1" }, "amount"],
    [
      "pay 0,500 dollars to Service 1",
      "pay",
      { amount: "500", currency: "USD", service: "Service 1" },
      "amount",
    ],
    ["pay 0,500 dollars to Service 1", "pay", { service: "Service 1" }, "amount"],
    [
      "pay 5 to Service 1",
      "pay",
      { amount: "5", currency: "KWD", service: "Service 1" },
      "currency",
    ],
    ["pay 5 euros to my friend", "pay", { amount: "5", service: "Service 1" }, "currency"],
    ["pay 5 dollars to my friend", "pay", { amount: "5", service: "Service 1" }, "service_id"],
    [
      "pay 5 USD to my friend",
      "pay",
      { amount: "5", currency: "USD", service: "Service 1" },
      "service_id",
    ],
    [
      "pay ¥500 to Service 1",
      "pay",
      { amount: "500", currency: "JPY", service: "Service 1" },
      "currency",
    ],
    [
      "pay ¥500 to Service 1",
      "pay",
      { amount: "500", currency: "USD", service: "Service 1" },
      "amount",
    ],
    [`refund 5 dollars of ${PAYMENT}`, "refund", { payment_intent: PAYMENT }, "amount"],
    [`refund a little of it`, "refund", { payment_intent: OTHER }, "payment_intent"],
    [
      `refund 5 dollars of ${PAYMENT}`,
      "refund",
      { payment_intent: PAYMENT, amount: "500", currency: "USD" },
      "amount",
    ],
  ])("%s", ([text, intent, entities, missing]) =>
    Effect.map(asked(text, { intent, entities }), (all) => expect(all).toContain(missing)).pipe(
      inWorld,
    ),
  )

  it.effect("one that says what the text does is believed", () =>
    Effect.gen(function* () {
      yield* seed()
      const entities = { amount: "5", currency: "USD", service: "Service 1" }
      const { result } = (yield* answerQuery(as(buyer), {
        query: "pay 5 USD to Service 1",
        execute: true,
      }).pipe(Effect.provide(saying({ intent: "pay", entities })))) as { readonly result?: object }
      expect(result).toMatchObject({ amount: { currency: "USD", value: 500 } })
    }).pipe(inWorld),
  )

  it.effect.each<readonly [text: string, said: string, context: string, value: number]>([
    ["pay ¥500 to Service 1", "JPY", "JPY", 500],
    ["pay ¥500 to Service 1", "JPY", "CNY", 50_000],
    ["pay 500 cents to Service 1", "USD", "EUR", 500],
  ])("%s, said to be in %s, is in %s of the context", ([query, said, currency, value]) =>
    Effect.gen(function* () {
      yield* seed()
      const amount = query.includes("¥") ? "500" : "5"
      const entities = { amount, currency: said, service: "Service 1" }
      const { action } = yield* understandQuery(as(buyer), query, { currency }).pipe(
        Effect.provide(saying({ intent: "pay", entities })),
      )
      expect(action).toMatchObject({ input: { amount: { currency, value } } })
    }).pipe(inWorld),
  )
})
