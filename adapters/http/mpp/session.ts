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

/** The prices of a session: one per request, and one deposit. */
export interface SessionPrices {
  readonly price: number
  readonly deposit: Money
  /** The seconds after the last draw until the session is closed. */
  readonly idleSeconds: number
}

/** The action of a session's credential: a request, or the end of the session. */
export type SessionAction =
  | { readonly action: "draw"; readonly spent: number }
  | { readonly action: "close" }

/**
 * Returns the challenge that requires the deposit of a session (intent `session`). `amount` is the
 * price of a request. `methodDetails` has the deposit, its payment, and the service that it is for.
 */
export const sessionChallenge = (
  { network, payee, payment_intent: payment, service_id }: PaymentChallenge,
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
        service_id,
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

/** Returns the action of a session's credential; undefined if its payload has none. */
export const actionOf = ({ payload }: MppCredential): SessionAction | undefined => {
  const { action, spent } = payload
  if (action === "close") return { action }
  return action === "draw" && typeof spent === "number" && Number.isSafeInteger(spent) && spent > 0
    ? { action, spent }
    : undefined
}

/** The largest deposit, in minor units. */
const LARGEST = 1_000_000_000_000

/**
 * Returns the deposit that a challenge required; undefined if it names none. It is the deposit of
 * its time: the seller may require another one today.
 */
export const depositOf = (challenge: MppChallenge): Money | undefined => {
  const { currency, methodDetails } = requestOf(challenge)
  const { deposit } = isFields(methodDetails) ? methodDetails : {}
  const value = typeof deposit === "string" && /^[1-9]\d*$/.test(deposit) ? Number(deposit) : 0
  const isForm = typeof currency === "string" && /^[a-z]{3}$/.test(currency)
  return isForm && value > 0 && value <= LARGEST
    ? { currency: currency.toUpperCase(), value }
    : undefined
}

/**
 * Checks a credential before its session is read. Returns undefined if it repeats a challenge that
 * was made with its token, for this realm, and if a draw is in the currency of today's price;
 * otherwise the problem. The service checks the deposit. A draw at another price than today's is
 * out of turn.
 */
export const checkSession = (
  credential: MppCredential,
  { deposit }: Pick<SessionPrices, "deposit">,
  { realm }: Scope,
): MppProblem | undefined => {
  const { challenge } = credential
  if (challenge.method !== METHOD) {
    return problem("method-unsupported", `The method ${challenge.method} is not accepted here.`)
  }
  const [proof, asked] = [proofOf(credential), actionOf(credential)]
  if (proof === undefined || asked === undefined) {
    const form = "The payload must have payment_intent, token, and action with spent."
    return problem("malformed-credential", form)
  }
  if (challenge.intent !== "session") return altered("its intent is not offered")
  if (challenge.realm !== realm) return altered("its realm is different")
  if (!isBound(challenge, proof.token)) return altered("its id does not match its parameters")
  const { methodDetails } = requestOf(challenge)
  const details = isFields(methodDetails) ? methodDetails : {}
  if (details["payment_intent"] !== proof.id) return altered("its payment is different")
  const paid = depositOf(challenge)
  if (paid === undefined) return altered("it has no deposit")
  return asked.action === "close" || paid.currency === deposit.currency
    ? undefined
    : altered("its currency is different")
}
