import type { PayportError } from "../client/PayportError.ts"
import type { PaidRequest } from "./PaidRequest.ts"
import type { Money, PaymentChallenge, PaymentRedemption } from "../client/Resources.ts"

/** The held money of a payment, of which the used amount is captured (`capture: "used"`). */
export interface Held {
  /** The most that can be captured. */
  readonly most: Money
  /**
   * Captures that many minor units after serving, and releases the rest: by default captures all,
   * and for 0 releases all. Returns headers to send, and never rejects.
   */
  readonly settle: (used?: number) => Promise<Headers>
  /**
   * Milliseconds from this decision within which `settle` is to be called, whatever becomes of the
   * connection. Then the money is released. Infinite if it is captured already.
   */
  readonly within: number
}

type Headers = { readonly [name: string]: string }

/** The decision on a request: it passes, or gets this response. */
export type Verdict =
  | {
      readonly paid: true
      readonly payment_intent: string
      /** Until when the same proof passes again; null after a single use. */
      readonly valid_until: string | null
      /**
       * Whether the same purchase passed before under its identifier (x402). Then send the same
       * answer as before, and do not repeat the work.
       */
      readonly repeated: boolean
      /**
       * Until when to capture or void the payment, if it is only authorized; null if the money was
       * captured.
       */
      readonly capture_before: string | null
      /** What to do after serving the request, if the used amount is charged. */
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

/** What a handler learns about the payment of its request. */
export interface Paid extends Pick<
  Extract<Verdict, { readonly paid: true }>,
  "capture_before" | "payment_intent" | "repeated" | "valid_until"
> {
  /**
   * With `capture: "used"`: states how many minor units the request has used. They are charged
   * after serving. By default all held money is charged, and nothing if the handler fails. May be
   * called again while a body is streamed: if the client hangs up, the last amount is charged.
   */
  readonly charge?: (used: number) => void
}

/** Returns only the fields about the payment. */
export const paidOf = ({ capture_before, payment_intent, repeated, valid_until }: Paid): Paid => ({
  capture_before,
  payment_intent,
  repeated,
  valid_until,
})

/** Decides on a request. */
export type Check = (request: PaidRequest) => Promise<Verdict>

/** The verdict on a request that does not pass. */
export type Refusal = Extract<Verdict, { readonly paid: false }>

/** The media type of a refusal, unless its headers name another. */
export const JSON_TYPE = "application/json; charset=utf-8"

/** No shared cache may keep what one client has paid for. */
const PRIVATE = { "Cache-Control": "private" }
export const NO_STORE = { "Cache-Control": "no-store" }

/** Returns the verdict that lets a request pass. `told` goes to an x402 client. */
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
 * Returns the 402 of a new challenge. `required` is the header for clients of x402, if they can pay
 * it. `why` is the refusal of the sent proof, if there was one.
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

/** Returns the 402 of a payment that was required before and is not made yet. */
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

/** The status and the category of a paywall's refusals, which are those of the service. */
export const REFUSALS = {
  INVALID_REQUEST: { status: 422, category: "validation_error" },
  RATE_LIMIT_EXCEEDED: { status: 429, category: "rate_limited" },
  PAYMENT_PROOF_INVALID: { status: 403, category: "authorization_error" },
  PAYMENT_IDENTIFIER_USED: { status: 409, category: "conflict" },
  PAYMENT_UNRESOLVED: { status: 409, category: "conflict" },
  TEMPORARILY_UNAVAILABLE: { status: 503, category: "service_unavailable" },
} as const

/** Returns a refusal in the flat form of the service (Errors 1). */
export const refuse = (
  code: keyof typeof REFUSALS,
  message: string,
  { retryAfter, status = REFUSALS[code].status }: { retryAfter?: number; status?: number } = {},
): Refusal => ({
  paid: false,
  status,
  headers: {
    ...NO_STORE,
    ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
  },
  body: { error: REFUSALS[code].category, code, message },
})
