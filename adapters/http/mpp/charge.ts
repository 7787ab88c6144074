import { isIntentId } from "../client/isIntentId.ts"
import type { Money, PaymentChallenge } from "../client/Resources.ts"
import { isBound, idOf } from "./binding.ts"
import { isFields } from "../client/Fields.ts"
import {
  type ChallengeParameters,
  METHOD,
  type MppChallenge,
  requestOf,
  requestText,
} from "../client/MppChallenge.ts"
import type { MppCredential } from "../client/MppCredential.ts"
import { type MppProblem, problem } from "./MppProblem.ts"

/** The scope of a challenge: its protection space and its body. */
export interface Scope {
  readonly realm: string
  /** Whether the money is captured at once (the default), or held for a later capture. */
  readonly intent?: "charge" | "authorize"
  /** The digest of the request's body; undefined if bodies are not bound. */
  readonly digest?: string
}

/** The proof of a payment in the payload of payport's credentials. */
export interface ChargeProof {
  readonly id: string
  readonly token: string
}

/** The form of a token: visible ASCII, a superset of the tokens that payport issues. */
const TOKEN = /^[\x21-\x7e]{1,256}$/

/** Whether both parts of a proof are well-formed. */
export const isProof = ({ id, token }: ChargeProof): boolean => isIntentId(id) && TOKEN.test(token)

/**
 * Returns the challenge that requires a payment (intent `charge`) or its authorization (intent
 * `authorize`). Its `request` has the shared fields of `charge`, amounts in minor units and
 * currencies in lower case. `methodDetails` names the payment and the link for a wallet. No header
 * has the token.
 */
export const chargeChallenge = (
  { network, payee, payment_intent: payment }: PaymentChallenge,
  { digest, intent = "charge", realm }: Scope,
  description?: string,
): MppChallenge => {
  const { amount, channel, expires_at, id, qr_uri, token } = payment
  const parameters: ChallengeParameters = {
    realm,
    method: METHOD,
    intent,
    request: requestText({
      amount: String(amount.value),
      currency: amount.currency.toLowerCase(),
      recipient: payee.agent_id,
      description,
      methodDetails: { payment_intent: id, channel, qr_uri, network },
    }),
    expires: expires_at,
    ...(digest !== undefined && { digest }),
  }
  return { id: idOf(parameters, token), ...parameters }
}

/** Returns the payment of a challenge by payport. */
const paymentOf = (challenge: MppChallenge): unknown => {
  const { methodDetails } = requestOf(challenge)
  return isFields(methodDetails) ? methodDetails["payment_intent"] : undefined
}

/** Returns the proof in a credential's payload; undefined without one. */
export const proofOf = ({ payload }: MppCredential): ChargeProof | undefined => {
  const { payment_intent: id, token } = payload
  const proof = typeof id === "string" && typeof token === "string" ? { id, token } : undefined
  return proof && isProof(proof) ? proof : undefined
}

/** Returns the refusal of a challenge that was made otherwise. */
export const altered = (what: string) =>
  problem(
    "invalid-challenge",
    `The credential's challenge was not issued for this resource: ${what}.`,
  )

/**
 * Checks a credential before its payment is read. Returns undefined if it repeats a challenge that
 * was made with its token, for this realm, body and amount; otherwise the problem. The service
 * checks the payment and its resource, because it has the token's hash.
 */
export const checkCharge = (
  credential: MppCredential,
  { digest, intent = "charge", realm }: Scope,
  amount: Money,
): MppProblem | undefined => {
  const { challenge } = credential
  if (challenge.method !== METHOD) {
    return problem("method-unsupported", `The method ${challenge.method} is not accepted here.`)
  }
  const proof = proofOf(credential)
  if (proof === undefined) {
    return problem("malformed-credential", "The payload must have payment_intent and token.")
  }
  if (challenge.intent !== intent) return altered("its intent is not offered")
  if (challenge.realm !== realm) return altered("its realm is different")
  if (!isBound(challenge, proof.token)) return altered("its id does not match its parameters")
  if (paymentOf(challenge) !== proof.id) return altered("its payment is different")
  const { amount: asked, currency } = requestOf(challenge)
  if (asked !== String(amount.value) || currency !== amount.currency.toLowerCase()) {
    return altered("its amount is different")
  }
  return challenge.digest === digest
    ? undefined
    : problem("verification-failed", "The request's body is not the one that was paid for.")
}
