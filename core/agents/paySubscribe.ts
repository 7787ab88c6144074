import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { canonicalJson } from "../shared/Text.ts"
import { subscribe } from "../subscriptions/subscribe.ts"
import { answerPurchaseFor } from "./answerPurchase.ts"
import { decodePaySubscribe } from "./SubscribeTool.ts"
import { payerOf } from "./ToolCall.ts"

/**
 * Subscribes to a plan of a service, as a tool is called (MCP tool mapping), under the caller's
 * key.
 *
 * Fails as `subscribe` does.
 */
export const paySubscribe = Effect.fn("paySubscribe")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
) {
  const input = yield* Effect.fromResult(decodePaySubscribe(given))
  const { idempotency_key, interval, plan_id } = input
  const terms = { plan_id, ...(interval !== undefined && { interval }), ...payerOf(input) }
  const agent_id = terms.payer?.agent_id ?? caller.account.agent_id
  const bought = { service_id: service.id, plan_id, agent_id }
  const asked = {
    purchase: `tools/call pay_subscribe ${canonicalJson(bought)}`,
    request: `tools/call pay_subscribe ${canonicalJson({ service_id: service.id, ...terms })}`,
    idempotency_key,
    person: terms.payer?.human_id,
  }
  const { answer } = yield* answerPurchaseFor(caller, asked, subscribe(caller, service.id, terms))
  return answer
})
