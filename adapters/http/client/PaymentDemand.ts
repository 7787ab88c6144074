import { type Fields, isFields } from "./Fields.ts"
import { METHOD, type MppChallenge, parseChallenges, requestOf } from "./MppChallenge.ts"
import { formatCredential } from "./MppCredential.ts"
import { isIntentId } from "./isIntentId.ts"
import { readJson } from "./readJson.ts"
import type { Money } from "./Resources.ts"

/** The payment that a 402 requires. */
export interface PaymentDemand {
  readonly id: string
  readonly amount: Money
  readonly channel: string
  /** The link for a wallet: `svc://pay/{id}?channel={channel}`. */
  readonly qr_uri: string
  readonly expires_at: string
  /** The secret that proves the payment to the seller. The wallet does not get it. */
  readonly token: string
  /** The challenge of the "Payment" scheme, if the 402 had none of payport's own headers. */
  readonly challenge?: MppChallenge
}

/** The payment for a wallet, without the secret. */
export type WalletOrder = Omit<PaymentDemand, "challenge" | "token"> & {
  /**
   * The origin that has asked for the payment, as `https://host`. For a tool (MCP), whose server's
   * address is not known, the name that its server gives, as `mcp:…`.
   */
  readonly origin: string
}

const asObject = (value: unknown): Fields => (isFields(value) ? value : {})

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The intents of MPP with one payment: captured at once, or held for a later capture. */
export const PAID_INTENTS: ReadonlyArray<string> = ["charge", "authorize"]

/** Returns the response's challenge for a payment with payport, if there is one. */
const challengeIn = (headers: Headers): MppChallenge | undefined =>
  parseChallenges(headers.get("WWW-Authenticate") ?? "").find(
    ({ intent, method }) => method === METHOD && PAID_INTENTS.includes(intent),
  )

const paymentIn = (challenge: MppChallenge | undefined): string | null => {
  const { payment_intent } = asObject(challenge && requestOf(challenge)["methodDetails"])
  return isText(payment_intent) ? payment_intent : null
}

/** Returns the payment that the headers name; null if they name none. */
export const namedPayment = (headers: Headers): string | null =>
  headers.get("X-Payment-Intent") ?? paymentIn(challengeIn(headers))

/** Returns the credential for a challenge, with the payment that it required. */
export const credentialFor = (
  { id, token }: Pick<PaymentDemand, "id" | "token">,
  challenge: MppChallenge,
): string => formatCredential({ challenge, payload: { payment_intent: id, token } })

/** Whether the challenge requires that amount. */
export const asksFor = (challenge: MppChallenge, amount: Money): boolean => {
  const asked = requestOf(challenge)
  return (
    asked["amount"] === String(amount.value) && asked["currency"] === amount.currency.toLowerCase()
  )
}

/**
 * Reads the body of a 402, which can be read again afterwards. Returns undefined if it is not
 * payport's, and "malformed" if it contradicts itself or its headers, is too long, or has not ended
 * after that many milliseconds.
 */
export const readPaymentDemand = async (
  response: Response,
  within: number,
): Promise<PaymentDemand | undefined | "malformed"> => {
  const { headers } = response
  const challenge = headers.has("X-Payment-Intent") ? undefined : challengeIn(headers)
  const named = headers.get("X-Payment-Intent") ?? paymentIn(challenge)
  if (named === null) return undefined
  const found = asObject(asObject(await readJson(response, within))["payment_intent"])
  const { channel, expires_at, id, qr_uri, token } = found
  const { currency, value } = asObject(found["amount"])
  const whole =
    isText(id) &&
    isIntentId(id) &&
    id === named &&
    isText(channel) &&
    qr_uri === `svc://pay/${id}?channel=${encodeURIComponent(channel)}` &&
    isText(expires_at) &&
    !Number.isNaN(Date.parse(expires_at)) &&
    isText(token) &&
    /^[\x21-\x7e]{1,256}$/.test(token) &&
    isText(currency) &&
    typeof value === "number" &&
    Number.isSafeInteger(value) &&
    value > 0
  if (!whole) return "malformed"
  const amount = { currency, value }
  const demand = { id, amount, channel, qr_uri, expires_at, token }
  if (challenge === undefined) return demand
  return asksFor(challenge, amount) ? { ...demand, challenge } : "malformed"
}
