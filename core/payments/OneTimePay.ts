import type { Money } from "../shared/Money.ts"
import * as Machine from "../shared/Machine.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Ending, fail, unpaid } from "./Ending.ts"
import type { PaymentEventType } from "./PaymentEvent.ts"
import type { IntentCommon } from "./PaymentIntent.ts"

/**
 * The states of One-Time Pay and the fields of each. A `debiting` payment is being charged through
 * a mandate, and is shown as pending. The state has no row for expiry, void or cancellation, so
 * they cannot end the payment meanwhile.
 */
export interface OneTimeFacts {
  pending: object
  debiting: { debit_request: string; channel_outcome: "pending" | "unknown" }
  completed: { succeeded_at: Timestamp; channel_txn_id: string; auto_paid: boolean }
  failed: { failure_code: string; failure_message: string; ended_at: Timestamp }
  expired: { ended_at: Timestamp }
  cancelled: { ended_at: Timestamp }
  voided: { ended_at: Timestamp }
}

/** The events of such a payment. `at` is the service's time. */
export type OneTimeEvent =
  | Ending
  | { readonly type: "held" }
  | { readonly type: "paid"; readonly trade_no: string; readonly at: Timestamp }
  | { readonly type: "debit_requested"; readonly request: string }
  | { readonly type: "debit_unknown" }
  | { readonly type: "debit_declined"; readonly deeplink: string | null }
  | { readonly type: "debited"; readonly trade_no: string; readonly at: Timestamp }

const table: Machine.Table<OneTimeFacts, OneTimeEvent, PaymentEventType> = {
  pending: {
    held: { to: "pending", set: Machine.nothing },
    paid: {
      to: "completed",
      set: ({ trade_no, at }) => ({ channel_txn_id: trade_no, succeeded_at: at, auto_paid: false }),
      emit: "payment_intent.succeeded",
    },
    debit_requested: {
      to: "debiting",
      set: ({ request }) => ({ debit_request: request, channel_outcome: "pending" }),
    },
    ...unpaid,
  },
  debiting: {
    debited: {
      to: "completed",
      set: ({ trade_no, at }) => ({ channel_txn_id: trade_no, succeeded_at: at, auto_paid: true }),
      drop: ["debit_request", "channel_outcome"],
      emit: "payment_intent.succeeded",
    },
    debit_unknown: { to: "debiting", set: () => ({ channel_outcome: "unknown" }) },
    debit_declined: {
      to: "pending",
      set: ({ deeplink }) => ({ deeplink }),
      drop: ["debit_request", "channel_outcome"],
    },
    failed: {
      to: "failed",
      set: fail,
      drop: ["debit_request", "channel_outcome"],
      emit: "payment_intent.failed",
    },
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
  PaymentEventType
>(table)

/** The link that opens the payer's wallet (One-Time Pay). */
export const deepLink = (id: string, amount: Money, channel: string): string =>
  `svc://pay/${id}?amount=${amount.value}&currency=${amount.currency}&channel=${channel}`
