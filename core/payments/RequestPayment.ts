import * as Machine from "../shared/Machine.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Ending, fail, unpaid } from "./Ending.ts"
import type { PaymentEventType } from "./PaymentEvent.ts"
import type { IntentCommon } from "./PaymentIntent.ts"

interface Progress {
  scanned_at?: Timestamp
  authorized_at?: Timestamp
}

interface Authorized {
  scanned_at: Timestamp
  authorized_at: Timestamp
}

interface Captured extends Authorized {
  captured_at: Timestamp
  /** The captured amount in minor units, if it is less than the whole amount. */
  capture_value?: number
}

/**
 * The states of Request Payment and the fields of each. A `capturing` intent is authorized and its
 * capture is under way at the channel. It is shown as authorized. The state has no row for expiry,
 * void or cancellation, so they cannot end the payment meanwhile.
 */
export interface RequestFacts {
  pending: object
  qr_generated: object
  scanning: { scanned_at: Timestamp }
  authorized: Authorized
  capturing: Authorized & {
    capture_request: string
    channel_outcome: "pending" | "unknown"
    /** The amount to capture in minor units, if it is less than the whole amount. */
    capture_value?: number
  }
  captured: Captured
  succeeded: Captured & { succeeded_at: Timestamp; channel_txn_id: string }
  failed: Progress & {
    captured_at?: Timestamp
    capture_value?: number
    failure_code: string
    failure_message: string
    ended_at: Timestamp
  }
  expired: Progress & { ended_at: Timestamp }
  cancelled: Progress & { ended_at: Timestamp }
  voided: Progress & { ended_at: Timestamp }
}

/** The events of such a payment. `at` is the service's time. */
export type RequestEvent =
  | Ending
  | { readonly type: "qr_created" }
  | { readonly type: "scanned"; readonly at: Timestamp }
  | { readonly type: "authorized"; readonly at: Timestamp }
  | {
      readonly type: "capture_requested"
      readonly request: string
      /** In minor units; absent if the whole amount is captured. */
      readonly value?: number
    }
  | { readonly type: "capture_unknown" }
  | { readonly type: "capture_refused" }
  | { readonly type: "captured"; readonly at: Timestamp }
  | { readonly type: "settled"; readonly trade_no: string; readonly at: Timestamp }
  | {
      readonly type: "settlement_failed"
      readonly code: string
      readonly message: string
      readonly at: Timestamp
    }

const table: Machine.Table<RequestFacts, RequestEvent, PaymentEventType> = {
  pending: { ...unpaid, qr_created: { to: "qr_generated", set: Machine.nothing } },
  qr_generated: {
    ...unpaid,
    scanned: { to: "scanning", set: ({ at }) => ({ scanned_at: at }) },
  },
  scanning: {
    ...unpaid,
    authorized: { to: "authorized", set: ({ at }) => ({ authorized_at: at }) },
  },
  authorized: {
    ...unpaid,
    capture_requested: {
      to: "capturing",
      set: ({ request, value }) => ({
        capture_request: request,
        channel_outcome: "pending",
        ...(value !== undefined && { capture_value: value }),
      }),
    },
  },
  capturing: {
    captured: {
      to: "captured",
      set: ({ at }) => ({ captured_at: at }),
      drop: ["capture_request", "channel_outcome"],
    },
    capture_unknown: { to: "capturing", set: () => ({ channel_outcome: "unknown" }) },
    capture_refused: {
      to: "authorized",
      set: Machine.nothing,
      drop: ["capture_request", "channel_outcome", "capture_value"],
    },
  },
  captured: {
    settled: {
      to: "succeeded",
      set: ({ trade_no, at }) => ({ channel_txn_id: trade_no, succeeded_at: at }),
      emit: "payment_intent.succeeded",
    },
    settlement_failed: { to: "failed", set: fail, emit: "payment_intent.failed" },
  },
  succeeded: {},
  failed: {},
  expired: {},
  cancelled: {},
  voided: {},
}

/** The Request Payment lifecycle (States and transitions). */
export const machine = Machine.make<
  IntentCommon & { readonly flow: "request_payment" },
  RequestFacts,
  RequestEvent,
  PaymentEventType
>(table)
