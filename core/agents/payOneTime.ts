import { Effect, Schedule } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { answerOnce } from "../idempotency/answerOnce.ts"
import { createOneTime } from "../payments/createOneTime.ts"
import type { IntentView } from "../payments/IntentView.ts"
import { Vault } from "../ports/Vault.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { canonicalJson } from "../shared/canonicalJson.ts"
import { Failure } from "../shared/Failure.ts"
import { SECOND } from "../shared/Timestamp.ts"
import { decodePayOneTime, oneTimeOf, purchaseOf } from "./OneTimeTool.ts"
import type { ToolAnswer } from "./ToolCall.ts"

/** For how long the same purchase of a caller is one, in milliseconds since its first call. */
export const PURCHASE_WINDOW = 60 * SECOND

const isRunning = (error: unknown): boolean =>
  error instanceof Failure && error.code === "IDEMPOTENCY_KEY_IN_PROGRESS"

/** Calls that come together wait for the first one's answer, for up to five seconds. */
const patiently = Effect.retry({
  while: isRunning,
  schedule: Schedule.spaced("50 millis"),
  times: 100,
})

/**
 * Pays a service once, as a tool is called (MCP tool mapping): a One-Time payment under the
 * caller's key. With an `idempotency_key` it is that key's, over HTTP too. Without one the purchase
 * itself is the key, for a minute: whoever asks again meanwhile, in whatever words and from however
 * many processes at once, is given the same payment. A refused call leaves its key free.
 *
 * Fails as One-Time Pay does.
 */
export const payOneTime = Effect.fn("payOneTime")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
) {
  const input = yield* Effect.fromResult(decodePayOneTime(given))
  const terms = yield* Effect.fromResult(oneTimeOf(input, service, caller.account))
  const { idempotency_key } = input
  const purchase = `tools/call pay_one_time ${purchaseOf(terms)}`
  // No header can hold the blank: such a key is nobody else's.
  const key = idempotency_key ?? `purchase ${(yield* Vault).sha256(purchase)}`
  const answered = answerOnce(
    {
      account_id: caller.account.id,
      key,
      request:
        idempotency_key === undefined
          ? purchase
          : `tools/call pay_one_time ${canonicalJson(terms)}`,
      render: (view) => JSON.stringify(view),
      renderFailure: () => undefined,
      // A payment that is charged at once outlives a crash, and has to be found by the retry.
      optimistic: false,
      ...(idempotency_key === undefined && { kept_for: PURCHASE_WINDOW }),
    },
    createOneTime(caller, terms),
  )
  const { replayed, text } = yield* idempotency_key === undefined ? patiently(answered) : answered
  return { view: JSON.parse(text) as IntentView, replayed } satisfies ToolAnswer
})
