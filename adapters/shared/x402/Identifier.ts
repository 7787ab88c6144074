import { Result, Schema } from "effect"
import { PaymentIdentifier } from "../../../core/challenges/ChallengeInput.ts"

/**
 * The extension by which a client names its purchase, so that it is made once (x402 version 2,
 * `specs/extensions/payment_identifier.md` of github.com/x402-foundation/x402).
 */
export const IDENTIFIER = "payment-identifier"

const Extensions = Schema.Struct({
  [IDENTIFIER]: Schema.optionalKey(
    Schema.Struct({ info: Schema.Struct({ id: Schema.optionalKey(PaymentIdentifier) }) }),
  ),
})

const decode = Schema.decodeUnknownResult(Extensions)

/**
 * Returns the identifier in a payload's extensions: undefined without one, null for a malformed
 * one.
 */
export const identifierIn = (extensions: unknown): string | null | undefined => {
  const isObject = typeof extensions === "object" && extensions !== null
  const read = decode(isObject && !Array.isArray(extensions) ? extensions : {})
  return Result.isSuccess(read) ? read.success[IDENTIFIER]?.info.id : null
}

/** The declaration of identifiers: they are supported and not required. */
export const IDENTIFIERS = {
  [IDENTIFIER]: {
    info: { required: false },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        required: { type: "boolean" },
        id: { type: "string", minLength: 16, maxLength: 128, pattern: "^[a-zA-Z0-9_-]+$" },
      },
      required: ["required"],
    },
  },
}
