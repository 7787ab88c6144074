import { describe, expect, test } from "vitest"
import { trusted } from "../../../core/language/Trusted.ts"
import type { Entities } from "../../../core/language/Understanding.ts"

const codes = new Set(["USD", "EUR"])
const PAYMENT = "pi_01997d3e-8a00-7000-8000-000000000001"
const SERVICE = "01997d3e-8a00-7000-8000-000000000010"

const kept = (text: string, entities: Entities) =>
  trusted(text, { intent: "pay", confidence: 1, entities }, codes).entities

describe("what an engine says counts only where the text holds it", () => {
  test.each<[string, Entities, Entities]>([
    ["pay 5 dollars", { amount: "500", currency: "USD" }, { currency: "USD" }],
    ["pay 5 dollars", { amount: "5", currency: "EUR" }, { currency: "EUR" }],
    ["pay 5 dollars", { amount: "5", currency: "XXX" }, {}],
    ["pay 5 dollars", { amount: "5.00", currency: "USD" }, { amount: "5.00", currency: "USD" }],
    ["refund it", { payment_intent: PAYMENT }, {}],
    [`refund ${PAYMENT}`, { payment_intent: PAYMENT }, { payment_intent: PAYMENT }],
    ["pay Weather", { service_id: SERVICE, service: "Weather" }, { service: "Weather" }],
    [`pay ${SERVICE}`, { service_id: SERVICE }, { service_id: SERVICE }],
  ])("%s", (text, said, wanted) => {
    expect(kept(text, said)).toEqual(wanted)
  })
})
