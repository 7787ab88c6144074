import { Effect, Result } from "effect"
import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { type Known, type MeaningOf, NO_MEANING, settleRequest } from "../gateway/settleRequest.ts"
import type { Ids } from "../ports/Ids.ts"
import type { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { stepTime } from "./Lifecycle.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import * as RequestPayment from "./RequestPayment.ts"
import { writeIntent } from "./writeIntent.ts"

/** Returns the intent after the outcome of its capture; undefined if it does not change. */
const captured = (
  intent: PaymentIntent | undefined,
  request: ChannelRequest,
  outcome: ChannelOutcome,
  now: Timestamp,
): PaymentIntent | undefined => {
  if (intent?.flow !== "request_payment" || intent.status !== "capturing") return undefined
  if (intent.capture_request !== request.id) return undefined
  const moved = RequestPayment.machine.step(
    intent,
    outcome.type === "done"
      ? { type: "captured", at: stepTime(intent, now) }
      : outcome.type === "refused"
        ? { type: "capture_refused" }
        : { type: "capture_unknown" },
  )
  return Result.isSuccess(moved) ? moved.success.record : undefined
}

const meaning: MeaningOf<never, Ids | Vault> = (request, intent, outcome, now) => {
  const payment = captured(intent, request, outcome, now)
  return intent === undefined || payment === undefined
    ? Effect.succeed(NO_MEANING)
    : Effect.map(writeIntent(intent, payment, now), (part) => ({ part, payment }))
}

/** Records the outcome of a capture. A payment whose capture was refused is authorized again. */
export const settleCapture = (id: string, outcome: ChannelOutcome, known?: Known) =>
  settleRequest(id, outcome, meaning, { known })
