import { Effect } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import { findOffer } from "../../../core/challenges/findOffer.ts"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { type Failure, isFailure } from "../../../core/shared/Failure.ts"
import { PayportError } from "../client/PayportError.ts"
import { answerOf } from "../contract/Errors.ts"
import type { sandboxPaid } from "../contract/sandboxPaid.ts"
import type { HandlerError } from "../koa/Handlers.ts"
import { HandlerResponse } from "../koa/HandlerResponse.ts"
import { ChallengeLimiter } from "../paid/ChallengeLimiter.ts"
import type { ChallengeClient } from "../paid/ChallengeClient.ts"
import { requirePayment } from "../paid/requirePayment.ts"
import type { Core, CoreHandlers } from "./Core.ts"

/** A tester sends more requests than a customer. */
const RATES = { perClient: 300, inAll: 1_200 }

/** Returns the error that a seller's client would get for this failure. */
const fromFailure = ({ code, details, field, message, subject }: Failure): PayportError =>
  new PayportError({
    ...answerOf(code, subject),
    code,
    message,
    ...(field !== undefined && { field }),
    ...(details !== undefined && { details }),
  })

/** A client for the seller's challenges inside the service. Refusals look like those outside. */
const challengeClient = Effect.fnUntraced(function* (seller: Caller) {
  const run = Effect.runPromiseWith(yield* Effect.context<Core>())
  const asPromise = <A>(verb: Effect.Effect<A, HandlerError, Core>): Promise<A> =>
    run(Effect.mapError(verb, (error) => (isFailure(error) ? fromFailure(error) : error)))
  const challenges: ChallengeClient = {
    open: (input) => asPromise(openChallenge(seller, input)),
    redeem: (id, input) => asPromise(redeemProof(seller, id, input)),
  }
  return challenges
})

/** The paid endpoint: the sellers' own middleware before a short answer. */
export const sandboxPaidHandlers = () => {
  const limiter = new ChallengeLimiter(RATES)
  return {
    get: Effect.fnUntraced(function* ({ address, headers, params: { service_id } }) {
      const { amount, seller } = yield* findOffer(service_id)
      const payport = yield* challengeClient(seller)
      const paywall = requirePayment({
        payport,
        service: service_id,
        amount,
        limiter,
        // The same for every process, whatever its name.
        realm: "payport",
        x402: { identifiers: "optional" },
      })
      const { base_url } = yield* Installation
      const url = `${base_url}/v1/sandbox/paid/${service_id}`
      const request = { method: "GET", url, headers, client: address }
      const verdict = yield* Effect.promise(() => paywall.check(request))
      // Caches may not keep the service's own answers anyway.
      const { "Cache-Control": _caches, "Content-Type": type, ...own } = verdict.headers
      if (!verdict.paid) return new HandlerResponse(verdict.body, verdict.status, own, type)
      const { payment_intent, valid_until } = verdict
      const view = { paid: true, service_id, payment_intent, valid_until } as const
      return new HandlerResponse(view, 200, own)
    }),
  } satisfies CoreHandlers<typeof sandboxPaid>
}
