import { decodeFields, type Fields, isFields } from "./Fields.ts"
import type { PaymentDemand } from "./PaymentDemand.ts"

/**
 * Signed offers and receipts (x402 version 2, extension `offer-receipt` 1.0:
 * `specs/extensions/extension-offer-and-receipt.md` of github.com/x402-foundation/x402), in the
 * format `jws`. A seller signs the requirements of a 402, and that it has answered a paid request.
 */
export const OFFERS = "offer-receipt"

/** The version of offers and receipts. */
export const OFFER_VERSION = 1

/** A seller's requirements (4.2). */
export interface X402Offer {
  readonly version: number
  /** The address that is paid for. */
  readonly resourceUrl: string
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  /** Minor units in digits. */
  readonly amount: string
  /** The end of its validity, in seconds since 1970. */
  readonly validUntil: number
  /** In the scheme `payport`: the payment to make. The wallet pays it, whatever `payTo` says. */
  readonly payment_intent?: string
}

/** A seller's confirmation of an answer (5.2). */
export interface X402Receipt {
  readonly version: number
  readonly network: string
  readonly resourceUrl: string
  readonly payer: string
  /** In seconds since 1970. */
  readonly issuedAt: number
  /** The payment. */
  readonly transaction?: string
}

/** An offer or a receipt with its signature (3.1.1): a JWS in compact form. */
export interface X402Signed {
  readonly format: "jws"
  readonly signature: string
}

/** A public key in JSON (RFC 7517), as `crypto.subtle.exportKey` and Node's `KeyObject` give it. */
export interface X402PublicKey {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
}

/** Returns the public key of a seller's `kid` if it is trusted for that origin. */
export type X402Keys = (
  kid: string,
  origin: string,
) => X402PublicKey | undefined | Promise<X402PublicKey | undefined>

/** The Web Crypto names of an algorithm. */
interface Algorithm {
  readonly name: string
  readonly namedCurve?: string
  readonly hash?: string
}

/** The accepted JWS algorithms (RFC 7518, RFC 8037). */
const ALGORITHMS: { readonly [name: string]: Algorithm } = {
  EdDSA: { name: "Ed25519" },
  ES256: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

const isSignedBy = async (
  algorithm: Algorithm,
  key: X402PublicKey,
  signature: string,
  text: string,
): Promise<boolean> => {
  try {
    const held = await crypto.subtle.importKey("jwk", key, algorithm, false, ["verify"])
    const signed = new TextEncoder().encode(text)
    return await crypto.subtle.verify(algorithm, held, bytesOf(signature), signed)
  } catch {
    return false
  }
}

/**
 * Returns the signed content if a key that is trusted for the origin has signed it; otherwise
 * undefined. The key's type must fit the algorithm. The algorithm `none` is not accepted.
 */
export const openSigned = async (
  signed: unknown,
  keys: X402Keys,
  origin: string,
): Promise<Fields | undefined> => {
  if (!isFields(signed) || signed["format"] !== "jws") return undefined
  const { signature } = signed
  if (typeof signature !== "string") return undefined
  const [head = "", body = "", seal = "", ...more] = signature.split(".")
  const { alg, crit, kid } = decodeFields(head) ?? {}
  if (more.length > 0 || crit !== undefined || typeof kid !== "string") return undefined
  const isKnown = typeof alg === "string" && Object.hasOwn(ALGORITHMS, alg)
  const algorithm = isKnown ? ALGORITHMS[alg] : undefined
  const key = algorithm && (await keys(kid, origin))
  if (algorithm === undefined || key === undefined) return undefined
  return (await isSignedBy(algorithm, key, seal, `${head}.${body}`))
    ? decodeFields(body)
    : undefined
}

const TERMS = ["scheme", "network", "asset", "payTo", "amount"] as const

/** One of the ways to pay that a 402 accepts. */
export type X402Accepted = { readonly [T in (typeof TERMS)[number]]: string } & {
  readonly extra?: unknown
}

/** Whether this is a way to pay. */
export const isAccepted = (way: unknown): way is X402Accepted =>
  isFields(way) && TERMS.every((term) => typeof way[term] === "string")

/** The scheme of payments that a seller's server has begun. */
export const PAYPORT = "payport"

/** Returns the payment that a way to pay names, in the scheme `payport`. */
export const paymentOf = ({ extra, scheme }: Pick<X402Accepted, "extra" | "scheme">) => {
  const id = scheme === PAYPORT && isFields(extra) ? extra["payment_intent"] : undefined
  return typeof id === "string" ? id : undefined
}

const isValid = (offer: Fields, url: string, now: number): boolean =>
  offer["version"] === OFFER_VERSION &&
  offer["resourceUrl"] === url &&
  typeof offer["validUntil"] === "number" &&
  now < offer["validUntil"] * 1000

/**
 * Whether an offer agrees with a 402's requirements at that address, and is valid at `now`, in
 * milliseconds. An offer without a time is not valid, nor one of the scheme `payport` without its
 * payment.
 */
export const offersThat = (
  offer: Fields,
  accepted: X402Accepted,
  url: string,
  now: number,
): boolean =>
  isValid(offer, url, now) &&
  TERMS.every((term) => offer[term] === accepted[term]) &&
  offer["payment_intent"] === paymentOf(accepted) &&
  (accepted.scheme !== PAYPORT || paymentOf(accepted) !== undefined)

/** Whether a valid offer names that payment, which a 402 requires in payport's own words. */
export const offersPayment = (
  offer: Fields,
  { amount, id }: Pick<PaymentDemand, "amount" | "id">,
  url: string,
  now: number,
): boolean =>
  isValid(offer, url, now) &&
  offer["scheme"] === PAYPORT &&
  offer["payment_intent"] === id &&
  offer["asset"] === amount.currency &&
  offer["amount"] === String(amount.value)

/** The largest difference between a seller's and a buyer's clock, in milliseconds. */
const APART = 300_000

/**
 * Returns the signed content if it is a receipt for that address and payment, issued after `since`,
 * with a tolerance for clocks. Undefined for any other receipt.
 */
export const receiptFor = (
  receipt: Fields,
  {
    network,
    since,
    transaction,
    url,
  }: {
    readonly url: string
    readonly network: unknown
    readonly transaction: unknown
    readonly since: number
  },
): X402Receipt | undefined => {
  const { issuedAt, payer, version } = receipt
  const own = receipt["transaction"]
  if (version !== OFFER_VERSION || typeof payer !== "string" || typeof network !== "string") {
    return undefined
  }
  if (receipt["resourceUrl"] !== url || receipt["network"] !== network) return undefined
  if (own !== undefined && own !== transaction) return undefined
  if (typeof issuedAt !== "number" || issuedAt * 1000 < since - APART) return undefined
  return {
    version,
    network,
    resourceUrl: url,
    payer,
    issuedAt,
    ...(typeof own === "string" && { transaction: own }),
  }
}
