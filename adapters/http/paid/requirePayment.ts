import { PayportError } from "../client/PayportError.ts"
import type { Money, PaymentChallenge } from "../client/Resources.ts"
import { ChallengeLimiter, type ChallengeRates } from "./ChallengeLimiter.ts"
import { type ChallengeClient, challengeClient } from "./ChallengeClient.ts"
import { credentialOf, offered, problemOf, receipted } from "../mpp/answers.ts"
import { chargeChallenge, checkCharge, proofOf } from "../mpp/charge.ts"
import type { MppCredential } from "../client/MppCredential.ts"
import type { MppProblem } from "../mpp/MppProblem.ts"
import { onFetch } from "./doors/fetch.ts"
import { type KoaContext, onKoa } from "./doors/koa.ts"
import { onNode } from "./doors/node.ts"
import { makeAddressOf, makeScopeOf, makeTermsOf, type TermsOf } from "./terms/bound.ts"
import { demandUse, heldAccepts, heldSchemes, holding, reasonOf, receipt } from "./terms/held.ts"
import type { PaidRequest } from "./PaidRequest.ts"
import { type Proof, readProof } from "./Proof.ts"
import { demand, demandAgain, letThrough, refuse, type Verdict } from "./Verdict.ts"
import { acceptOf, paymentRequired, requiredText, type X402Terms } from "./x402.ts"

/** The payment that an endpoint requires. */
export interface PaymentTerms {
  /** The address of payport and a seller's key, or another `ChallengeClient`. */
  readonly payport: { readonly baseUrl: string; readonly apiKey: string } | ChallengeClient
  /** The id of the seller's active service. */
  readonly service: string
  /** In minor units. */
  readonly amount: Money | ((request: PaidRequest) => Money)
  readonly description?: string
  /** The payment's channel; by default the service's, or the first that is available. */
  readonly channel?: string
  /** Whether a payment is for one request, or for all within that many seconds of its first use. */
  readonly use?: "single_use" | { readonly seconds: number }
  /**
   * Whether the money is captured before a request passes, or only held, and the seller captures or
   * voids it later. Then MPP's intent is `authorize`, and x402's scheme is `auth-capture`. With
   * `used`, the amount is the maximum, and after serving the handler states the captured amount by
   * `payment.charge(used)`. Only clients of x402 are offered that (`upto`, `auth-capture`).
   */
  readonly capture?: "at_once" | "later" | "used"
  /** The resource that a payment is for; by default method and path. */
  readonly resource?: (request: PaidRequest) => string
  /** The protection space of the "Payment" scheme; by default the requested host. */
  readonly realm?: string
  /** Further offers to clients of x402. */
  readonly x402?: X402Terms
  /** The most challenges per minute; by default 30 per client and 600 in total. */
  readonly rates?: Partial<ChallengeRates>
  /** A limiter that several paywalls share, instead of `rates`. */
  readonly limiter?: ChallengeLimiter
  /** Receives the error behind each 503, and a `CaptureFailed` for each failed capture. */
  readonly report?: (error: unknown) => void
}

/** Passes paid requests on, in any kind of app. The function itself is Koa middleware. */
export interface Paywall {
  (context: KoaContext, next: () => Promise<unknown>): Promise<void>
  /** Middleware for Express and others with Node's requests. */
  readonly node: ReturnType<typeof onNode>
  /** Answers a request of the fetch API by a handler, which is called once the request is paid. */
  readonly fetch: ReturnType<typeof onFetch>
  /** Decides on a request. Never rejects: an unexpected error is a 503. */
  readonly check: (request: PaidRequest) => Promise<Verdict>
}

const USUAL: ChallengeRates = { perClient: 30, inAll: 600 }

const LONGEST_RESOURCE = 2048

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const isPayable = ({ details }: PayportError): boolean =>
  typeof details === "object" && details !== null && "qr_uri" in details

/** How many seconds a client waits for a seller that has reached its limits. */
const LIMITED = 600

/** Returns the answer while payments cannot be checked. `report` gets the cause. */
export const failed = (error: unknown, report: PaymentTerms["report"]): Verdict => {
  report?.(error)
  if (error instanceof PayportError && error.code === "INSUFFICIENT_KYC") {
    const message =
      "The seller cannot take this payment now: its account's limits have no room for it. Repeat " +
      "the request later with the same headers."
    return refuse("TEMPORARILY_UNAVAILABLE", message, { retryAfter: LIMITED })
  }
  const wait = error instanceof PayportError ? error.retry_after : undefined
  const message = "Payments cannot be checked now. Repeat the request with the same headers."
  return refuse("TEMPORARILY_UNAVAILABLE", message, { retryAfter: wait ?? 1 })
}

