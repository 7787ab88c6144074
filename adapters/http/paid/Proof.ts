import { isProof } from "../mpp/charge.ts"
import { headerOf, type PaidRequest } from "./PaidRequest.ts"
import { type Network, readSignature } from "./x402.ts"

/** A payment and the token that proves it. `network` is known when an x402 client sent it. */
export interface Proof {
  readonly id: string
  readonly token: string
  readonly network?: Network
}

/**
 * The proof in a request's own headers or in that of x402; undefined without one, and a `flaw`
 * where the headers cannot be a proof.
 */
export const readProof = (request: PaidRequest): Proof | { readonly flaw: string } | undefined => {
  const id = headerOf(request, "X-Payment-Intent")
  const token = headerOf(request, "X-Payment-Token")
  const signature = headerOf(request, "PAYMENT-SIGNATURE")
  if (id === undefined && token === undefined) {
    if (signature === undefined) return undefined
    const read = readSignature(signature)
    return read !== undefined && isProof(read)
      ? read
      : { flaw: "The header PAYMENT-SIGNATURE holds no payment of this scheme." }
  }
  const proof = { id: id ?? "", token: token ?? "" }
  return isProof(proof)
    ? proof
    : { flaw: "Send both X-Payment-Intent and X-Payment-Token, as the 402's body has them." }
}
