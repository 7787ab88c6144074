import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { getIntent } from "../payments/getIntent.ts"
import { canonicalJson } from "../shared/Text.ts"
import { getSubscription } from "../subscriptions/listInvoices.ts"
import { subscribe } from "../subscriptions/subscribe.ts"
import { answerPurchaseFor, asItIsNow } from "./answerPurchase.ts"
import { decodePaySubscribe } from "./SubscribeTool.ts"
import { payerOf } from "./ToolCall.ts"

/** Reads the subscription and the payment of its first period, whose ids are in `first`. */
const subscribedNow = Effect.fnUntraced(function* (caller: Caller, first: object) {
  const { id, payment } = first as { readonly [field: string]: unknown }
  const paid: unknown =
    typeof payment === "object" && payment !== null ? Reflect.get(payment, "id") : ""
  return {
    ...(yield* getSubscription(caller, String(id))),
    payment: yield* getIntent(caller, String(paid)),
  }
})

/**
 * Subscribes to a plan of a service (MCP tool mapping), under the caller's key. The same call again
 * returns the current state of the subscription and its payment.
 *
 * Fails as `subscribe` does.
 */
export const paySubscribe = Effect.fn("paySubscribe")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
) {
  const input = yield* Effect.fromResult(decodePaySubscribe(given))
  const { amount, currency, idempotency_key, interval, plan_id } = input
  const terms = {
    plan_id,
    ...(interval !== undefined && { interval }),
    amount: {
      ...(amount !== undefined && { value: amount }),
      ...(currency !== undefined && { currency }),
    },
    ...payerOf(input),
  }
  const agent_id = terms.payer?.agent_id ?? caller.account.agent_id
  const bought = { service_id: service.id, plan_id, agent_id }
  const asked = {
    purchase: `tools/call pay_subscribe ${canonicalJson(bought)}`,
    request: `tools/call pay_subscribe ${canonicalJson({ service_id: service.id, ...terms })}`,
    idempotency_key,
    person: terms.payer?.human_id,
  }
  const { answer } = yield* answerPurchaseFor(caller, asked, subscribe(caller, service.id, terms))
  return yield* asItIsNow(answer, (first) => subscribedNow(caller, first))
})
