import { describe, expect, test } from "vitest"
import { trusted } from "../../../core/language/Trusted.ts"
import type { Entities, Intent } from "../../../core/language/Understanding.ts"

const codes = new Set(["USD", "EUR"])
const PAYMENT = "pi_01997d3e-8a00-7000-8000-000000000001"
const SERVICE = "01997d3e-8a00-7000-8000-000000000010"

const judged = (text: string, entities: Entities, intent: Intent = "pay") =>
  trusted(text, { intent, confidence: 1, entities }, codes)

const kept = (text: string, entities: Entities) => judged(text, entities).entities

describe("what an engine says counts only where the text holds it", () => {
  test.each<[string, Entities, Entities]>([
    ["pay 5 dollars", { amount: "500", currency: "USD" }, { currency: "USD" }],
    ["pay 5 dollars", { amount: "5", currency: "EUR" }, {}],
    ["pay 5 dollars", { amount: "5", currency: "XXX" }, {}],
    ["pay 5", { amount: "5", currency: "USD" }, { amount: "5" }],
    ["pay 5 dollars", { amount: "5.00", currency: "USD" }, { amount: "5.00", currency: "USD" }],
    ["refund it", { payment_intent: PAYMENT }, {}],
    [`refund ${PAYMENT}`, { payment_intent: PAYMENT }, { payment_intent: PAYMENT }],
    ["pay Weather", { service_id: SERVICE, service: "Weather" }, { service: "Weather" }],
    [`pay ${SERVICE}`, { service_id: SERVICE }, { service_id: SERVICE }],
    ["pay the Weather service", { service: "Evil Weather" }, {}],
    ["pay for Weather   Pro", { service: "weather pro" }, { service: "weather pro" }],
    ["给气象台付款", { service: "气象台" }, { service: "气象台" }],
    ["给气象台付款", { service: "邮局" }, {}],
    ["subscribe on the pro plan", { plan: "pro" }, { plan: "pro" }],
    ["subscribe on the pro plan", { plan: "enterprise" }, {}],
    ["subscribe to prose", { plan: "pro" }, {}],
    ["订阅专业版", { plan: "pro" }, { plan: "pro" }],
    ["subscribe, billed monthly", { interval: "yearly" }, {}],
    ["按年付费", { interval: "yearly" }, { interval: "yearly" }],
  ])("%s: %j", (text, said, wanted) => {
    expect(kept(text, said)).toEqual(wanted)
  })
})

describe("what is asked for instead of being taken to be a default", () => {
  const one = { amount: "5", currency: "USD" }
  test.each<[text: string, said: Entities, unclear: ReadonlyArray<string>]>([
    ["pay 5 dollars", { amount: "500", currency: "USD" }, ["amount"]],
    ["pay 5 dollars", {}, ["amount"]],
    ["pay 5 dollars", one, []],
    ["pay 5", { amount: "5", currency: "USD" }, ["currency"]],
    ["pay 5 USD or 500 USD", one, ["amount"]],
    ["pay 5 USD, that is 5 dollars", one, []],
    ["pay between 5 and 10 USD", { amount: "10", currency: "USD" }, ["amount"]],
    ["pay 5-10 USD", { amount: "10", currency: "USD" }, ["amount"]],
    ["pay -5 USD", {}, ["amount"]],
    ["pay Weather -5 USD", { service: "Weather -5 USD" }, ["amount"]],
    ["pay Weather - 5 USD", { ...one, service: "Weather" }, []],
    ["pay 1.5e3 USD", { amount: "1.5" }, ["amount"]],
    ["pay half of 5 dollars", one, ["amount"]],
    ["pay $5⁹⁹", { amount: "599", currency: "USD" }, ["amount"]],
    ["pay $5⁹⁹", one, ["amount"]],
    ["pay 5₀ USD", one, ["amount"]],
    ["pay 5½ dollars", one, ["amount"]],
    ["pay 5 USD ⅐", one, ["amount"]],
    ["pay ⑤ USD", one, ["amount"]],
    ["pay ⒈5 USD", one, ["amount"]],
    ["pay $5ᵏ", { amount: "5000", currency: "USD" }, ["amount"]],
    ["付㈤百元", { amount: "100", currency: "CNY" }, ["amount"]],
    ["pay ５ USD", one, []],
    ["pay $𝟓", one, []],
    ["buy Weather for 5⁹⁹ USD", { amount: "5", service: "⁹⁹ USD" }, ["amount"]],
    ["pay 5 dollars to H₂O", { ...one, service: "H₂O" }, []],
    ["pay 10% of 5 dollars", one, ["amount"]],
    ["pay 5 dollars plus tax", one, ["amount"]],
    ["pay up to 5 dollars", one, ["amount"]],
    ["最多付5美元", one, ["amount"]],
    ["pay 5 dollars to Half Moon", { ...one, service: "Half Moon" }, []],
    ["pay Weather", { service: "Weather" }, []],
  ])("%s: %j", (text, said, unclear) => {
    expect([...judged(text, said).unclear]).toEqual(unclear)
  })

  test.each<[text: string, said: Entities, unclear: ReadonlyArray<string>]>([
    [`refund ${PAYMENT}`, {}, []],
    [`refund 50% of ${PAYMENT}`, {}, ["amount"]],
    [`refund half of ${PAYMENT}`, {}, ["amount"]],
    [`partially refund ${PAYMENT}`, {}, ["amount"]],
    [`a partial refund of 5 dollars on ${PAYMENT}`, one, []],
    [`refund ${PAYMENT} but keep 5 dollars`, one, ["amount"]],
    [`refund 5 dollars of ${PAYMENT}`, {}, ["amount"]],
    [`${PAYMENT} 退一半`, {}, ["amount"]],
    [`退款 ${PAYMENT} 的百分之三十`, {}, ["amount"]],
    [`部分退款 ${PAYMENT}`, {}, ["amount"]],
    [`refund ${PAYMENT}: I was charged twice`, {}, []],
    [`void ${PAYMENT}9 and refund ${PAYMENT}`, {}, ["payment_intent"]],
    [`refund ${PAYMENT}, I mean ${PAYMENT.toUpperCase()}`, {}, []],
    [`refund ${PAYMENT} because half is missing`, { reason: "half is missing" }, []],
  ])("%s: %j", (text, said, unclear) => {
    const all = { ...said, payment_intent: PAYMENT }
    expect([...judged(text, all, "refund").unclear]).toEqual(unclear)
  })

  test.each<[text: string, said: Entities, unclear: ReadonlyArray<string>]>([
    ["subscribe on the pro plan", { plan: "pro" }, []],
    ["subscribe on the pro plan", { plan: "enterprise" }, ["plan_id"]],
    ["subscribe, billed monthly", { interval: "yearly" }, ["plan_id"]],
  ])("%s: %j", (text, said, unclear) => {
    expect([...judged(text, said, "subscribe").unclear]).toEqual(unclear)
  })
})