const isChallengeClient = (payport: PaymentTerms["payport"]): payport is ChallengeClient =>
  "redeem" in payport

/**
 * Opens a challenge within the limits. `why` is the refusal of the sent proof, and `problem` the
 * error of a credential.
 */
const makeOpen = (terms: PaymentTerms, challenges: ChallengeClient, termsOf: TermsOf) => {
  const limiter = terms.limiter ?? new ChallengeLimiter({ ...USUAL, ...terms.rates })
  const { channel, description, use = "single_use" } = terms
  const scopeOf = makeScopeOf(terms)
  const addressOf = makeAddressOf(terms)
  const heldRequired = (request: PaidRequest, challenge: PaymentChallenge, why?: PayportError) => {
    const accepts = heldAccepts(terms, addressOf(request), challenge.network)
    const { expires_at: until } = challenge.payment_intent
    const own = acceptOf(challenge)
    const said = { url: request.url, until, error: reasonOf(why), own }
    return accepts.length === 0 ? undefined : requiredText(accepts, said, terms.x402)
  }
  return async (request: PaidRequest, why?: PayportError, problem?: MppProblem) => {
    const bound = termsOf(request)
    if (bound.resource.length > LONGEST_RESOURCE) {
      const message = "The URL is too long for a paid resource."
      return refuse("INVALID_REQUEST", message, { status: 414 })
    }
    const wait = limiter.take(request.client, Date.now())
    if (wait !== undefined) {
      const message = "Too many payments were requested and not made. Try again later."
      return refuse("RATE_LIMIT_EXCEEDED", message, { retryAfter: wait })
    }
    const challenge = await challenges.open({
      ...bound,
      ...(description !== undefined && { description }),
      ...(channel !== undefined && { channel }),
      ...(use !== "single_use" && { valid_seconds: use.seconds }),
    })
    const required =
      terms.capture === "later"
        ? await heldRequired(request, challenge, why)
        : await paymentRequired(challenge, request.url, terms.x402)
    const verdict = demand(challenge, required, why)
    const mpp = chargeChallenge(challenge, scopeOf(request), description)
    return offered(verdict, request, mpp, problem)
  }
}

const CAPTURES = { at_once: "at_once", later: "later", used: "in_part" } as const

/** Redeems a proof, and lets its request pass. Rejects with the service's refusal. */
const makeRedeem =
  (terms: PaymentTerms, challenges: ChallengeClient, termsOf: TermsOf) =>
  async (request: PaidRequest, proof: Proof, mpp?: MppCredential): Promise<Verdict> => {
    const { id, identifier, network, token } = proof
    const { capture = "at_once" } = terms
    const isHeld = capture !== "at_once" && network !== undefined
    const bound = isHeld ? makeAddressOf(terms)(request) : termsOf(request)
    const redeemed = await challenges.redeem(id, {
      ...bound,
      token,
      ...(identifier !== undefined && { payment_identifier: identifier }),
      ...(capture !== "at_once" && { capture: CAPTURES[capture] }),
    })
    const told = network && (await receipt(terms, redeemed, { network, request }))
    if (capture === "used" && network !== undefined && challenges.settle !== undefined) {
      const of = { network, request }
      return letThrough(redeemed, told, holding(terms, challenges.settle, bound, redeemed, of))
    }
    const passed = letThrough(redeemed, told)
    return mpp === undefined ? passed : receipted(passed, mpp, redeemed.redeemed_at)
  }

/** Requires the payment of an earlier challenge again, if it can still be made. */
const dueAgain = ({ id, token }: Proof, amount: Money, error: PayportError): Verdict => {
  const due = error.details as { readonly [field: string]: unknown }
  const [channel, qr_uri, expires_at] = [due["channel"], due["qr_uri"], due["expires_at"]].map(text)
  return demandAgain(
    {
      id,
      amount,
      channel: channel ?? "",
      qr_uri: qr_uri ?? "",
      expires_at: expires_at ?? "",
      token,
    },
    error,
  )
}

/** Returns the proof of a request by any protocol but MPP. */
const proofIn = (request: PaidRequest, terms: PaymentTerms) => {
  const { capture = "at_once", x402 } = terms
  if (capture === "at_once") return readProof(request, x402)
  const proof = readProof(request, x402, heldSchemes(terms))
  return capture === "used" && proof !== undefined && "id" in proof && !("network" in proof)
    ? { flaw: "This resource charges by use, which needs x402: send PAYMENT-SIGNATURE." }
    : proof
}

