import { isProof } from "../mpp/charge.ts"
import { headerOf, type PaidRequest } from "./PaidRequest.ts"
import { type Network, readSignature, type X402Terms } from "./x402.ts"

/** A payment and the token that proves it. `network` is set if an x402 client sent it. */
export interface Proof {
  readonly id: string
  readonly token: string
  readonly network?: Network
  /** The purchase's identifier by an x402 client, if the seller supports that. */
  readonly identifier?: string
}

/** Returns the proof of an x402 client, with the identifier as the seller's terms treat it. */
const readX402 = (
  signature: string,
  { identifiers }: X402Terms,
  schemes: ReadonlyArray<string> | undefined,
): Proof | { readonly flaw: string } => {
  const read = readSignature(signature, schemes)
  if (read === undefined || !isProof(read)) {
    return { flaw: "The header PAYMENT-SIGNATURE has no payment of an accepted scheme." }
  }
  const { identifier, ...proof } = read
  if (identifiers === undefined) return proof
  if (identifier === null) {
    return { flaw: "The id of payment-identifier must have 16 to 128 letters, digits, - and _." }
  }
  if (identifier !== undefined) return { ...proof, identifier }
  return identifiers === "optional"
    ? proof
    : { flaw: "The extension payment-identifier is required: send an id of the purchase." }
}

/**
 * Reads the proof in payport's own headers or in that of x402. Returns undefined without one, and a
 * `flaw` if the headers cannot be a proof. `schemes` are the accepted ones of x402.
 */
export const readProof = (
  request: PaidRequest,
  terms: X402Terms = {},
  schemes?: ReadonlyArray<string>,
): Proof | { readonly flaw: string } | undefined => {
  const id = headerOf(request, "X-Payment-Intent")
  const token = headerOf(request, "X-Payment-Token")
  const signature = headerOf(request, "PAYMENT-SIGNATURE")
  if (id === undefined && token === undefined) {
    return signature === undefined ? undefined : readX402(signature, terms, schemes)
  }
  const proof = { id: id ?? "", token: token ?? "" }
  return isProof(proof)
    ? proof
    : { flaw: "Send both X-Payment-Intent and X-Payment-Token, with the values of the 402's body." }
}
