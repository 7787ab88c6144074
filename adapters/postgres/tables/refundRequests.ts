import * as column from "./codecs.ts"
import { money } from "./Group.ts"
import { makeStateTable } from "./Table.ts"

export const refundRequests = makeStateTable({
  kind: "refund_request",
  name: "refund_requests",
  fields: {
    payment_intent: column.id("pi"),
    account_id: column.id("acct"),
    payee_account_id: column.id("acct"),
    service_id: column.uuid,
    amount: money("amount", column.amount),
    reason: column.text,
    created_at: column.timestamp,
    updated_at: column.timestamp,
    expires_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  states: {
    open: {},
    approved: { resolved_at: column.timestamp, refund: column.id("ref") },
    declined: { resolved_at: column.timestamp, decline_reason: column.text },
    withdrawn: { resolved_at: column.timestamp },
    expired: { resolved_at: column.timestamp },
  },
  constraints: {
    refund_requests_order: "created_at <= updated_at AND created_at <= expires_at",
    refund_requests_due: "due_at IS NULL OR status = 'open'",
  },
})
