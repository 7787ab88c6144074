import * as Machine from "../shared/Machine.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { EventType } from "../webhooks/Event.ts"
import type { IntentCommon } from "./PaymentIntent.ts"

/** The states of One-Time Pay with what is known in each. */
export interface OneTimeFacts {
  pending: object
  completed: { succeeded_at: Timestamp; channel_txn_id: string; auto_paid: boolean }
  failed: { failure_code: string; failure_message: string; ended_at: Timestamp }
  expired: { ended_at: Timestamp }
  cancelled: { ended_at: Timestamp }
  voided: { ended_at: Timestamp }
}

/** What can happen to such a payment; `at` is the service's time. */
export type OneTimeEvent =
  | { readonly type: "held" }
  | { readonly type: "paid"; readonly trade_no: string; readonly at: Timestamp }
  | {
      readonly type: "failed"
      readonly code: string
      readonly message: string
      readonly at: Timestamp
    }
  | { readonly type: "expired"; readonly at: Timestamp }
  | { readonly type: "cancelled"; readonly at: Timestamp }
  | { readonly type: "voided"; readonly at: Timestamp }

const end = ({ at }: { readonly at: Timestamp }) => ({ ended_at: at })

const table: Machine.Table<OneTimeFacts, OneTimeEvent, EventType> = {
  pending: {
    held: { to: "pending", set: Machine.nothing },
    paid: {
      to: "completed",
      set: ({ trade_no, at }) => ({ channel_txn_id: trade_no, succeeded_at: at, auto_paid: false }),
      emit: "payment_intent.succeeded",
    },
    failed: {
      to: "failed",
      set: ({ code, message, at }) => ({
        failure_code: code,
        failure_message: message,
        ended_at: at,
      }),
      emit: "payment_intent.failed",
    },
    expired: { to: "expired", set: end, emit: "payment_intent.expired" },
    cancelled: { to: "cancelled", set: end, emit: "payment_intent.cancelled" },
    voided: { to: "voided", set: end, emit: "payment_intent.cancelled" },
  },
  completed: {},
  failed: {},
  expired: {},
  cancelled: {},
  voided: {},
}

/** The One-Time Pay lifecycle (States and transitions). */
export const machine = Machine.make<
  IntentCommon & { readonly flow: "one_time_pay"; readonly deeplink: string | null },
  OneTimeFacts,
  OneTimeEvent,
  EventType
>(table)
