import { isFields } from "../client/Fields.ts"
import {
  type ChallengeParameters,
  METHOD,
  type MppChallenge,
  requestOf,
  requestText,
} from "../client/MppChallenge.ts"
import type { MppCredential } from "../client/MppCredential.ts"
import type { Money, PaymentChallenge } from "../client/Resources.ts"
import { isBound, idOf } from "./binding.ts"
import { altered, proofOf, type Scope } from "./charge.ts"
import { type MppProblem, problem } from "./MppProblem.ts"

/** What a session costs: each request its price, of a deposit that is made once. */
export interface SessionPrices {
  readonly price: number
  readonly deposit: Money
  /** So many seconds after the last draw the session is closed. */
  readonly idleSeconds: number
}

/** What a credential of a session asks for: a request, or the end of the session. */
export type SessionAction =
  | { readonly action: "draw"; readonly spent: number }
  | { readonly action: "close" }

/**
 * The challenge that asks for the deposit of a session (intent `session`). `amount` is the price of
 * a request; `methodDetails` has the deposit, and the payment that makes it.
 */
export const sessionChallenge = (
  { network, payee, payment_intent: payment }: PaymentChallenge,
  { deposit, idleSeconds, price }: SessionPrices,
  { realm }: Scope,
): MppChallenge => {
  const { channel, expires_at, id, qr_uri, token } = payment
  const parameters: ChallengeParameters = {
    realm,
    method: METHOD,
    intent: "session",
    request: requestText({
      amount: String(price),
      currency: deposit.currency.toLowerCase(),
      unitType: "request",
      recipient: payee.agent_id,
      methodDetails: {
        payment_intent: id,
        deposit: String(deposit.value),
        idleTimeout: String(idleSeconds),
        channel,
        qr_uri,
        network,
      },
    }),
    expires: expires_at,
  }
  return { id: idOf(parameters, token), ...parameters }
}

/** What a credential of a session asks for; undefined where its payload does not say. */
export const actionOf = ({ payload }: MppCredential): SessionAction | undefined => {
  const { action, spent } = payload
  if (action === "close") return { action }
  return action === "draw" && typeof spent === "number" && Number.isSafeInteger(spent) && spent > 0
    ? { action, spent }
    : undefined
}

/**
 * What is wrong with a credential before its session is looked at: undefined where it echoes the
 * challenge that was made with its token, for this realm and these prices.
 */
export const checkSession = (
  credential: MppCredential,
  { deposit, price }: Pick<SessionPrices, "deposit" | "price">,
  { realm }: Scope,
): MppProblem | undefined => {
  const { challenge } = credential
  if (challenge.method !== METHOD) {
    return problem("method-unsupported", `The method ${challenge.method} is not accepted here.`)
  }
  const proof = proofOf(credential)
  if (proof === undefined || actionOf(credential) === undefined) {
    const form = "The payload has to hold payment_intent, token, and action with spent."
    return problem("malformed-credential", form)
  }
  if (challenge.intent !== "session") return altered("its intent is not offered")
  if (challenge.realm !== realm) return altered("its realm is another")
  if (!isBound(challenge, proof.token)) return altered("its id is not made from its parameters")
  const { amount, currency, methodDetails } = requestOf(challenge)
  const details = isFields(methodDetails) ? methodDetails : {}
  if (details["payment_intent"] !== proof.id) return altered("its payment is another")
  const isPriced =
    amount === String(price) &&
    details["deposit"] === String(deposit.value) &&
    currency === deposit.currency.toLowerCase()
  return isPriced ? undefined : altered("its prices are others")
}
