import { Effect, Result } from "effect"
import type { Caller } from "../../../core/accounts/Account.ts"
import type { ToolProof } from "../../../core/agents/Demand.ts"
import type { SettlementView } from "../../../core/challenges/ChallengeView.ts"
import { finishHeld, holdProof, settleProof } from "../../../core/challenges/redeemProof.ts"
import { verifyProof } from "../../../core/challenges/verifyProof.ts"
import { answeringWith, answerProvisionally } from "../../../core/idempotency/requestKey.ts"
import { CurrentRequest } from "../../../core/idempotency/Reply.ts"
import { requireScope } from "../../../core/keys/requireScope.ts"
import { noteListing } from "../../../core/listings/noteListing.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"
import * as Answers from "../../shared/x402/Answers.ts"
import { ourNetwork } from "../../shared/x402/network.ts"
import { readPayment, readSettlement } from "../../shared/x402/ProvenPayment.ts"
import { declarationIn } from "../../shared/x402/Required.ts"
import { type FacilitatorRequest, SCHEME } from "../../shared/x402/Wire.ts"

/** Lists the sold resource, if its seller has declared that it may be listed (x402, `bazaar`). */
const listSold = (
  caller: Caller,
  { paymentPayload }: FacilitatorRequest,
  { amount, resource: url, service_id }: Pick<ToolProof, "amount" | "resource" | "service_id">,
) => {
  const declared = declarationIn(paymentPayload["extensions"])
  return declared === undefined
    ? Effect.void
    : noteListing(caller, { amount, service_id, url, ...declared })
}

/** Checks whether a payload would be settled (x402, 7.1). Changes no payment. */
export const verifyPayment = Effect.fnUntraced(function* (
  caller: Caller,
  request: FacilitatorRequest,
) {
  const read = readPayment(yield* ourNetwork, request)
  if (Result.isFailure(read)) return Answers.invalid(read.failure)
  const { id, ...proof } = read.success
  yield* requireScope(caller, "pay", proof)
  const inPart = request.paymentRequirements.scheme !== SCHEME
  return yield* verifyProof(caller, id, { ...proof, inPart }).pipe(
    Effect.tap(() => listSold(caller, request, proof)),
    Effect.map(Answers.valid),
    catchFailure(Answers.REFUSED, (failure) =>
      Effect.succeed(Answers.invalid(Answers.flawOf(failure))),
    ),
  )
})

const OPERATIONS = { settle: settleProof, hold: holdProof, finish: finishHeld } as const

/**
 * Settles a payload by its scheme (x402, 7.2). Without an `Idempotency-Key` a repetition gets the
 * same answer. With one, a caller with another key is told that it is settled already. So is a
 * repetition without a key if the seller serves its request after this (`upfront`, `escrow`).
 */
export const settlePayment = Effect.fnUntraced(function* (
  caller: Caller,
  request: FacilitatorRequest,
) {
  const network = yield* ourNetwork
  const read = readSettlement(network, request)
  if (Result.isFailure(read)) return Answers.unsettled(network, read.failure)
  const { id, opens, operation, takes, ...proof } = read.success
  yield* requireScope(caller, "pay", proof)
  const show = (view: SettlementView) => Answers.settled(network, view)
  // The key distinguishes a repetition from another caller with the same payload.
  const repeated = !opens && (yield* CurrentRequest) === null
  return yield* answeringWith(
    (view) => show(view as SettlementView),
    OPERATIONS[operation](caller, id, { ...proof, repeated, takes }),
  ).pipe(
    Effect.tap(() => listSold(caller, request, proof)),
    Effect.map(show),
    catchFailure(Answers.REFUSED_MONEY, (failure) =>
      Effect.as(answerProvisionally, Answers.unsettled(network, Answers.flawOf(failure), id)),
    ),
  )
})
