import type { PaymentChallenge } from "../client/Resources.ts"

/** A network as x402 names them. */
export type Network = `${string}:${string}`

/** The name of payport's scheme in x402. */
const SCHEME = "payport"

/** The version of x402. */
const VERSION = 2

/** x402's headers hold JSON in UTF-8 as base64. */
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64")

const decode = (header: string): unknown => {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(header)) return undefined
  return JSON.parse(Buffer.from(header, "base64").toString("utf8"))
}

const isNetwork = (text: unknown): text is Network =>
  typeof text === "string" && /^payport:[a-z]{1,32}$/.test(text)

const networkOf = (text: string): Network => (isNetwork(text) ? text : "payport:live")

/**
 * The `PAYMENT-REQUIRED` header of a 402 (x402 version 2). It says how to pay; only the body holds
 * the token that proves the payment.
 */
export const paymentRequired = (challenge: PaymentChallenge, url: string, now: number): string => {
  const { amount, channel, expires_at, id, qr_uri } = challenge.payment_intent
  const seconds = Math.max(0, Math.floor((Date.parse(expires_at) - now) / 1000))
  return encode({
    x402Version: VERSION,
    error: "payment_required",
    resource: { url },
    accepts: [
      {
        scheme: SCHEME,
        network: networkOf(challenge.network),
        asset: amount.currency,
        amount: String(amount.value),
        payTo: challenge.payee.agent_id,
        maxTimeoutSeconds: seconds,
        extra: { payment_intent: id, channel, qr_uri, expires_at },
      },
    ],
  })
}

/** The proof of an x402 client; undefined for another scheme, and for what does not decode. */
export const readSignature = (
  header: string,
): { readonly id: string; readonly token: string; readonly network: Network } | undefined => {
  try {
    const sent: unknown = decode(header)
    const { accepted, payload, x402Version } = sent as {
      readonly [field: string]: { readonly [field: string]: unknown } | undefined
    }
    const { payment_intent: id, token } = payload ?? {}
    const network = accepted?.["network"]
    const ours = Number(x402Version) === VERSION && accepted?.["scheme"] === SCHEME
    return ours && isNetwork(network) && typeof id === "string" && typeof token === "string"
      ? { id, token, network }
      : undefined
  } catch {
    return undefined
  }
}

/** The `PAYMENT-RESPONSE` header of a paid response. */
export const paymentResponse = (paymentIntent: string, network: Network): string =>
  encode({ success: true, transaction: paymentIntent, network })
