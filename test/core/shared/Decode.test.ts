import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { CreateIntentInput, paymentRules } from "../../../core/payments/IntentInput.ts"
import { decode } from "../../../core/shared/Decode.ts"

const body = {
  service_id: "0192f0aa-0000-7000-8000-00000000feed",
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "Summary",
}
const parse = decode(CreateIntentInput, paymentRules)

const refusals: ReadonlyArray<readonly [string, object, string, string]> = [
  ["nothing", { service_id: undefined }, "MISSING_REQUIRED_FIELD", "service_id"],
  ["null", { description: null }, "MISSING_REQUIRED_FIELD", "description"],
  ["a blank", { description: " \n" }, "MISSING_REQUIRED_FIELD", "description"],
  [
    "the first of two",
    { type: undefined, service_id: undefined },
    "MISSING_REQUIRED_FIELD",
    "service_id",
  ],
  ["missing before wrong", { service_id: 1, type: undefined }, "MISSING_REQUIRED_FIELD", "type"],
  ["the wrong type", { description: 7 }, "INVALID_REQUEST", "description"],
  ["an unknown word", { type: "twice" }, "INVALID_REQUEST", "type"],
  ["too much text", { description: "x".repeat(1025) }, "INVALID_REQUEST", "description"],
  ["a control character", { description: "a\u0007b" }, "INVALID_REQUEST", "description"],
  ["a bidirectional override", { description: "a\u202eb" }, "INVALID_REQUEST", "description"],
  ["no address", { return_url: "javascript:alert(1)" }, "INVALID_REQUEST", "return_url"],
  ["user info", { return_url: "https://a@b.example/" }, "INVALID_REQUEST", "return_url"],
  ["a list", { metadata: [1] }, "INVALID_REQUEST", "metadata"],
  ["no amount", { amount: undefined }, "INVALID_AMOUNT", "amount"],
  ["zero", { amount: { currency: "USD", value: 0 } }, "INVALID_AMOUNT", "amount.value"],
  [
    "a negative value",
    { amount: { currency: "USD", value: -1 } },
    "INVALID_AMOUNT",
    "amount.value",
  ],
  ["a fraction", { amount: { currency: "USD", value: 6.99 } }, "INVALID_AMOUNT", "amount.value"],
  ["too much", { amount: { currency: "USD", value: 1e12 + 1 } }, "INVALID_AMOUNT", "amount.value"],
  [
    "a huge number",
    { amount: { currency: "USD", value: 1e308 } },
    "INVALID_AMOUNT",
    "amount.value",
  ],
  [
    "text for a number",
    { amount: { currency: "USD", value: "1" } },
    "INVALID_AMOUNT",
    "amount.value",
  ],
  [
    "a small currency",
    { amount: { currency: "usd", value: 1 } },
    "INVALID_AMOUNT",
    "amount.currency",
  ],
  ["a payer of text", { payer: "agent" }, "INVALID_PAYER", "payer"],
  ["a nameless payer", { payer: { agent_id: "" } }, "INVALID_PAYER", "payer.agent_id"],
]

describe("decoding a request", () => {
  it("drops what it does not know", () => {
    expect(parse({ ...body, status: "succeeded", id: "mine" })).toEqual(Result.succeed(body))
  })

  it.each(refusals)("refuses %s", (_, said, code, field) => {
    const parsed = parse({ ...body, ...said })
    if (Result.isSuccess(parsed)) return expect.unreachable(JSON.stringify(parsed.success))
    expect({ code: parsed.failure.code, field: parsed.failure.field }).toEqual({ code, field })
    expect(parsed.failure.message).toContain(field)
  })

  it.each<[object, string]>([
    [
      { amount: 699 },
      'The field amount is not valid: must be an object such as {"currency": "USD", "value": 699}.',
    ],
    [{ amount: { currency: "USD" } }, "The field amount.value is required."],
    [
      { amount: { currency: "usd", value: 699 } },
      "The field amount.currency is not valid: must be an ISO 4217 code in capitals, such as USD.",
    ],
    [
      { amount: { currency: "USD", value: "699" } },
      "The field amount.value is not valid: must be a number.",
    ],
    [{ description: 7 }, "The field description is not valid: must be a text."],
  ])("tells a caller how to put %j right", (change, message) => {
    const parsed = parse({ ...body, ...change })
    expect(Result.isFailure(parsed) && parsed.failure.message).toBe(message)
  })

  it("refuses a field that the schema does not know where it has another name", () => {
    const rules = { ...paymentRules, misnamed: { price: "send amount" } }
    const read = decode(CreateIntentInput, rules)
    expect(Result.isSuccess(read(body))).toBe(true)
    expect(Result.flip(read({ ...body, price: 699 }))).toMatchObject({
      success: { code: "INVALID_REQUEST", field: "price" },
    })
  })

  it("says what the value was and has to be", () => {
    const parsed = parse({ ...body, amount: { currency: "USD", value: 0 } })
    expect(Result.isFailure(parsed) && parsed.failure.details).toEqual({
      field: "amount.value",
      value: 0,
      constraint: "must be a whole number of minor units from 1 to 1000000000000",
    })
  })
})
