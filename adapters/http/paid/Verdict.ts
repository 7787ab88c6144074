import type { ChallengeView } from "../../../core/challenges/ChallengeView.ts"
import type { PayportError } from "../client/PayportError.ts"
import { answerOf, type PAYWALL } from "../contract/Errors.ts"
import type { PaidRequest } from "./PaidRequest.ts"
import type { Proof } from "./Proof.ts"
import { paymentRequired, paymentResponse } from "./x402.ts"

type Headers = { readonly [name: string]: string }

/** What becomes of a request: it is let through, or it is answered with this. */
export type Verdict =
  | {
      readonly paid: true
      readonly payment_intent: string
      /** Until when the same proof lets requests through; null after a single use. */
      readonly valid_until: string | null
      /** To be sent with the answer. */
      readonly headers: Headers
    }
  | {
      readonly paid: false
      readonly status: number
      readonly headers: Headers
      readonly body: object
    }

/** What was paid for is nobody else's: no shared cache may keep it. */
const PRIVATE = { "Cache-Control": "private" }
const NO_STORE = { "Cache-Control": "no-store" }

/** Lets a request through. */
export const letThrough = (proof: Proof, valid_until: string | null): Verdict => ({
  paid: true,
  payment_intent: proof.id,
  valid_until,
  headers: {
    ...PRIVATE,
    ...(proof.network !== undefined && {
      "PAYMENT-RESPONSE": paymentResponse(proof.id, proof.network),
    }),
  },
})

const demandHeaders = ({ amount, channel, id, qr_uri }: ChallengeView["payment_intent"]) => ({
  ...NO_STORE,
  "X-Payment-Intent": id,
  "X-Payment-Channel": channel,
  "X-Payment-Amount": `${amount.value} ${amount.currency}`,
  "X-Payment-QR": qr_uri,
})

/** Asks for a payment; `why` says what was wrong with the proof that was shown, if one was. */
export const demand = (
  challenge: ChallengeView,
  request: PaidRequest,
  now: number,
  why?: PayportError,
): Verdict => ({
  paid: false,
  status: 402,
  headers: {
    ...demandHeaders(challenge.payment_intent),
    "PAYMENT-REQUIRED": paymentRequired(challenge, request.url, now),
  },
  body: {
    error: "payment_required",
    ...(why !== undefined && { code: why.code, message: why.message }),
    payment_intent: challenge.payment_intent,
  },
})

/** Asks for the same payment again, which has not been made yet. */
export const demandAgain = (
  demanded: ChallengeView["payment_intent"],
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

/** Answers with a refusal, in the flat form of the service's own (Errors 1). */
export const refuse = (
  code: (typeof PAYWALL)[number],
  message: string,
  { retryAfter, status = answerOf(code).status }: { retryAfter?: number; status?: number } = {},
): Verdict => ({
  paid: false,
  status,
  headers: {
    ...NO_STORE,
    ...(retryAfter !== undefined && { "Retry-After": String(Math.ceil(retryAfter)) }),
  },
  body: { error: answerOf(code).category, code, message },
})
