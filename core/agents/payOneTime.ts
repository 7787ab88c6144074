import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { createOneTime } from "../payments/createOneTime.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { canonicalJson } from "../shared/canonicalJson.ts"
import { answerPurchase } from "./answerPurchase.ts"
import { decodePayOneTime, oneTimeOf, purchaseOf } from "./OneTimeTool.ts"

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
  }
  return yield* answerPurchase(caller, asked, createOneTime(caller, terms))
})
