import { holding, sleep, unlessAborted } from "./abortable.ts"
import { isFields } from "./Fields.ts"
import { namedPayment, type PaymentDemand } from "./PaymentDemand.ts"
import { discard, readJson } from "./readJson.ts"
import type { ErrorCode, Money } from "./Resources.ts"
import { sendWithin } from "./sendWithin.ts"
import { PaymentDeclined, type Wallet } from "./Wallet.ts"

/** Sends a request. */
export type Fetch = (input: Request) => Promise<Response>

/** How long a proof is shown by default, in milliseconds. */
export const PATIENCE = 30_000
const SHORTEST_WAIT = 500
const LONGEST_WAIT = 5_000

/** A payment and the token that proves it, for sending the request again. */
export interface PaymentProof {
  readonly payment_intent: string
  readonly token: string
}

/**
 * A payment was made or may have been made, and the request was not accepted. No other payment is
 * made for it: send the request with the proof again, or have the payment refunded.
 */
export class PaymentUnresolved extends Error {
  override readonly name = "PaymentUnresolved"
  readonly proof: PaymentProof
  readonly amount: Money
  /** The last response's status; null without one. */
  readonly status: number | null

  constructor(
    { amount, id, token }: PaymentDemand,
    message: string,
    status: number | null,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.proof = { payment_intent: id, token }
    this.amount = amount
    this.status = status
  }
}

/** Returns the failure of a proof that was not accepted. */
export const notAccepted = (
  demand: PaymentDemand,
  { status }: Response,
  cause?: unknown,
): PaymentUnresolved =>
  new PaymentUnresolved(
    demand,
    `The payment was made, but the response to its proof is ${status}.`,
    status,
    cause,
  )

/**
 * Pays once. Releases the reserved amount only if the wallet declined. If the signal aborts, it is
 * unknown whether the wallet pays; it may still decline.
 */
export const payOrder = async (
  wallet: Wallet,
  demand: PaymentDemand,
  origin: string,
  release: () => void,
  signal?: AbortSignal,
): Promise<void> => {
  const { challenge: _offer, token: _secret, ...order } = demand
  const paying = async (): Promise<void> => {
    try {
      await wallet.pay({ ...order, origin })
    } catch (cause) {
      if (cause instanceof PaymentDeclined) release()
      throw cause
    }
  }
  try {
    await unlessAborted(paying(), signal)
  } catch (cause) {
    if (cause instanceof PaymentDeclined) throw cause
    throw new PaymentUnresolved(demand, "It is unknown whether the wallet has paid.", null, cause)
  }
}

const waitOf = (response: Response): number => {
  const seconds = Number(response.headers.get("Retry-After") ?? "1")
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : SHORTEST_WAIT
  return Math.min(Math.max(wait, SHORTEST_WAIT), LONGEST_WAIT)
}

/** The codes with which the seller's middleware asks for a retry. */
const UNDER_WAY: ReadonlySet<string> = new Set<ErrorCode>([
  "PAYMENT_UNRESOLVED",
  "TEMPORARILY_UNAVAILABLE",
])

/** Until when a refusal is read, and what ends that. */
interface Reading {
  readonly until: number
  readonly signal: AbortSignal
}

/** Whether the response says that the payment is still in progress. */
const isUnderWay = async (
  response: Response,
  { id }: PaymentDemand,
  { signal, until }: Reading,
): Promise<boolean> => {
  if (response.status === 402) return namedPayment(response.headers) === id
  const busy = response.status === 409 || response.status === 503
  if (!busy || !response.headers.has("Retry-After")) return false
  const reading = readJson(response, until - Date.now()).catch(() => undefined)
  const body = await unlessAborted(reading, signal)
  const code = isFields(body) ? body["code"] : undefined
  return typeof code === "string" && UNDER_WAY.has(code)
}

/**
 * Sends the request with its proof while a response leaves it open, and returns the first other
 * one. Rejects with `PaymentUnresolved` if none has begun after `patience` milliseconds, or once
 * the request's signal aborts.
 */
const showWhile = async (
  isOpen: typeof isUnderWay,
  fetch: Fetch,
  again: () => Request,
  demand: PaymentDemand,
  patience: number,
): Promise<Response> => {
  const until = Date.now() + patience
  for (;;) {
    const request = again()
    const left = until - Date.now()
    const response = await sendWithin(fetch, request, left).catch((cause: unknown) => {
      const message = "The payment was made, but the request with its proof got no response."
      throw new PaymentUnresolved(demand, message, null, cause)
    })
    const stopped = (cause: unknown) => {
      discard(response)
      throw notAccepted(demand, response, cause)
    }
    const asking = isOpen(response, demand, { until, signal: request.signal })
    if (!(await holding([request], asking).catch(stopped))) return response
    const wait = waitOf(response)
    discard(response)
    if (Date.now() + wait >= until) throw notAccepted(demand, response)
    await holding([request], sleep(wait, request.signal)).catch(stopped)
  }
}

/**
 * Sends the request with its proof until its payment is no longer in progress, and returns the
 * response, which may be a refusal. Rejects with `PaymentUnresolved` if no such response has begun
 * after `patience` milliseconds.
 */
export const showUntilJudged = (
  fetch: Fetch,
  again: () => Request,
  demand: PaymentDemand,
  patience: number,
): Promise<Response> => showWhile(isUnderWay, fetch, again, demand, patience)

/** Whether a seller has not looked at the request, and says when to send it again. */
const isTooEarly = ({ headers, status }: Response): boolean =>
  status === 429 && headers.has("Retry-After")

const isUnderWayOrTooEarly: typeof isUnderWay = async (response, ...about) =>
  isTooEarly(response) || isUnderWay(response, ...about)

/** Whether a response does not tell what became of a request and its proof, or is for later. */
const isUnclear = ({ status }: Response): boolean =>
  status === 402 || status === 408 || status === 429 || status >= 500

/**
 * Sends the request with its proof until it is accepted. Rejects with `PaymentUnresolved` if no
 * response that accepts or refuses it has begun after `patience` milliseconds. A 5xx does neither:
 * the seller, or a proxy before it, has failed, and the caller needs the proof for a second try or
 * for a refund.
 */
export const present = async (...shown: Parameters<typeof showUntilJudged>): Promise<Response> => {
  const response = await showWhile(isUnderWayOrTooEarly, ...shown)
  if (!isUnclear(response)) return response
  discard(response)
  const [, , demand] = shown
  throw notAccepted(demand, response)
}
