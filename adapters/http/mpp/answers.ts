import type { PayportError } from "../client/PayportError.ts"
import { headerOf, type PaidRequest } from "../paid/PaidRequest.ts"
import type { Verdict } from "../paid/Verdict.ts"
import { isFields } from "../client/Fields.ts"
import { formatChallenge, type MppChallenge } from "../client/MppChallenge.ts"
import { type MppCredential, parseCredential } from "../client/MppCredential.ts"
import { type MppProblem, problem, PROBLEM_TYPE } from "./MppProblem.ts"
import { formatReceipt, type MppReceipt, receiptOf } from "./MppReceipt.ts"

/** The credential that a request shows, what is wrong with it, or undefined where it has none. */
export const credentialOf = (request: PaidRequest): MppCredential | MppProblem | undefined => {
  const sent = parseCredential(headerOf(request, "Authorization") ?? "")
  if (sent === "malformed") {
    return problem("malformed-credential", "The credential is no base64url of a JSON object.")
  }
  if (sent !== "several") return sent
  const several = problem("malformed-credential", "Send one credential of the Payment scheme.")
  return { ...several, status: 400 }
}

/** Whether a client has said that it speaks the "Payment" scheme. */
const speaks = (request: PaidRequest): boolean =>
  headerOf(request, "Accept-Payment") !== undefined ||
  /(^|,)\s*payment(\s|$)/i.test(headerOf(request, "Authorization") ?? "")

const REQUIRED = problem("payment-required", "Pay as WWW-Authenticate says, and send it again.")

/**
 * A 402 that offers a challenge of the "Payment" scheme beside its other offers. A client of the
 * scheme gets Problem Details, with the other fields of the body beside them.
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

/** A passed request's verdict with the receipt of its payment. */
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

/** A problem that shows the receipt of the payment that was used before. */
type UsedProblem = MppProblem & { readonly receipt?: MppReceipt }

/** What a refusal by the service means for a credential, in the words of the scheme. */
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