/** Requires a payment of the most that can be used. It opens nothing, so it needs no limiter. */
const makeAskUse = (terms: PaymentTerms, { network, settle }: ChallengeClient) => {
  if (network === undefined || settle === undefined) {
    throw new TypeError(
      "To charge by use (capture: used), the payport client needs settle and network.",
    )
  }
  const addressOf = makeAddressOf(terms)
  return async (request: PaidRequest, why?: PayportError) => {
    const bound = addressOf(request)
    return URL.canParse(bound.resource)
      ? demandUse(terms, bound, await network(), request.url, why)
      : refuse(
          "INVALID_REQUEST",
          "Request the resource by its absolute URL, which the payment is for.",
        )
  }
}

/**
 * Requires a payment before a request passes (HTTP 402 mode). A request without a proof gets a 402
 * with a payment and a token. Sent again with both, it passes once the payment is made, and
 * captures it. The proof is in `X-Payment-Intent` and `X-Payment-Token`, in x402's
 * `PAYMENT-SIGNATURE`, or in a credential of the "Payment" scheme. A payment is for its service,
 * amount and resource, and for one request unless `use` gives a time. While the outcome of a
 * payment is unknown, the answer is 409 with `Retry-After` and requires no other payment.
 */
export const requirePayment = (terms: PaymentTerms): Paywall => {
  const challenges = isChallengeClient(terms.payport)
    ? terms.payport
    : challengeClient(terms.payport)
  const termsOf = makeTermsOf(terms)
  const scopeOf = makeScopeOf(terms)
  const ask =
    terms.capture === "used" ? makeAskUse(terms, challenges) : makeOpen(terms, challenges, termsOf)
  const redeem = makeRedeem(terms, challenges, termsOf)

  const refused = (
    request: PaidRequest,
    proof: Proof,
    error: PayportError,
    mpp?: MppCredential,
  ) => {
    const { code, message, retry_after } = error
    const problem = mpp && problemOf(error, mpp)
    switch (code) {
      case "PAYMENT_REQUIRED": {
        if (terms.capture === "used" || !isPayable(error)) return ask(request, error, problem)
        const again = dueAgain(proof, termsOf(request).amount, error)
        return mpp === undefined ? again : offered(again, request, mpp.challenge, problem)
      }
      case "PAYMENT_PROOF_USED":
        return ask(request, error, problem)
      case "PAYMENT_IDENTIFIER_USED":
        return refuse(code, message)
      case "PAYMENT_PROOF_INVALID":
        return problem === undefined ? refuse(code, message) : ask(request, error, problem)
      case "PAYMENT_UNRESOLVED":
        return refuse(code, message, { retryAfter: retry_after ?? 2 })
      default:
        return failed(error, terms.report)
    }
  }

  const show = async (request: PaidRequest, proof: Proof, mpp?: MppCredential) => {
    try {
      return await redeem(request, proof, mpp)
    } catch (error) {
      if (error instanceof PayportError) return refused(request, proof, error, mpp)
      throw error
    }
  }

  /** Handles a request without payport's own proof or one of x402. It may have a credential. */
  const showOrAsk = (request: PaidRequest): Promise<Verdict> | Verdict => {
    const sent = terms.capture === "used" ? undefined : credentialOf(request)
    if (sent === undefined) return ask(request)
    const problem =
      "type" in sent ? sent : checkCharge(sent, scopeOf(request), termsOf(request).amount)
    if (problem?.status === 400) {
      return refuse("INVALID_REQUEST", problem.detail, { status: 400 })
    }
    const proof = "type" in sent ? undefined : proofOf(sent)
    return problem !== undefined || proof === undefined || "type" in sent
      ? ask(request, undefined, problem)
      : show(request, proof, sent)
  }

  const check = async (request: PaidRequest): Promise<Verdict> => {
    const proof = proofIn(request, terms)
    if (proof !== undefined && "flaw" in proof) {
      return refuse("INVALID_REQUEST", proof.flaw, { status: 400 })
    }
    try {
      return await (proof === undefined ? showOrAsk(request) : show(request, proof))
    } catch (error) {
      return failed(error, terms.report)
    }
  }

  return Object.assign(onKoa(check), { check, node: onNode(check), fetch: onFetch(check) })
}
