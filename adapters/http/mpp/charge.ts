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

/** Where a challenge holds: its protection space, and the body that it is for. */
export interface Scope {
  readonly realm: string
  /** Whether the money is taken at once, as it is without this, or held for a later capture. */
  readonly intent?: "charge" | "authorize"
  /** Of the request's body; undefined where bodies are not bound. */
  readonly digest?: string
}

/** A payment's proof, as payport's method has it in the payload of its credentials. */
export interface ChargeProof {
  readonly id: string
  readonly token: string
}

/** The form of a token: visible ASCII, a superset of what we issue. */
const TOKEN = /^[\x21-\x7e]{1,256}$/

/** Whether both parts of a proof have their form. */
export const isProof = ({ id, token }: ChargeProof): boolean => isIntentId(id) && TOKEN.test(token)

/**
 * The challenge that asks for a payment at once (intent `charge`) or for its authorization (intent
 * `authorize`). Its `request` has the shared fields of `charge`, amounts in minor units and
 * currencies in lower case; `methodDetails` names the payment and the link by which a wallet pays
 * it. The token is in no header.
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

/** The payment that a challenge of payport's is about. */
const paymentOf = (challenge: MppChallenge): unknown => {
  const { methodDetails } = requestOf(challenge)
  return isFields(methodDetails) ? methodDetails["payment_intent"] : undefined
}

/** The proof in a credential's payload; undefined where it has none. */
export const proofOf = ({ payload }: MppCredential): ChargeProof | undefined => {
  const { payment_intent: id, token } = payload
  const proof = typeof id === "string" && typeof token === "string" ? { id, token } : undefined
  return proof && isProof(proof) ? proof : undefined
}

/** The refusal of a challenge that was not made so. */
export const altered = (what: string) =>
  problem("invalid-challenge", `The credential's challenge is none of this resource: ${what}.`)

/**
 * What is wrong with a credential before its payment is looked at: undefined where it echoes a
 * challenge that was made with its token, for this realm, body and amount. Which payment that is,
 * and what it is for, the service says: it has the token's hash.
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
    return problem("malformed-credential", "The payload has to hold payment_intent and token.")
  }
  if (challenge.intent !== intent) return altered("its intent is not offered")
  if (challenge.realm !== realm) return altered("its realm is another")
  if (!isBound(challenge, proof.token)) return altered("its id is not made from its parameters")
  if (paymentOf(challenge) !== proof.id) return altered("its payment is another")
  const { amount: asked, currency } = requestOf(challenge)
  if (asked !== String(amount.value) || currency !== amount.currency.toLowerCase()) {
    return altered("its amount is another")
  }
  return challenge.digest === digest
    ? undefined
    : problem("verification-failed", "The request's body is another than was paid for.")
}
