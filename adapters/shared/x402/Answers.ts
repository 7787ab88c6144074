import type { SettlementView } from "../../../core/challenges/ChallengeView.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { IDENTIFIER } from "./Identifier.ts"
import { BAZAAR } from "./Required.ts"
import type { Flaw } from "./ProvenPayment.ts"
import type { SettleResponse, SupportedResponse, VerifyResponse } from "./Wire.ts"
import { SCHEMES, VERSION } from "./Wire.ts"

/** The refusals of a proof that are answers of a facilitator, not errors of the request. */
export const REFUSED = [
  "PAYMENT_PROOF_INVALID",
  "PAYMENT_PROOF_USED",
  "PAYMENT_IDENTIFIER_USED",
  "PAYMENT_REQUIRED",
  "PAYMENT_UNRESOLVED",
] as const
/** The same if money is captured: the seller's daily limit may be used up. */
export const REFUSED_MONEY = [...REFUSED, "INSUFFICIENT_KYC"] as const

type RefusedCode = (typeof REFUSED_MONEY)[number]

const ENDED: { readonly [status: string]: string } = {
  expired: "payment_expired",
  refunded: "payment_refunded",
  failed: "payment_ended",
  cancelled: "payment_ended",
  voided: "payment_ended",
}

const statusOf = ({ details }: Failure): string => {
  const { status } = (details ?? {}) as { readonly status?: unknown }
  return typeof status === "string" ? status : ""
}

/** Returns why a proof is refused, in x402's form. */
export const flawOf = (failure: Failure<RefusedCode>): Flaw => {
  const { code, message } = failure
  const reason = (): string => {
    switch (code) {
      case "PAYMENT_PROOF_INVALID":
        return "invalid_payment_proof"
      case "PAYMENT_PROOF_USED":
        return "payment_already_settled"
      case "PAYMENT_IDENTIFIER_USED":
        return "payment_identifier_conflict"
      case "PAYMENT_UNRESOLVED":
        return "settlement_pending"
      case "INSUFFICIENT_KYC":
        return "payee_limit_reached"
      case "PAYMENT_REQUIRED":
        return ENDED[statusOf(failure)] ?? "payment_not_authorized"
    }
  }
  return { reason: reason(), message }
}

/** Returns that a payload is invalid. */
export const invalid = ({ message, reason }: Flaw): VerifyResponse => ({
  isValid: false,
  invalidReason: reason,
  invalidMessage: message,
})

const paidBy = (payer: string | null) => payer !== null && { payer }

/** Returns that a payload would be settled. */
export const valid = ({ payer }: { readonly payer: string | null }): VerifyResponse => ({
  isValid: true,
  ...paidBy(payer),
})

/** Returns that nothing was settled. A pending payment is named, so that it can be asked about. */
export const unsettled = (
  network: string,
  { message, reason }: Flaw,
  payment = "",
): SettleResponse => ({
  success: false,
  errorReason: reason,
  errorMessage: message,
  transaction: reason === "settlement_pending" ? payment : "",
  network,
})

/** Returns what was settled. */
export const settled = (
  network: string,
  { amount, payer, payment_intent }: Omit<SettlementView, "redeemed_at">,
): SettleResponse => ({
  success: true,
  ...paidBy(payer),
  transaction: payment_intent,
  network,
  amount: String(amount.value),
})

/** Returns what the facilitator settles. */
export const supported = (network: string): SupportedResponse => ({
  kinds: SCHEMES.map((scheme) => ({ x402Version: VERSION, scheme, network })),
  extensions: [IDENTIFIER, BAZAAR],
  signers: {},
})
