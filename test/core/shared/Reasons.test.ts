import { describe, expect, test } from "vitest"
import { reasonFor } from "../../../core/shared/Reasons.ts"

describe("what a field must be, by the decoder's words", () => {
  test.each([
    ["Missing key", "is required"],
    ["must be a service's id", "must be a service's id"],
    ["Expected string", "must be a text"],
    ["Expected an integer", "must be a whole number"],
    ["Expected string | null", "must be a text or null"],
    ["Expected number | string | null", "must be a number, a text or null"],
    ['Expected "seller" | "buyer"', 'must be "seller" or "buyer"'],
    ['Expected "a | b" | "\\" | " | null', 'must be "a | b", "\\" | " or null'],
    ['Expected { readonly "key_type"?: "x25519" | "y", ... } | null', "must be an object or null"],
    ["Expected X402PaymentRequirements", "must be an object"],
    ["Expected readonly [string, ...Array<string>]", "must be a list"],
    ["Expected ReadonlyArray<string | number>", "must be a list"],
    [
      "Expected PayableMoney | null",
      'must be an object such as {"currency": "USD", "value": 699} or null',
    ],
    ["Expected a value with a length of at least 1", "must not be empty"],
    ["Expected a value with a length of at most 512", "must have a length of at most 512"],
    ["Expected a value between 1 and 100", "must be a value between 1 and 100"],
  ])("%s: %s", (message, reason) => {
    expect(reasonFor(message)).toBe(reason)
  })
})
