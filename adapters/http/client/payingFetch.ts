import { holding, unlessAborted } from "./abortable.ts"
import { askedAt } from "./askedAt.ts"
import {
  credentialFor,
  namedPayment,
  type PaymentDemand,
  readPaymentDemand,
} from "./PaymentDemand.ts"
import { type Budget, PaymentRefused, BudgetTracker } from "./BudgetTracker.ts"
import { type Fetch, PATIENCE, payOrder, present } from "./present.ts"
import { discard } from "./readJson.ts"
import type { Money } from "./Resources.ts"
import { responseUnlessAborted } from "./sendWithin.ts"
import type { Wallet } from "./Wallet.ts"

/** The options of a paying client. */
export interface PayingOptions {
  readonly budget: Budget
  /** The hosts that may be paid, such as `api.example` or `127.0.0.1:4020`. */
  readonly hosts: ReadonlyArray<string>
  /**
   * Time limit for a proof to be accepted, and before that for the 402 to end, in milliseconds;
   * 30,000 by default.
   */
  readonly patience?: number
}

/** A `fetch` that makes required payments within its budget. */
export interface PayingFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  /** Returns the amount that this session has spent or may have spent. */
  readonly spent: () => Money
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")

/** Allows payments only to named hosts, over HTTPS or to loopback. */
const checkHost = (url: URL, hosts: ReadonlyArray<string>): void => {
  const safe = url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))
  if (safe && hosts.includes(url.host)) return
  const message = safe
    ? `The host ${url.host} is not among the hosts that may be paid.`
    : "Payments are only made over HTTPS."
  throw new PaymentRefused("host", message)
}

const malformed = (message: string) => new PaymentRefused("malformed", message)

/** Whether the request was redirected, and what ends it. */
interface Asked {
  readonly redirected: boolean
  readonly signal: AbortSignal
}

/** Returns a function that copies the request, for the address that required the payment. */
const sameRequest = (spare: Request, url: URL, { redirected, signal }: Asked): (() => Request) => {
  if (!redirected) return () => new Request(spare.clone(), { redirect: "manual", signal })
  const { headers, method } = spare
  if (method !== "GET" && method !== "HEAD") {
    throw malformed("A redirected request with a body cannot be paid.")
  }
  return () => new Request(url, { headers, method, signal, redirect: "manual" })
}

/** Adds the proof in the form of the 402: payport's own headers, or a credential. */
const proving = (again: () => Request, demand: PaymentDemand) => () => {
  const request = again()
  if (demand.challenge === undefined) {
    request.headers.set("X-Payment-Intent", demand.id)
    request.headers.set("X-Payment-Token", demand.token)
  } else request.headers.set("Authorization", credentialFor(demand, demand.challenge))
  return request
}

/**
 * Returns a `fetch` that pays payport's 402s and sends the request again with the proof (HTTP 402
 * mode). It pays only named hosts, within a budget per call and for all calls, three times per
 * session, and once per request. A 402 without payport's headers is read by its challenge of the
 * "Payment" scheme. The proof goes only to the address that required it, and no redirect is
 * followed with it. Other responses, including 402s of others, are returned unchanged.
 *
 * Rejects with `PaymentRefused` or the wallet's `PaymentDeclined` if nothing was paid, and with
 * `PaymentUnresolved`, which holds the proof, otherwise. If the request's signal aborts, rejects at
 * once: with its reason before the wallet is asked, and with `PaymentUnresolved` after that.
 */
export const payingFetch = (
  fetch: Fetch,
  wallet: Wallet,
  { budget, hosts, patience = PATIENCE }: PayingOptions,
): PayingFetch => {
  const tracker = new BudgetTracker(budget)
  const payFor = async (request: Request): Promise<Response> => {
    const spare = request.clone()
    const { signal } = request
    const response = await responseUnlessAborted(fetch(request), signal)
    if (response.status !== 402 || namedPayment(response.headers) === null) return response
    try {
      const url = askedAt(spare.url, response)
      checkHost(url, hosts)
      const again = sameRequest(spare, url, { redirected: response.redirected, signal })
      const demand = await unlessAborted(readPaymentDemand(response, patience), signal)
      if (typeof demand !== "object") {
        throw malformed("The 402 contradicts itself, is too long, or has no end.")
      }
      signal.throwIfAborted()
      await payOrder(wallet, demand, url.origin, tracker.reserve(demand.amount), signal)
      return await present(fetch, proving(again, demand), demand, patience)
    } finally {
      discard(response)
    }
  }
  const paying = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    return holding([input, request], payFor(request))
  }
  return Object.assign(paying, { spent: () => tracker.spent })
}
