import { isFields } from "../../client/Fields.ts"
import type { PayportError } from "../../client/PayportError.ts"
import type { PaymentRedemption } from "../../client/Resources.ts"
import type { Bound } from "./bound.ts"
import type { ChallengeClient } from "../ChallengeClient.ts"
import type { PaidRequest } from "../PaidRequest.ts"
import type { PaymentTerms } from "../requirePayment.ts"
import { type Held, NO_STORE, type Verdict } from "../Verdict.ts"
import { type Network, networkOf, paymentResponse, requiredText, type X402Accept } from "../x402.ts"

/** The schemes of x402 whose money is held before the request passes. */
const HELD_SCHEMES = {
  at_once: [],
  later: ["auth-capture"],
  used: ["upto", "auth-capture"],
} as const

/** How long a buyer has from its payment's beginning to showing it, in seconds. */
const TIMEOUT = 300

/** The schemes that a client of x402 may have accepted. */
export const heldSchemes = ({ capture = "at_once" }: PaymentTerms): ReadonlyArray<string> =>
  HELD_SCHEMES[capture]

/** What clients of x402 are asked for, whose payment they begin themselves. */
export const heldAccepts = (
  terms: PaymentTerms,
  { amount, resource, service_id }: Bound,
  network: string,
): ReadonlyArray<X402Accept> =>
  // Who does not know the whole address cannot have it paid for.
  URL.canParse(resource)
    ? heldSchemes(terms).map((scheme) => ({
        scheme,
        network: networkOf(network),
        asset: amount.currency,
        amount: String(amount.value),
        payTo: service_id,
        maxTimeoutSeconds: TIMEOUT,
        extra: { resource },
      }))
    : []

const OVER: { readonly [status: string]: string } = {
  expired: "payment_expired",
  refunded: "payment_refunded",
  failed: "payment_ended",
  cancelled: "payment_ended",
  voided: "payment_ended",
}

/** Why a payment that was shown opens nothing, in x402's words: its client forgets it, or waits. */
export const reasonOf = (why: PayportError | undefined): string => {
  if (why?.code === "PAYMENT_PROOF_USED") return "payment_already_settled"
  const { status } = isFields(why?.details) ? why.details : {}
  return OVER[String(status)] ?? "payment_required"
}

/** The 402 of an endpoint that charges what was used: its clients begin the payment themselves. */
export const demandUse = async (
  terms: PaymentTerms,
  bound: Bound,
  network: string,
  url: string,
  why?: PayportError,
): Promise<Verdict> => {
  const until = new Date(Date.now() + TIMEOUT * 1_000).toISOString()
  const accepts = heldAccepts(terms, bound, network)
  const required = await requiredText(accepts, { url, until, error: reasonOf(why) }, terms.x402)
  return {
    paid: false,
    status: 402,
    headers: { ...NO_STORE, "PAYMENT-REQUIRED": required },
    body: {
      error: "payment_required",
      ...(why !== undefined && { code: why.code, message: why.message }),
    },
  }
}

/** How what is held is taken once the request is served. */
export const holding = (
  terms: PaymentTerms,
  settle: NonNullable<ChallengeClient["settle"]>,
  { amount: most }: Bound,
  redeemed: PaymentRedemption,
  { network, request }: { readonly network: Network; readonly request: PaidRequest },
): Held => {
  const told = (amount?: string) =>
    paymentResponse(redeemed, network, request.url, terms.x402, amount)
  return {
    most,
    settle: async (value = most.value) => {
      try {
        await settle(redeemed.payment_intent, { ...most, value })
        return { "PAYMENT-RESPONSE": await told(String(value)) }
      } catch (error) {
        // It stays held until `capture_before`: the request was served, and is answered.
        terms.report?.(error)
        return { "PAYMENT-RESPONSE": await told() }
      }
    },
  }
}
