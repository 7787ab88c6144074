import type { PaymentChallenge, PaymentRedemption } from "../client/Resources.ts"
import { declareIdentifier, identifierIn } from "../client/x402Identifier.ts"
import { OFFER_VERSION, OFFERS, type X402Offer } from "../client/x402Offers.ts"
import { signed, type X402Signer } from "./x402Signer.ts"

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

/** See {@link Network}. */
export const networkOf = (text: string): Network => (isNetwork(text) ? text : "payport:live")

/** Further offers to clients of x402 at a paid endpoint. */
export interface X402Terms {
  /** Whether a client may or must name its purchase, so that it is made once. */
  readonly identifiers?: "optional" | "required"
  /** Signs the requirements of a 402, and the answer to a paid request. */
  readonly signer?: X402Signer
}

/** Returns the JSON Schema of an extension's content. */
const schemaOf = (name: string, held: object) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: { [name]: held },
  required: [name],
})

const offersOf = async (
  accepts: ReadonlyArray<Omit<X402Offer, "version" | "resourceUrl" | "validUntil">>,
  resourceUrl: string,
  expires_at: string,
  signer: X402Signer,
) => {
  const validUntil = Math.floor(Date.parse(expires_at) / 1000)
  const offers = await Promise.all(
    accepts.map(async ({ amount, asset, network, payTo, scheme }, acceptIndex) => {
      const terms = { scheme, network, asset, payTo, amount }
      const offer = { version: OFFER_VERSION, resourceUrl, ...terms, validUntil }
      return { acceptIndex, ...(await signed(offer, signer)) }
    }),
  )
  return { [OFFERS]: { info: { offers }, schema: schemaOf("offers", { type: "array" }) } }
}

/** One way to pay that a 402 offers. */
export interface X402Accept extends Omit<X402Offer, "version" | "resourceUrl" | "validUntil"> {
  readonly network: Network
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly [name: string]: unknown }
}

/** Returns the `PAYMENT-REQUIRED` header with ways to pay. */
export const requiredText = async (
  accepts: ReadonlyArray<X402Accept>,
  { error, until, url }: { readonly error: string; readonly until: string; readonly url: string },
  { identifiers, signer }: X402Terms = {},
): Promise<string> => {
  const extensions = {
    ...(identifiers !== undefined && declareIdentifier(identifiers === "required")),
    ...(signer !== undefined && (await offersOf(accepts, url, until, signer))),
  }
  return encode({
    x402Version: VERSION,
    error,
    resource: { url },
    accepts,
    ...(Object.keys(extensions).length > 0 && { extensions }),
  })
}

/**
 * Returns the `PAYMENT-REQUIRED` header of a 402 (x402 version 2). It says how to pay. Only the
 * body holds the token that proves the payment.
 */
export const paymentRequired = (
  challenge: PaymentChallenge,
  url: string,
  now: number,
  terms: X402Terms = {},
): Promise<string> => {
  const { amount, channel, expires_at, id, qr_uri } = challenge.payment_intent
  const seconds = Math.max(0, Math.floor((Date.parse(expires_at) - now) / 1000))
  const accept = {
    scheme: SCHEME,
    network: networkOf(challenge.network),
    asset: amount.currency,
    amount: String(amount.value),
    payTo: challenge.payee.agent_id,
    maxTimeoutSeconds: seconds,
    extra: { payment_intent: id, channel, qr_uri, expires_at },
  }
  return requiredText([accept], { url, until: expires_at, error: "payment_required" }, terms)
}

/** The proof that a client of x402 shows. */
export interface X402Proof {
  readonly id: string
  readonly token: string
  readonly network: Network
  /** The purchase's identifier; null if it is malformed. */
  readonly identifier: string | null | undefined
}

/** Reads the proof of an x402 client; undefined for another scheme, or if it does not decode. */
export const readSignature = (
  header: string,
  schemes: ReadonlyArray<unknown> = [SCHEME],
): X402Proof | undefined => {
  try {
    const sent: unknown = decode(header)
    const { accepted, extensions, payload, x402Version } = sent as {
      readonly [field: string]: { readonly [field: string]: unknown } | undefined
    }
    const { payment_intent: id, token } = payload ?? {}
    const network = accepted?.["network"]
    const ours = Number(x402Version) === VERSION && schemes.includes(accepted?.["scheme"])
    return ours && isNetwork(network) && typeof id === "string" && typeof token === "string"
      ? { id, token, network, identifier: identifierIn(extensions) }
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the receipt of a redeemed payment, the same each time. If the payer is unknown, the
 * payment is named as the payer.
 */
const receiptOf = async (
  { payer, payment_intent, redeemed_at }: PaymentRedemption,
  network: Network,
  resourceUrl: string,
  signer: X402Signer,
) => {
  const receipt = {
    version: OFFER_VERSION,
    network,
    resourceUrl,
    payer: payer ?? payment_intent,
    issuedAt: Math.floor(Date.parse(redeemed_at) / 1000),
    transaction: payment_intent,
  }
  const info = { receipt: await signed(receipt, signer) }
  return { [OFFERS]: { info, schema: schemaOf("receipt", { type: "object" }) } }
}

/** Returns the `PAYMENT-RESPONSE` header of a paid response. */
export const paymentResponse = async (
  redemption: PaymentRedemption,
  network: Network,
  url: string,
  { signer }: X402Terms = {},
  amount?: string,
): Promise<string> =>
  encode({
    success: true,
    transaction: redemption.payment_intent,
    network,
    ...(amount !== undefined && { amount }),
    ...(redemption.payer !== null && { payer: redemption.payer }),
    ...(signer !== undefined && { extensions: await receiptOf(redemption, network, url, signer) }),
  })
