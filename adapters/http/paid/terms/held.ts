import { isFields } from "../../client/Fields.ts"
import type { PayportError } from "../../client/PayportError.ts"
import type { PaymentRedemption } from "../../client/Resources.ts"
import { CaptureFailed } from "./CaptureFailed.ts"
import type { Bound } from "./bound.ts"
import { reportAlone } from "./reportAlone.ts"
import type { ChallengeClient } from "../ChallengeClient.ts"
import type { PaidRequest } from "../PaidRequest.ts"
import type { PaymentTerms } from "../requirePayment.ts"
import { type Held, NO_STORE, type Verdict } from "../Verdict.ts"
import { type Network, networkOf, paymentResponse, requiredText, type X402Accept } from "../x402.ts"

/** The schemes of x402 that hold the money before the request passes. */
const HELD_SCHEMES = {
  at_once: [],
  later: ["auth-capture"],
  used: ["upto", "auth-capture"],
} as const

/** The time between a payment's begin and its proof, in seconds. */
const TIMEOUT = 300

/** Returns the schemes that a client of x402 may use. */
export const heldSchemes = ({ capture = "at_once" }: PaymentTerms): ReadonlyArray<string> =>
  HELD_SCHEMES[capture]

/** Returns the requirements for clients of x402 that begin their payment themselves. */
export const heldAccepts = (
  terms: PaymentTerms,
  { amount, resource, service_id }: Bound,
  network: string,
): ReadonlyArray<X402Accept> =>
  // Without the whole address, a payment cannot be bound to it.
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

/** Returns x402's reason why a shown payment opens nothing. The client forgets it, or waits. */
export const reasonOf = (why: PayportError | undefined): string => {
  if (why?.code === "PAYMENT_PROOF_USED") return "payment_already_settled"
  const { status } = isFields(why?.details) ? why.details : {}
  return OVER[String(status)] ?? "payment_required"
}

/** Returns the 402 of an endpoint that charges the used amount. Clients begin the payment. */
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

/** How long a signature may take, in milliseconds. */
const SIGNING = 5_000

/**
 * Returns the `PAYMENT-RESPONSE` header of a paid response. If it cannot be signed, or not soon, it
 * is sent without a signature: the payment is used up by then, so the request has to pass.
 */
export const receipt = async (
  { report, x402 }: PaymentTerms,
  redeemed: PaymentRedemption,
  { network, request }: { readonly network: Network; readonly request: PaidRequest },
  amount?: string,
): Promise<string> => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new Error(`The receipt was not signed within ${SIGNING} ms.`)
    timer = setTimeout(reject, SIGNING, error)
  })
  try {
    return await Promise.race([paymentResponse(redeemed, network, request.url, x402, amount), late])
  } catch (error) {
    void reportAlone(report, error)
    return paymentResponse(redeemed, network, request.url, {}, amount)
  } finally {
    clearTimeout(timer)
  }
}

/** The time that a capture may take, in milliseconds. */
const CAPTURE = 30_000

/**
 * Returns how long the money can be captured, with a reserve, in milliseconds. The two times are of
 * the service's clock, which this process may not share. After a repetition the first one is of no
 * use.
 */
const timeOf = ({ capture_before, redeemed_at, repeated }: PaymentRedemption): number => {
  if (capture_before === null) return Infinity
  const begin = repeated ? Date.now() : Date.parse(redeemed_at)
  const all = Math.max(Date.parse(capture_before) - begin, 0)
  return all - Math.min(CAPTURE, all / 4)
}

/** Returns how the held money is captured after serving the request. */
export const holding = (
  terms: PaymentTerms,
  settle: NonNullable<ChallengeClient["settle"]>,
  { amount: most }: Bound,
  redeemed: PaymentRedemption,
  { network, request }: { readonly network: Network; readonly request: PaidRequest },
): Held => {
  return {
    most,
    within: timeOf(redeemed),
    settle: async (value = most.value) => {
      try {
        await settle(redeemed.payment_intent, { ...most, value })
      } catch (error) {
        // The request was served and is answered.
        void reportAlone(terms.report, new CaptureFailed(redeemed, { ...most, value }, error))
        return {}
      }
      const told = await receipt(terms, redeemed, { network, request }, String(value))
      return { "PAYMENT-RESPONSE": told }
    },
  }
}
