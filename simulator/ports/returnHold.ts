import { Context } from "effect"
import { CurrentReturnHold } from "../../core/dispatch/holdReturn.ts"
import type { ReturnHold } from "../../core/gateway/ReturnHold.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

/** A hold of returns that an operator sets and lifts while the processes run. */
export interface OperatorsHold {
  type: ReturnHold["type"]
  /** The returns of payments that were created before are held. */
  at: Timestamp
  /** The payments whose returns are held. */
  readonly ids: Set<string>
}

const makeHold = (): OperatorsHold => ({ type: "payments", at: 0, ids: new Set() })

/** Makes a hold that holds nothing yet. */
export const withHold = () => Context.make(CurrentReturnHold, makeHold())
