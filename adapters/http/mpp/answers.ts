import type { PayportError } from "../client/PayportError.ts"
import { headerOf, type PaidRequest } from "../paid/PaidRequest.ts"
import type { Verdict } from "../paid/Verdict.ts"
import { isFields } from "../client/Fields.ts"
import { formatChallenge, type MppChallenge } from "../client/MppChallenge.ts"
import { type MppCredential, parseCredential } from "../client/MppCredential.ts"
import { type MppProblem, problem, PROBLEM_TYPE } from "./MppProblem.ts"
import { formatReceipt, type MppReceipt, receiptOf } from "./MppReceipt.ts"

/** Returns the credential of a request, its problem, or undefined without one. */
export const credentialOf = (request: PaidRequest): MppCredential | MppProblem | undefined => {
  const sent = parseCredential(headerOf(request, "Authorization") ?? "")
  if (sent === "malformed") {
    return problem("malformed-credential", "The credential must be a JSON object in base64url.")
  }
  if (sent !== "several") return sent
  const several = problem("malformed-credential", "Send one credential of the Payment scheme.")
  return { ...several, status: 400 }
}

/** Whether a client has said that it supports the "Payment" scheme. */
const speaks = (request: PaidRequest): boolean =>
  headerOf(request, "Accept-Payment") !== undefined ||
  /(^|,)\s*payment(\s|$)/i.test(headerOf(request, "Authorization") ?? "")

const REQUIRED = problem(
  "payment-required",
  "Pay as WWW-Authenticate says, then repeat the request with the credential.",
)

/**
 * Returns a 402 that offers a challenge of the "Payment" scheme besides its other offers. A client
 * of the scheme gets Problem Details, with the other fields of the body.
 */
export const offered = (
  verdict: Verdict,
  request: PaidRequest,
  challenge: MppChallenge,
  why: MppProblem = REQUIRED,
): Verdict => {
  if (verdict.paid) return verdict
  const headers = { ...verdict.headers, "WWW-Authenticate": formatChallenge(challenge) }
  if (!speaks(request)) return { ...verdict, headers }
  return {
    ...verdict,
    headers: { ...headers, "Content-Type": PROBLEM_TYPE },
    body: { ...why, challengeId: challenge.id, ...verdict.body },
  }
}

/** Adds the receipt of the payment to the verdict of a passed request. */
export const receipted = (
  verdict: Verdict,
  { challenge }: MppCredential,
  redeemed_at: string,
): Verdict =>
  verdict.paid
    ? {
        ...verdict,
        headers: {
          ...verdict.headers,
          "Payment-Receipt": formatReceipt(
            receiptOf(verdict.payment_intent, redeemed_at, challenge.id, verdict.capture_before),
          ),
        },
      }
    : verdict

/** A problem with the receipt of a payment that was used before. */
type UsedProblem = MppProblem & { readonly receipt?: MppReceipt }

/** Returns the scheme's problem for a refusal by the service. */
export const problemOf = (error: PayportError, { challenge }: MppCredential): UsedProblem => {
  const details = isFields(error.details) ? error.details : {}
  const { payment_intent, redeemed_at, status } = details
  switch (error.code) {
    case "PAYMENT_PROOF_USED":
      return {
        ...problem("invalid-challenge", `${error.message} Nothing more was charged.`),
        ...(typeof payment_intent === "string" &&
          typeof redeemed_at === "string" && {
            receipt: receiptOf(payment_intent, redeemed_at, challenge.id),
          }),
      }
    case "PAYMENT_REQUIRED":
      return problem(
        status === "expired" ? "payment-expired" : "verification-failed",
        error.message,
      )
    default:
      return problem("verification-failed", error.message)
  }
}
