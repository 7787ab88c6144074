import type { Timestamp } from "../shared/Timestamp.ts"

/** The reason for a payment's failure. */
interface Failing {
  readonly code: string
  readonly message: string
  readonly at: Timestamp
}

/** The ways in which a payment of either flow ends before anything is paid; `at` is when. */
export type Ending =
  | ({ readonly type: "failed" } & Failing)
  | { readonly type: "expired"; readonly at: Timestamp }
  | { readonly type: "cancelled"; readonly at: Timestamp }
  | { readonly type: "voided"; readonly at: Timestamp }

const end = ({ at }: { readonly at: Timestamp }) => ({ ended_at: at })

/** Returns the fields of a failed payment. */
export const fail = ({ at, code, message }: Failing) => ({
  failure_code: code,
  failure_message: message,
  ended_at: at,
})

/** The rows of both flows' tables that end an unpaid payment. */
export const unpaid = {
  failed: { to: "failed", set: fail, emit: "payment_intent.failed" },
  expired: { to: "expired", set: end, emit: "payment_intent.expired" },
  cancelled: { to: "cancelled", set: end, emit: "payment_intent.cancelled" },
  voided: { to: "voided", set: end, emit: "payment_intent.cancelled" },
} as const
