import * as Machine from "../shared/Machine.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { RefundEventType } from "./RefundEvent.ts"
import type { RefundCommon } from "./Refund.ts"

/** The states of a refund and the fields of each (Refund states). */
export interface RefundFacts {
  /** The channel has not answered yet; the money is set aside. */
  pending: object
  succeeded: { succeeded_at: Timestamp }
  /** The channel rejected it; the amount can be refunded again. */
  failed: { failed_at: Timestamp; channel_reason: string }
}

/** The events of a refund. `at` is the service's time. */
export type RefundMove =
  | { readonly type: "confirmed"; readonly at: Timestamp }
  | { readonly type: "rejected"; readonly reason: string; readonly at: Timestamp }

/** How many characters of the channel's reason are stored. */
const LONGEST_REASON = 512

const table: Machine.Table<RefundFacts, RefundMove, RefundEventType> = {
  pending: {
    confirmed: {
      to: "succeeded",
      set: ({ at }) => ({ succeeded_at: at, updated_at: at }),
      emit: "refund.succeeded",
    },
    rejected: {
      to: "failed",
      set: ({ at, reason }) => ({
        failed_at: at,
        updated_at: at,
        channel_reason: reason.slice(0, LONGEST_REASON),
      }),
      emit: "refund.failed",
    },
  },
  succeeded: {},
  failed: {},
}

/** The lifecycle of a refund (Refund states). */
export const machine = Machine.make<RefundCommon, RefundFacts, RefundMove, RefundEventType>(table)
