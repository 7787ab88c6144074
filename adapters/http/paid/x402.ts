import type { PaymentChallenge, PaymentRedemption } from "../client/Resources.ts"
import { declareIdentifier, identifierIn } from "../client/x402Identifier.ts"
import { OFFER_VERSION, OFFERS, paymentOf, PAYPORT, type X402Offer } from "../client/x402Offers.ts"
import { signed, type X402Signer } from "./x402Signer.ts"

/** A network as x402 names them. */
export type Network = `${string}:${string}`

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

/** One way to pay that a 402 offers. */
export interface X402Accept extends Omit<
  X402Offer,
  "version" | "resourceUrl" | "validUntil" | "payment_intent"
> {
  readonly network: Network
  readonly maxTimeoutSeconds: number
  readonly extra: { readonly [name: string]: unknown }
}

/** What is signed of a 402, besides its ways to pay. */
interface Offering {
  readonly error: string
  readonly until: string
  readonly url: string
  /** The payment that the 402 requires in payport's own words, if it is none of the ways. */
  readonly own?: X402Accept
}

const offersOf = async (
  accepts: ReadonlyArray<X402Accept>,
  { own, until, url: resourceUrl }: Offering,
  signer: X402Signer,
) => {
  const validUntil = Math.floor(Date.parse(until) / 1000)
  const offers = await Promise.all(
    [...accepts, ...(own === undefined ? [] : [own])].map(async (accept, index) => {
      const { amount, asset, network, payTo, scheme } = accept
      const payment_intent = paymentOf(accept)
      const terms = { scheme, network, asset, payTo, amount }
      const offer = {
        version: OFFER_VERSION,
        resourceUrl,
        ...terms,
        validUntil,
        ...(payment_intent !== undefined && { payment_intent }),
      }
      const isWay = index < accepts.length
      return { ...(isWay && { acceptIndex: index }), ...(await signed(offer, signer)) }
    }),
  )
  return { [OFFERS]: { info: { offers }, schema: schemaOf("offers", { type: "array" }) } }
}

/** Returns the `PAYMENT-REQUIRED` header with ways to pay. */
export const requiredText = async (
  accepts: ReadonlyArray<X402Accept>,
  offering: Offering,
  { identifiers, signer }: X402Terms = {},
): Promise<string> => {
  const extensions = {
    ...(identifiers !== undefined && declareIdentifier(identifiers === "required")),
    ...(signer !== undefined && (await offersOf(accepts, offering, signer))),
  }
  return encode({
    x402Version: VERSION,
    error: offering.error,
    resource: { url: offering.url },
    accepts,
    ...(Object.keys(extensions).length > 0 && { extensions }),
  })
}

/**
 * Returns the whole seconds that a new challenge leaves to pay. Both times are of the service's
 * clock, which may differ from this process's. An older service does not say when it has made the
 * challenge: then that is now.
 */
const secondsToPay = ({ created_at, payment_intent }: PaymentChallenge): number => {
  const made = Date.parse(created_at)
  const begin = Number.isNaN(made) ? Date.now() : made
  return Math.max(0, Math.floor((Date.parse(payment_intent.expires_at) - begin) / 1000))
}

/** Returns a challenge's payment as a way to pay. */
export const acceptOf = (challenge: PaymentChallenge): X402Accept => {
  const { amount, channel, expires_at, id, qr_uri } = challenge.payment_intent
  return {
    scheme: PAYPORT,
    network: networkOf(challenge.network),
    asset: amount.currency,
    amount: String(amount.value),
    payTo: challenge.payee.agent_id,
    maxTimeoutSeconds: secondsToPay(challenge),
    extra: { payment_intent: id, channel, qr_uri, expires_at },
  }
}

/**
 * Returns the `PAYMENT-REQUIRED` header of a 402 (x402 version 2). It says how to pay. Only the
 * body holds the token that proves the payment.
 */
export const paymentRequired = (
  challenge: PaymentChallenge,
  url: string,
  terms: X402Terms = {},
): Promise<string> => {
  const { expires_at: until } = challenge.payment_intent
  return requiredText([acceptOf(challenge)], { url, until, error: "payment_required" }, terms)
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
  schemes: ReadonlyArray<unknown> = [PAYPORT],
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
