import { type Client, makeClient } from "../client/client.ts"
import { isFields } from "../client/Fields.ts"
import type { MppCredential } from "../client/MppCredential.ts"
import { PayportError } from "../client/PayportError.ts"
import type { Money } from "../client/Resources.ts"
import { ChallengeLimiter } from "../paid/ChallengeLimiter.ts"
import { onFetch } from "../paid/doors/fetch.ts"
import { onKoa } from "../paid/doors/koa.ts"
import { onNode } from "../paid/doors/node.ts"
import type { PaidRequest } from "../paid/PaidRequest.ts"
import { makeScopeOf } from "../paid/terms/bound.ts"
import { failed, type Paywall } from "../paid/requirePayment.ts"
import { demand, refuse, type Verdict } from "../paid/Verdict.ts"
import { credentialOf, offered, problemOf } from "./answers.ts"
import { type ChargeProof, proofOf } from "./charge.ts"
import type { MppProblem } from "./MppProblem.ts"
import { formatReceipt, receiptOf } from "./MppReceipt.ts"
import {
  actionOf,
  checkSession,
  depositOf,
  type SessionAction,
  sessionChallenge,
} from "./session.ts"

/** The session that an endpoint requires. */
export interface SessionTerms {
  /** The address of payport and a seller's key. */
  readonly payport: { readonly baseUrl: string; readonly apiKey: string }
  /** The id of the seller's active service. */
  readonly service: string
  /** The price of a request, in minor units of the deposit's currency. */
  readonly price: number
  /** The amount that is paid at once and drawn from. The rest is refunded. */
  readonly deposit: Money
  /** The protection space of the "Payment" scheme. A deposit is valid in all of it. */
  readonly realm: string
  /**
   * The seconds after the last draw until a session is closed and its rest refunded: at least a
   * minute, at most 30 days, and a day by default.
   */
  readonly idleSeconds?: number
  /** Receives the error behind each 503. */
  readonly report?: (error: unknown) => void
}

const REFUSED: ReadonlySet<string> = new Set([
  "PAYMENT_REQUIRED",
  "PAYMENT_PROOF_INVALID",
  "PAYMENT_PROOF_USED",
])

/** The default and the longest idle time of a session, in seconds. */
const USUAL_IDLE = 86_400
const LONGEST_IDLE = 2_592_000

const told = (reference: string, at: string, { challenge }: MppCredential, more: object) => ({
  "Cache-Control": "private",
  "Payment-Receipt": formatReceipt({ ...receiptOf(reference, at, challenge.id), ...more }),
})

/** The facts that a deposit is bound to, besides its amount. */
interface Bound {
  readonly service_id: string
  readonly resource: string
}

/** The proof of a deposit, with the amount that its challenge required. */
interface SessionProof extends ChargeProof {
  readonly amount: Money
}

/** Draws today's price of a request, or closes the session. Rejects with the service's refusal. */
const makeAct =
  ({ price }: SessionTerms, challenges: Client["challenges"], bound: Bound) =>
  async (sent: MppCredential, proof: SessionProof, asked: SessionAction): Promise<Verdict> => {
    const { amount, id, token } = proof
    const shown = { ...bound, amount, token }
    const at = new Date().toISOString()
    if (asked.action === "close") {
      const { refund } = await challenges.close(id, shown)
      const body = { status: "closed", refund }
      return { paid: false, status: 200, headers: told(id, at, sent, { refund }), body }
    }
    const { spent } = asked
    const { closes_at, drawn, left } = await challenges.draw(id, { ...shown, price, spent })
    const more = { drawn: String(drawn.value), left: String(left.value), closesAt: closes_at }
    return {
      paid: true,
      payment_intent: id,
      valid_until: null,
      repeated: false,
      capture_before: null,
      headers: told(id, at, sent, more),
    }
  }

/**
 * Requires a session before a request passes (MPP, intent `session`). The payer pays a deposit
 * once, and each request draws today's price once, in the order of the spent amounts. A credential
 * with the action `close` ends the session, and the rest is refunded, also after prices and deposit
 * have changed. A 402 opens the payment of a deposit.
 */
export const requireSession = (terms: SessionTerms): Paywall => {
  const { deposit, idleSeconds = USUAL_IDLE, price, realm, service } = terms
  if (!Number.isSafeInteger(price) || price < 1 || price > deposit.value) {
    throw new TypeError(
      "The price of a request must be a whole number of minor units of the deposit's currency.",
    )
  }
  if (!Number.isSafeInteger(idleSeconds) || idleSeconds < 60 || idleSeconds > LONGEST_IDLE) {
    throw new TypeError(`The idle time of a session must be 60 to ${LONGEST_IDLE} whole seconds.`)
  }
  const { challenges } = makeClient(terms.payport)
  const limiter = new ChallengeLimiter({ perClient: 30, inAll: 600 })
  const scopeOf = makeScopeOf({ realm })
  const bound = { service_id: service, resource: `session ${realm}` }

  const ask = async (request: PaidRequest, problem?: MppProblem, why?: PayportError) => {
    const wait = limiter.take(request.client, Date.now())
    if (wait !== undefined) {
      const message = "Too many deposits were requested and not paid. Try again later."
      return refuse("RATE_LIMIT_EXCEEDED", message, { retryAfter: wait })
    }
    const opened = await challenges.create({
      ...bound,
      amount: deposit,
      idle_seconds: idleSeconds,
    })
    const prices = { deposit, idleSeconds, price }
    const offer = sessionChallenge(opened, prices, scopeOf(request))
    const verdict = offered(demand(opened, undefined, why), request, offer, problem)
    const { drawn } = isFields(why?.details) ? why.details : {}
    return verdict.paid || typeof drawn !== "number"
      ? verdict
      : { ...verdict, body: { ...verdict.body, drawn } }
  }

  const act = makeAct(terms, challenges, bound)

  const show = async (request: PaidRequest, sent: MppCredential) => {
    const problem = checkSession(sent, terms, scopeOf(request))
    if (problem?.status === 400) {
      return refuse("INVALID_REQUEST", problem.detail, { status: 400 })
    }
    const [proof, asked, amount] = [proofOf(sent), actionOf(sent), depositOf(sent.challenge)]
    if (problem !== undefined || !proof || !asked || !amount) return ask(request, problem)
    try {
      return await act(sent, { ...proof, amount }, asked)
    } catch (error) {
      if (!(error instanceof PayportError)) throw error
      if (error.code === "PAYMENT_UNRESOLVED") {
        return refuse(error.code, error.message, { retryAfter: error.retry_after ?? 2 })
      }
      if (!REFUSED.has(error.code)) throw error
      return ask(request, problemOf(error, sent), error)
    }
  }

  const check = async (request: PaidRequest): Promise<Verdict> => {
    try {
      const sent = credentialOf(request)
      if (sent === undefined) return await ask(request)
      if (!("type" in sent)) return await show(request, sent)
      return sent.status === 400
        ? refuse("INVALID_REQUEST", sent.detail, { status: 400 })
        : await ask(request, sent)
    } catch (error) {
      return failed(error, terms.report)
    }
  }

  return Object.assign(onKoa(check), { check, node: onNode(check), fetch: onFetch(check) })
}
