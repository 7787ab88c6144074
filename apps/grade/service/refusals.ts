import { type Clause, want } from "./verdicts.ts"
import { read, Refusal } from "./Wire.ts"

/** The statuses that the specification names for error codes. */
const STATUSES: { readonly [code: string]: ReadonlyArray<number> } = {
  MISSING_REQUIRED_FIELD: [422],
  INVALID_PRICING: [422],
  UNSUPPORTED_CHANNEL: [422],
  INVALID_URL: [422],
  DUPLICATE_NAME: [409],
  UNAUTHORIZED: [401],
  INVALID_QUERY: [400],
  INVALID_TRANSITION: [400, 409],
  INVALID_AMOUNT: [400],
  INVALID_PAYER: [400],
  INVALID_API_KEY: [401],
  IDEMPOTENCY_KEY_USED: [409],
  RATE_LIMIT_EXCEEDED: [429],
  TEMPORARILY_UNAVAILABLE: [503],
  CHANNEL_CONFIGURATION_ERROR: [400],
  INSUFFICIENT_KYC: [403],
  validation_error: [400],
  invalid_otp: [401],
  REFUND_WINDOW_EXPIRED: [400],
  REFUND_CHANNEL_REJECTED: [409],
}

/** Checks of all errors that the other checks have seen. */
export const SHAPES: ReadonlyArray<Clause> = [
  {
    id: "error-shapes",
    title: "refuses in one of the two shapes, with a code and a message",
    clause: "Errors: two error body shapes",
    hold: async ({ refusals }) => {
      for (const { reply, where } of refusals) {
        const found = read(Refusal, reply.json)
        const seen = `${where}: ${reply.said}`
        const wanted = "{error, code, message} or {error: {code, message}}"
        want("found" in found, wanted, seen, "Answer every refusal by one function.")
      }
    },
  },
  {
    id: "error-codes",
    title: "answers each code with its status",
    clause: "Errors: Code, HTTP",
    hold: async ({ refusals }) => {
      for (const { reply, where } of refusals) {
        const due = STATUSES[reply.code ?? ""]
        const right = due === undefined || due.includes(reply.status ?? 0)
        const seen = `${where}: ${reply.said}`
        want(right, `${reply.code} with ${due?.join(" or ")}`, seen, "See the table of codes.")
      }
    },
  },
  {
    id: "no-failures",
    title: "never answers 500",
    clause: "Errors",
    hold: async ({ refusals }) => {
      const failed = refusals.find(({ reply }) => reply.status === 500)
      const seen = failed === undefined ? "" : `${failed.where}: ${failed.reply.said}`
      want(failed === undefined, "no 500", seen, "Refuse what cannot be done with its code.")
    },
  },
]
