import { Clock, Effect } from "effect"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { PLAN_NAME, type Subscription } from "../invoices/Subscription.ts"
import { type Conflict, Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { renewSubscription } from "./renewSubscription.ts"

const alreadySubscribed = ({ id, payer, plan_id, status }: Subscription) =>
  new Failure({
    code: "ALREADY_SUBSCRIBED",
    message:
      `The agent ${JSON.stringify(payer.agent_id)} already has a subscription to this plan, ` +
      `${id}. It can subscribe again when that one has ended.`,
    field: "plan_id",
    details: { subscription: id, status, plan_id, agent_id: payer.agent_id },
  })

/** Ends a subscription whose last period is over; refuses with `ALREADY_SUBSCRIBED` otherwise. */
const resolveTaken = Effect.fnUntraced(function* (conflict: Conflict) {
  const { reason } = conflict
  if (reason.type !== "key_taken") return yield* conflict
  const store = yield* Store
  const holder = yield* store.find("subscription", reason.owner)
  if (holder === undefined || holder.status === "cancelled") return yield* conflict
  if ((yield* Clock.currentTimeMillis) < holder.current_period_end) {
    return yield* alreadySubscribed(holder)
  }
  yield* renewSubscription(holder)
  const now = (yield* store.find("subscription", holder.id)) ?? holder
  if (now.status === "cancelled") return yield* conflict
  return yield* alreadySubscribed(now)
})

/**
 * Refuses a second subscription of an agent to a plan, which needs the same unique name in the
 * store.
 */
export const refuseSecond = catchConflict(isKeyTaken(PLAN_NAME), resolveTaken)
