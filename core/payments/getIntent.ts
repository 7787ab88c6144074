import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "./access.ts"
import { view } from "./IntentView.ts"

/** Returns one payment to an account that takes part in it (Request Payment, GET). */
export const getIntent = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const intent = yield* findVisible(caller, id)
  return view(intent, yield* Clock.currentTimeMillis, caller.account.id)
})
