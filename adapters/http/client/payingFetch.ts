import { type PaymentDemand, readPaymentDemand } from "./PaymentDemand.ts"
import { type Budget, PaymentRefused, BudgetTracker } from "./BudgetTracker.ts"
import type { ErrorCode, Money } from "./Resources.ts"
import { PaymentDeclined, type Wallet } from "./Wallet.ts"

/** The settings of a paying client. */
export interface PayingOptions {
  readonly budget: Budget
  /** The hosts that may be paid, such as `api.example` or `127.0.0.1:4020`. */
  readonly hosts: ReadonlyArray<string>
  /** How long it waits for a proof to be accepted, in milliseconds; 30,000 without it. */
  readonly patience?: number
}

/** A payment and the token that proves it, for sending the request again. */
export interface PaymentProof {
  readonly payment_intent: string
  readonly token: string
}

/**
 * A payment was, or may have been, made, and the request did not pass. No other payment is made for
 * it: send the request with the proof again, or have the payment refunded.
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

/** A `fetch` that makes required payments within its budget. */
export interface PayingFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** What this session has, or may have, spent. */
  readonly spent: () => Money
}

type Fetch = (input: Request) => Promise<Response>

const PATIENCE = 30_000
const SHORTEST_WAIT = 500
const LONGEST_WAIT = 5_000

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")

/** Allows payments only to named hosts, over HTTPS or to loopback. */
const checkHost = (url: URL, hosts: ReadonlyArray<string>): void => {
  const safe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
  if (safe && hosts.includes(url.host)) return
  const message = safe ? `${url.host} is not to be paid.` : "Payments are made over HTTPS alone."
  throw new PaymentRefused("host", message)
}

const malformed = (message: string) => new PaymentRefused("malformed", message)

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })

const waitOf = (response: Response): number => {
  const seconds = Number(response.headers.get("Retry-After") ?? "1")
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : SHORTEST_WAIT
  return Math.min(Math.max(wait, SHORTEST_WAIT), LONGEST_WAIT)
}

/** The codes with which the seller's middleware asks to retry. */
const UNDER_WAY: ReadonlySet<string> = new Set<ErrorCode>([
  "PAYMENT_UNRESOLVED",
  "TEMPORARILY_UNAVAILABLE",
])

/** Whether the response says that the payment is still in progress. */
const isUnderWay = async (response: Response, { id }: PaymentDemand): Promise<boolean> => {
  if (response.status === 402) return response.headers.get("X-Payment-Intent") === id
  const busy = response.status === 409 || response.status === 503
  if (!busy || !response.headers.has("Retry-After")) return false
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  const code: unknown = typeof body === "object" && body !== null && Reflect.get(body, "code")
  return typeof code === "string" && UNDER_WAY.has(code)
}

/** Pays once. Releases the reserved amount only when the wallet declined. */
const pay = async (wallet: Wallet, demand: PaymentDemand, url: URL, release: () => void) => {
  const { token: _secret, ...order } = demand
  try {
    await wallet.pay({ ...order, origin: url.origin })
  } catch (cause) {
    if (cause instanceof PaymentDeclined) {
      release()
      throw cause
    }
    throw new PaymentUnresolved(demand, "The wallet did not say whether it has paid.", null, cause)
  }
}

/** Makes copies of the request, to the address that required the payment. */
const sameRequest = (spare: Request, url: URL, redirected: boolean): (() => Request) => {
  if (!redirected) return () => new Request(spare.clone(), { redirect: "manual" })
  const { headers, method, signal } = spare
  if (url.origin !== new URL(spare.url).origin) {
    const message = "The request was sent on to another host, which is not paid."
    throw new PaymentRefused("host", message)
  }
  if (method !== "GET" && method !== "HEAD") {
    throw malformed("A request with a body that was sent on is not paid for.")
  }
  return () => new Request(url, { headers, method, signal, redirect: "manual" })
}

/** Sends the request with the proof until it is accepted, for `patience` milliseconds. */
const present = async (
  fetch: Fetch,
  again: () => Request,
  demand: PaymentDemand,
  patience: number,
): Promise<Response> => {
  const until = Date.now() + patience
  for (;;) {
    const request = again()
    request.headers.set("X-Payment-Intent", demand.id)
    request.headers.set("X-Payment-Token", demand.token)
    const response = await fetch(request).catch((cause: unknown) => {
      const message = "The payment was made; its proof was sent, and no answer came."
      throw new PaymentUnresolved(demand, message, null, cause)
    })
    const underWay = await isUnderWay(response, demand)
    if (!underWay && response.status !== 402) return response
    const wait = waitOf(response)
    if (!underWay || Date.now() + wait > until) {
      const message = `The payment was made, and the answer to its proof is ${response.status}.`
      throw new PaymentUnresolved(demand, message, response.status)
    }
    await response.body?.cancel()
    await sleep(wait)
  }
}

/**
 * A `fetch` that pays payport's 402s and sends the request again with the proof (HTTP 402 mode). It
 * pays only named hosts, within a budget for each call and for all calls, three times a session,
 * and once for one request. The proof goes only to the address that required it; no redirect is
 * followed with it. Other responses, and 402s of others, are returned unchanged.
 *
 * Rejects with `PaymentRefused` or the wallet's `PaymentDeclined` when nothing was paid, and with
 * `PaymentUnresolved`, which holds the proof, otherwise.
 */
export const payingFetch = (
  fetch: Fetch,
  wallet: Wallet,
  { budget, hosts, patience = PATIENCE }: PayingOptions,
): PayingFetch => {
  const tracker = new BudgetTracker(budget)
  const paying = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const spare = request.clone()
    const response = await fetch(request)
    if (response.status !== 402) return response
    const demand = await readPaymentDemand(response.clone())
    if (demand === undefined) return response
    if (demand === "malformed") throw malformed("The 402 contradicts itself.")
    const url = new URL(response.url === "" ? spare.url : response.url)
    checkHost(url, hosts)
    const again = sameRequest(spare, url, response.redirected)
    await pay(wallet, demand, url, tracker.reserve(demand.amount))
    return present(fetch, again, demand, patience)
  }
  return Object.assign(paying, { spent: () => tracker.spent })
}
