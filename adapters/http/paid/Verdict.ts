import type { PayportError } from "../client/PayportError.ts"
import type { PaidRequest } from "./PaidRequest.ts"
import type { Money, PaymentChallenge, PaymentRedemption } from "../client/Resources.ts"

/** What is held of a payment, of which what was used is taken (`capture: "used"`). */
export interface Held {
  /** The most that can be taken. */
  readonly most: Money
  /**
   * Takes so many minor units once the request is served, and releases the rest: all is taken
   * without a number, and released for 0. Gives headers to send, and never rejects.
   */
  readonly settle: (used?: number) => Promise<Headers>
}

type Headers = { readonly [name: string]: string }

/** The decision on a request: it passes, or it is answered with this response. */
export type Verdict =
  | {
      readonly paid: true
      readonly payment_intent: string
      /** Until when the same proof passes again; null after a single use. */
      readonly valid_until: string | null
      /**
       * Whether the same purchase passed before, under its identifier (x402): give what was given
       * then, and do no work twice.
       */
      readonly repeated: boolean
      /**
       * Until when to capture the payment, or to void it, where the paywall only has it authorized;
       * null where the money was taken.
       */
      readonly capture_before: string | null
      /** What to do once the request is served, where what was used is charged. */
      readonly held?: Held
      /** Headers to send with the response. */
      readonly headers: Headers
    }
  | {
      readonly paid: false
      readonly status: number
      readonly headers: Headers
      readonly body: object
    }

/** What a handler is told of the payment for its request. */
export interface Paid extends Pick<
  Extract<Verdict, { readonly paid: true }>,
  "capture_before" | "payment_intent" | "repeated" | "valid_until"
> {
  /**
   * With `capture: "used"`: says how many minor units the request has used, of which it is charged
   * when it was served; all that is held where it says nothing, and nothing where it fails.
   */
  readonly charge?: (used: number) => void
}

/** The same of a verdict, and nothing else of it. */
export const paidOf = ({ capture_before, payment_intent, repeated, valid_until }: Paid): Paid => ({
  capture_before,
  payment_intent,
  repeated,
  valid_until,
})

/** Decides on a request. */
export type Check = (request: PaidRequest) => Promise<Verdict>

/** What a refusal is written in, unless its headers name another type. */
export const JSON_TYPE = "application/json; charset=utf-8"

/** No shared cache may keep what one client has paid for. */
const PRIVATE = { "Cache-Control": "private" }
export const NO_STORE = { "Cache-Control": "no-store" }

/** The verdict that lets a request pass; `told` is what an x402 client is told of its payment. */
export const letThrough = (
  { capture_before, payment_intent, repeated, valid_until }: PaymentRedemption,
  told?: string,
  held?: Held,
): Verdict => ({
  paid: true,
  payment_intent,
  valid_until,
  repeated,
  capture_before,
  ...(held !== undefined && { held }),
  headers: { ...PRIVATE, ...(told !== undefined && { "PAYMENT-RESPONSE": told }) },
})

const demandHeaders = ({ amount, channel, id, qr_uri }: PaymentChallenge["payment_intent"]) => ({
  ...NO_STORE,
  "X-Payment-Intent": id,
  "X-Payment-Channel": channel,
  "X-Payment-Amount": `${amount.value} ${amount.currency}`,
  "X-Payment-QR": qr_uri,
})

/**
 * The 402 of a new challenge, which `required` says to clients of x402 where they can pay it; `why`
 * is the refusal of the proof that was sent, if one was.
 */
export const demand = (
  challenge: PaymentChallenge,
  required: string | undefined,
  why?: PayportError,
): Verdict => ({
  paid: false,
  status: 402,
  headers: {
    ...demandHeaders(challenge.payment_intent),
    ...(required !== undefined && { "PAYMENT-REQUIRED": required }),
  },
  body: {
    error: "payment_required",
    ...(why !== undefined && { code: why.code, message: why.message }),
    payment_intent: challenge.payment_intent,
  },
})

/** The 402 of a payment that was required before and has not been made yet. */
export const demandAgain = (
  demanded: PaymentChallenge["payment_intent"],
  why: PayportError,
): Verdict => ({
  paid: false,
  status: 402,
  headers: { ...demandHeaders(demanded), "Retry-After": "2" },
  body: {
    error: "payment_required",
    code: why.code,
    message: why.message,
    payment_intent: demanded,
  },
})

/** How a paywall's refusals are answered, as the service's own are. */
export const REFUSALS = {
  INVALID_REQUEST: { status: 422, category: "validation_error" },
  RATE_LIMIT_EXCEEDED: { status: 429, category: "rate_limited" },
  PAYMENT_PROOF_INVALID: { status: 403, category: "authorization_error" },
  PAYMENT_IDENTIFIER_USED: { status: 409, category: "conflict" },
  PAYMENT_UNRESOLVED: { status: 409, category: "conflict" },
  TEMPORARILY_UNAVAILABLE: { status: 503, category: "service_unavailable" },
} as const

/** A refusal, in the flat form of the service's own (Errors 1). */
export const refuse = (
  code: keyof typeof REFUSALS,
  message: string,
  { retryAfter, status = REFUSALS[code].status }: { retryAfter?: number; status?: number } = {},
): Verdict => ({
  paid: false,
  status,
  headers: {
    ...NO_STORE,
    ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
  },
  body: { error: REFUSALS[code].category, code, message },
})
