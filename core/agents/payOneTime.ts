import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { createOneTime } from "../payments/createOneTime.ts"
import { getIntent } from "../payments/getIntent.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { canonicalJson } from "../shared/canonicalJson.ts"
import { answerPurchase, answerPurchaseFor } from "./answerPurchase.ts"
import { decodePayOneTime, oneTimeOf, purchaseOf } from "./OneTimeTool.ts"

/** Whether a payment that was made before can still be paid, and not by the channel asked for. */
const isDueElsewhere = Effect.fnUntraced(function* (caller: Caller, paid: object, asked: string) {
  const { channel, status } = yield* getIntent(caller, String(Reflect.get(paid, "id")))
  return status === "pending" && channel !== null && channel !== asked
})

/**
 * Pays a service once, as a tool is called (MCP tool mapping): a One-Time payment under the
 * caller's key.
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
  const asked = {
    purchase: `tools/call pay_one_time ${purchaseOf(terms)}`,
    request: `tools/call pay_one_time ${canonicalJson(terms)}`,
    idempotency_key: input.idempotency_key,
    person: terms.payer.human_id,
  }
  const verb = createOneTime(caller, terms)
  const { answer, purchase } = yield* answerPurchaseFor(caller, asked, verb)
  const { channel } = terms
  const isNew = !answer.replayed || input.idempotency_key !== undefined
  if (isNew || channel === undefined || channel === "auto") return answer
  if (!(yield* isDueElsewhere(caller, answer.view, channel))) return answer
  return yield* answerPurchase(caller, { ...asked, purchase: `${purchase} by ${channel}` }, verb)
})
