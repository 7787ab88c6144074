import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import * as Machine from "../shared/Machine.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import type { RefundRequestEventType } from "./RefundRequestEvent.ts"

/** How long a payee has to decide, in milliseconds. */
export const DECIDED_WITHIN = 7 * DAY

/** The fields of a refund request in every state. */
export interface RefundRequestCommon {
  /** `rr_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly payment_intent: string
  /** The buyer's account, which asks. */
  readonly account_id: string
  /** The account that decides. */
  readonly payee_account_id: string
  readonly service_id: string
  /** The amount to refund, in the payment's currency. */
  readonly amount: Money
  readonly reason: string
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
  /** When it ends without a decision. */
  readonly expires_at: Timestamp
  /** The same time while it is open, for a worker; null once it has ended. */
  readonly due_at: Timestamp | null
}

/** The states of a refund request and the fields of each. */
export interface RefundRequestFacts {
  /** The payee has not decided yet. */
  open: object
  /** The payee has made the refund. The channel may still reject it. */
  approved: { resolved_at: Timestamp; refund: string }
  declined: { resolved_at: Timestamp; decline_reason: string }
  /** The buyer has withdrawn it. */
  withdrawn: { resolved_at: Timestamp }
  /** The payee has not decided in time. */
  expired: { resolved_at: Timestamp }
}

/** A buyer's request for a refund of a payment. */
export type RefundRequest = RefundRequestCommon & Machine.InState<RefundRequestFacts>

/** All states of a refund request. */
export const REFUND_REQUEST_STATUSES = [
  "open",
  "approved",
  "declined",
  "withdrawn",
  "expired",
] as const satisfies ReadonlyArray<keyof RefundRequestFacts>

/** The events of a refund request. `at` is the service's time. */
export type RefundRequestMove =
  | { readonly type: "approve"; readonly at: Timestamp; readonly refund: string }
  | { readonly type: "decline"; readonly at: Timestamp; readonly reason: string }
  | { readonly type: "withdraw"; readonly at: Timestamp }
  | { readonly type: "expire"; readonly at: Timestamp }

const resolved = (at: Timestamp) => ({ resolved_at: at, updated_at: at, due_at: null })

const table: Machine.Table<RefundRequestFacts, RefundRequestMove, RefundRequestEventType> = {
  open: {
    approve: { to: "approved", set: ({ at, refund }) => ({ ...resolved(at), refund }) },
    decline: {
      to: "declined",
      set: ({ at, reason }) => ({ ...resolved(at), decline_reason: reason }),
      emit: "refund.declined",
    },
    withdraw: { to: "withdrawn", set: ({ at }) => resolved(at), emit: "refund.withdrawn" },
    expire: { to: "expired", set: ({ at }) => resolved(at), emit: "refund.declined" },
  },
  approved: {},
  declined: {},
  withdrawn: {},
  expired: {},
}

/** The lifecycle of a refund request. A decision is final. */
export const machine = Machine.make<
  RefundRequestCommon,
  RefundRequestFacts,
  RefundRequestMove,
  RefundRequestEventType
>(table)

/** Moves a request, never before its creation time, even if another process's clock is behind. */
export const stepOf = (request: RefundRequest, move: RefundRequestMove) =>
  machine.step(request, { ...move, at: Math.max(move.at, request.created_at) })

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly refund_request: RefundRequest
  }
}

/** How refund requests are kept: a payment has at most one open request. */
export const refundRequestKind = defineKind("refund_request", {
  prefix: "rr",
  erased: true,
  dueAt: ownDueAt,
  unique: [{ by: ["payment_intent"], while: { status: ["open"] } }],
  lists: [
    ["account_id", "status"],
    ["payee_account_id", "status"],
    ["payment_intent"],
    ["payment_intent", "status"],
  ],
})
