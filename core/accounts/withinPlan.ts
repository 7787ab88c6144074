import { Effect } from "effect"
import { catchConflict } from "../commits/catchConflict.ts"
import { type Held, type Holder, isFull, tooMany } from "./Holding.ts"

/**
 * Refuses with `PLAN_LIMIT_EXCEEDED` a commit that holds room which the account's plan does
 * not have. However many processes commit at once, none passes the limit.
 */
export const withinPlan = (account: Holder, held: Held) =>
  catchConflict(isFull(account.id, held), () => Effect.fail(tooMany(account, held)))
