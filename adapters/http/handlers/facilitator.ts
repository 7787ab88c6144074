import { Effect, Result } from "effect"
import { payForResource } from "../../../core/challenges/openChallenge.ts"
import type { SettlementView } from "../../../core/challenges/ChallengeView.ts"
import { settleProof } from "../../../core/challenges/redeemProof.ts"
import { verifyProof } from "../../../core/challenges/verifyProof.ts"
import { answeringWith, answerProvisionally } from "../../../core/idempotency/answerOnce.ts"
import { CurrentRequest } from "../../../core/idempotency/Reply.ts"
import { requireScope } from "../../../core/keys/requireScope.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"
import type { facilitator } from "../contract/facilitator.ts"
import * as Answers from "../x402/Answers.ts"
import { readPayment } from "../x402/ProvenPayment.ts"
import type { CoreHandlers } from "./Core.ts"

const ourNetwork = Effect.map(Installation, ({ mode }) => `payport:${mode}`)

/** The facilitator of sellers' x402 servers. */
export const facilitatorHandlers = {
  supported: () => Effect.map(ourNetwork, Answers.supported),
  pay: ({ caller, payload }) => payForResource(caller, payload),
  verify: Effect.fnUntraced(function* ({ caller, payload }) {
    const read = readPayment(yield* ourNetwork, payload)
    if (Result.isFailure(read)) return Answers.invalid(read.failure)
    const { id, ...proof } = read.success
    yield* requireScope(caller, "pay", proof)
    return yield* verifyProof(caller, id, proof).pipe(
      Effect.map(Answers.valid),
      catchFailure(Answers.REFUSED, (failure) =>
        Effect.succeed(Answers.invalid(Answers.flawOf(failure))),
      ),
    )
  }),
  settle: Effect.fnUntraced(function* ({ caller, payload }) {
    const network = yield* ourNetwork
    const read = readPayment(network, payload)
    if (Result.isFailure(read)) return Answers.unsettled(network, read.failure)
    const { id, ...proof } = read.success
    yield* requireScope(caller, "pay", proof)
    const show = (view: SettlementView) => Answers.settled(network, view)
    // A key tells a repetition apart from somebody who shows the same payload.
    const repeated = (yield* CurrentRequest) === null
    return yield* answeringWith(
      (view) => show(view as SettlementView),
      settleProof(caller, id, { ...proof, repeated }),
    ).pipe(
      Effect.map(show),
      catchFailure(Answers.REFUSED_MONEY, (failure) =>
        Effect.as(answerProvisionally, Answers.unsettled(network, Answers.flawOf(failure), id)),
      ),
    )
  }),
} satisfies CoreHandlers<typeof facilitator>
