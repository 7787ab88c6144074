import { decodeFields, isFields } from "./Fields.ts"
import { METHOD, type MppChallenge, parseChallenges, requestOf } from "./MppChallenge.ts"
import { formatCredential } from "./MppCredential.ts"
import type { PaymentDemand } from "./PaymentDemand.ts"
import { readJson } from "./readJson.ts"

/** A deposit, and the 402 that has required it. */
export interface Deposit {
  readonly due: PaymentDemand
  readonly challenge: MppChallenge
  /** The address at which it was opened, and which closes it. */
  readonly url: string
  /** The methods of which one was asked there. */
  readonly methods: ReadonlyArray<string>
}

/** Returns the price of a request in minor units; undefined if the challenge names none. */
export const priceIn = (challenge: MppChallenge): number | undefined => {
  const { amount } = requestOf(challenge)
  return typeof amount === "string" && /^[1-9]\d{0,12}$/.test(amount) ? Number(amount) : undefined
}

/** Whether a challenge requires a session with the deposit in the 402's body. */
export const asksForDeposit = (challenge: MppChallenge, { amount }: PaymentDemand): boolean => {
  const { currency, methodDetails } = requestOf(challenge)
  const { deposit } = isFields(methodDetails) ? methodDetails : {}
  const price = priceIn(challenge)
  return (
    price !== undefined &&
    price <= amount.value &&
    deposit === String(amount.value) &&
    currency === amount.currency.toLowerCase()
  )
}

/**
 * Returns what deposits belong to: an origin, a realm, and the seller, service and currency of
 * their challenges. A deposit is shown only where all of that is the same.
 */
export const depositKey = (origin: string, challenge: MppChallenge): string => {
  const { currency, methodDetails, recipient } = requestOf(challenge)
  const { service_id } = isFields(methodDetails) ? methodDetails : {}
  return JSON.stringify([origin, challenge.realm, recipient ?? 0, service_id ?? 0, currency ?? 0])
}

/** Returns the credential that draws from a deposit or closes its session. */
export const sessionCredential = (
  { challenge, due: { id, token } }: Deposit,
  asked: { readonly action: "close" } | { readonly action: "draw"; readonly spent: number },
): string => formatCredential({ challenge, payload: { payment_intent: id, token, ...asked } })

/** Whether a response proves by its receipt that this total was drawn from the deposit. */
export const provesDraw = (
  { headers }: Response,
  { challenge, due }: Deposit,
  spent: number,
): boolean => {
  const receipt = decodeFields(headers.get("Payment-Receipt") ?? "") ?? {}
  const { challengeId, drawn, method, reference, status } = receipt
  return (
    status === "success" &&
    method === METHOD &&
    reference === due.id &&
    challengeId === challenge.id &&
    drawn === String(spent)
  )
}

/** The refusal of a draw by the seller of its deposit. */
export interface DrawRefusal {
  /** The price of the request. */
  readonly price: number | undefined
  /** The total drawn so far, if the draw was out of turn. */
  readonly drawn: number | undefined
}

/** Reads a 402; undefined if it does not require deposits with this key. */
export const readDrawRefusal = async (
  response: Response,
  { origin, key }: { readonly origin: string; readonly key: string },
  within: number,
): Promise<DrawRefusal | undefined> => {
  const asked = parseChallenges(response.headers.get("WWW-Authenticate") ?? "").find(
    (one) => one.method === METHOD && one.intent === "session" && depositKey(origin, one) === key,
  )
  if (asked === undefined) return undefined
  const body = await readJson(response, within).catch(() => undefined)
  const drawn: unknown = isFields(body) ? body["drawn"] : undefined
  const isCount = typeof drawn === "number" && Number.isSafeInteger(drawn) && drawn >= 0
  return { price: priceIn(asked), drawn: isCount ? drawn : undefined }
}
