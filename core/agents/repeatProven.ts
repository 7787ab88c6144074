import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { sellerOf } from "../challenges/findOffer.ts"
import { findProven } from "../challenges/provenPayment.ts"
import { requireScope } from "../keys/requireScope.ts"
import { findVisible } from "../payments/access.ts"
import { getIntent } from "../payments/getIntent.ts"
import { Store } from "../ports/Store.ts"
import { equals } from "../shared/Money.ts"
import { type ProvenAnswer, resourceOf, settlementOf, type ToolProof } from "./Demand.ts"
import type { PayOneTimeInput } from "./OneTimeTool.ts"

/** A call of a tool for one service, with those arguments that say what it buys. */
export interface ProvableCall {
  readonly tool: string
  readonly service_id: string
  readonly said: Pick<PayOneTimeInput, "agent_id" | "amount" | "currency">
}

/** A payment and the token that proves it, as a call shows them. */
export type ShownToken = Pick<ToolProof, "id" | "token">

const repeat = Effect.fnUntraced(function* (
  caller: Caller,
  { said, service_id, tool }: ProvableCall,
  { id, token }: ShownToken,
) {
  const { account_id, amount, payer } = yield* findVisible(caller, id)
  const { agent_id = caller.account.agent_id, currency, amount: value } = said
  if (account_id !== caller.account.id || payer.agent_id !== agent_id) return undefined
  if (!equals(amount, { currency: currency ?? amount.currency, value: value ?? amount.value })) {
    return undefined
  }
  yield* requireScope(caller, "pay", { payment_intent: id, service_id })
  const service = yield* (yield* Store).find("service", service_id)
  const seller = service && (yield* sellerOf(service))
  if (seller === undefined) return undefined
  const shown = { token, amount, service_id, resource: resourceOf(tool) }
  if ((yield* findProven(seller, id, shown)).redeemed_at === null) return undefined
  const view = yield* getIntent(caller, id)
  const answer = { view: view as object, replayed: true }
  return { answer, settlement: settlementOf(view, id) } satisfies ProvenAnswer
})

/**
 * Answers a call whose proof the same tool has used before, with the payment as it is now. It holds
 * also if the service has another price since, or accepts no payments. Returns undefined for every
 * other proof.
 */
export const repeatProven = Effect.fn("repeatProven")(
  (caller: Caller, call: ProvableCall, shown: ShownToken) =>
    repeat(caller, call, shown).pipe(Effect.catchTag("Failure", () => Effect.succeed(undefined))),
)
