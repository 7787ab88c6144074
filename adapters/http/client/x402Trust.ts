import { PaymentRefused } from "./BudgetTracker.ts"
import { type Fields, isFields } from "./Fields.ts"
import { decodeHeader } from "./x402Header.ts"
import {
  OFFERS,
  offersThat,
  openSigned,
  receiptFor,
  type X402Accepted,
  type X402Keys,
  type X402Receipt,
  type X402Signed,
} from "./x402Offers.ts"

/** The keys of trusted sellers, and a function that keeps receipts. */
export interface X402TrustOptions {
  readonly keys: X402Keys
  /** Gets each valid receipt with its signature, to be kept. */
  readonly keep?: (receipt: X402Receipt, signed: X402Signed) => void
}

/** The most offers of a 402 that are checked. */
const MOST = 20

const infoOf = (said: Fields): Fields => {
  const extension = isFields(said["extensions"]) ? said["extensions"][OFFERS] : undefined
  const info = isFields(extension) ? extension["info"] : undefined
  return isFields(info) ? info : {}
}

const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value.slice(0, MOST) : []

const isAccepted = (way: unknown): way is X402Accepted =>
  isFields(way) &&
  ["scheme", "network", "asset", "payTo", "amount"].every((term) => typeof way[term] === "string")

/** Whether each way to pay that a 402 accepts is signed for that address and still valid. */
const isOffered = async (required: Fields, url: string, keys: X402Keys): Promise<boolean> => {
  const { origin } = new URL(url)
  const opened = await Promise.all(
    listOf(infoOf(required)["offers"]).map((signed) => openSigned(signed, keys, origin)),
  )
  const now = Date.now()
  const ways = listOf(required["accepts"])
  return (
    ways.length > 0 &&
    ways.every(
      (way) =>
        isAccepted(way) &&
        opened.some((offer) => offer !== undefined && offersThat(offer, way, url, now)),
    )
  )
}

/**
 * Returns a `fetch` for a buyer that pays only signed offers, under `x402Payer`, `x402Buyer`,
 * `payingFetch` or any client of x402. If a way to pay in a 402 is not signed by a key that is
 * trusted for its origin, for this address and the present time, the request rejects with
 * `PaymentRefused` before anything is paid. Valid receipts of payments go to `keep`.
 */
export const x402Trust =
  (fetch: (input: Request) => Promise<Response>, { keep, keys }: X402TrustOptions) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const since = Date.now()
    const request = new Request(input, init)
    const response = await fetch(request)
    const url = response.url === "" ? request.url : response.url
    if (response.status === 402) {
      const required = decodeHeader(response.headers.get("PAYMENT-REQUIRED"))
      if (await isOffered(required, url, keys)) return response
      const message = "The 402 is not signed by a trusted seller of this URL."
      throw new PaymentRefused("unsigned", message)
    }
    const settled = decodeHeader(response.headers.get("PAYMENT-RESPONSE"))
    const signed = infoOf(settled)["receipt"]
    const opened = keep && (await openSigned(signed, keys, new URL(url).origin))
    const { network, transaction } = settled
    const receipt = opened && receiptFor(opened, { url, network, transaction, since })
    if (receipt !== undefined) keep?.(receipt, signed as X402Signed)
    return response
  }
