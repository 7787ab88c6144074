import { PaymentRefused } from "./BudgetTracker.ts"
import { type Fields, isFields } from "./Fields.ts"
import { type PaymentDemand, readPaymentDemand } from "./PaymentDemand.ts"
import { PATIENCE } from "./present.ts"
import { discard } from "./readJson.ts"
import { decodeHeader } from "./x402Header.ts"
import {
  isAccepted,
  OFFERS,
  offersPayment,
  offersThat,
  openSigned,
  receiptFor,
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

/** The most ways to pay of a 402 that is paid. Its own payment may have one more offer. */
const MOST = 20

const infoOf = (said: Fields): Fields => {
  const extension = isFields(said["extensions"]) ? said["extensions"][OFFERS] : undefined
  const info = isFields(extension) ? extension["info"] : undefined
  return isFields(info) ? info : {}
}

/** Returns a list that is read as a whole; empty if it is too long. */
const listOf = (value: unknown, most = MOST): ReadonlyArray<unknown> =>
  Array.isArray(value) && value.length <= most ? value : []

/** Whether no header contradicts the payment of a 402's body. */
const agrees = ({ amount, qr_uri }: PaymentDemand, headers: Headers): boolean => {
  const price = `${amount.value} ${amount.currency}`
  return (
    (headers.get("X-Payment-Amount") ?? price) === price &&
    (headers.get("X-Payment-QR") ?? qr_uri) === qr_uri
  )
}

/**
 * Whether each way to pay that a 402 accepts is signed for that address and still valid, and the
 * payment that it requires in payport's own words, too.
 */
const isOffered = async (response: Response, url: string, keys: X402Keys): Promise<boolean> => {
  const { headers } = response
  const demand = await readPaymentDemand(response, PATIENCE)
  if (demand === "malformed" || (demand !== undefined && !agrees(demand, headers))) return false
  const { origin } = new URL(url)
  const required = decodeHeader(headers.get("PAYMENT-REQUIRED"))
  const signed = listOf(infoOf(required)["offers"], MOST + 1)
  const opened = await Promise.all(signed.map((one) => openSigned(one, keys, origin)))
  const offers = opened.filter((offer) => offer !== undefined)
  const now = Date.now()
  const ways = listOf(required["accepts"])
  return (
    ways.length > 0 &&
    ways.every(
      (way) => isAccepted(way) && offers.some((offer) => offersThat(offer, way, url, now)),
    ) &&
    (demand === undefined || offers.some((offer) => offersPayment(offer, demand, url, now)))
  )
}

/**
 * Returns a `fetch` for a buyer that pays only signed offers, under `x402Payer`, `x402Buyer`,
 * `payingFetch` or any client of x402. If a way to pay in a 402 is not signed by a key that is
 * trusted for its origin, for this address and the present time, the request rejects with
 * `PaymentRefused` before anything is paid. It rejects, too, if the 402 has more than 20 ways, or
 * if its other headers or its body require another payment. Valid receipts go to `keep`.
 */
export const x402Trust =
  (fetch: (input: Request) => Promise<Response>, { keep, keys }: X402TrustOptions) =>
  async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const since = Date.now()
    const request = new Request(input, init)
    const response = await fetch(request)
    const url = response.url === "" ? request.url : response.url
    if (response.status === 402) {
      if (await isOffered(response, url, keys)) return response
      discard(response)
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
