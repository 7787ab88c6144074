import { Effect } from "effect"
import { catchConflict } from "../commits/catchConflict.ts"
import { type Held, type Holder, isFull, tooMany } from "./Holding.ts"

/**
 * Turns the conflict of a commit over the plan's limit into `PLAN_LIMIT_EXCEEDED`. Concurrent
 * commits of any number of processes never pass the limit.
 */
export const withinPlan = (account: Holder, held: Held) =>
  catchConflict(isFull(account.id, held), () => Effect.fail(tooMany(account, held)))
