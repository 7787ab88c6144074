import { PaymentRefused } from "./BudgetTracker.ts"
import { isFields } from "./Fields.ts"

/**
 * The extension by which a client names its purchase, so that it is made once (x402 version 2,
 * `specs/extensions/payment_identifier.md` of github.com/x402-foundation/x402).
 */
const IDENTIFIER = "payment-identifier"

/** The form of an identifier. */
const FORM = "^[a-zA-Z0-9_-]+$"
const LENGTH = { minLength: 16, maxLength: 128 } as const

/** Whether a text has the form of an identifier. */
const isIdentifier = (text: string): boolean =>
  text.length >= LENGTH.minLength && text.length <= LENGTH.maxLength && new RegExp(FORM).test(text)

/** Returns a 402's declaration of identifiers: that they are supported, and whether required. */
export const declareIdentifier = (required: boolean) => ({
  [IDENTIFIER]: {
    info: { required },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        required: { type: "boolean" },
        id: { type: "string", ...LENGTH, pattern: FORM },
      },
      required: ["required"],
    },
  },
})

/**
 * Returns the identifier in a payload's extensions: undefined without one, null for a malformed
 * one.
 */
export const identifierIn = (extensions: unknown): string | null | undefined => {
  const extension = isFields(extensions) ? extensions[IDENTIFIER] : undefined
  if (extension === undefined) return undefined
  const info = isFields(extension) ? extension["info"] : undefined
  if (!isFields(info)) return null
  const { id } = info
  if (id === undefined) return undefined
  return typeof id === "string" && isIdentifier(id) ? id : null
}

/** What an x402 client passes to a scheme besides the requirements. */
export interface X402Context {
  readonly extensions?: { readonly [name: string]: unknown } | undefined
}

/** Returns the identifier of the purchase, if the client has named one. */
export const purchaseNamed = (context: X402Context | undefined): string | undefined => {
  const identifier = identifierIn(context?.extensions)
  if (identifier !== null) return identifier
  const message = "The id of payment-identifier must have 16 to 128 letters, digits, - and _."
  throw new PaymentRefused("malformed", message)
}

/** The refusal to pay for something else under a used identifier. */
export const namedOtherwise = () =>
  new PaymentRefused("malformed", "Another purchase was already paid with this payment-identifier.")
