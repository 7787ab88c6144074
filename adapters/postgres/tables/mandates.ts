import * as column from "./codecs.ts"
import { makeStateTable } from "./Table.ts"

export const mandates = makeStateTable({
  kind: "mandate",
  name: "mandates",
  fields: {
    account_id: column.id("acct"),
    install_id: column.id("ins"),
    service_id: column.uuid,
    agent_id: column.text,
    channel: column.text,
    auto_pay_limit: column.moneyDocument(),
    spend_cap: column.nullable(column.capDocument()),
    approval_url: column.nullable(column.text),
    asks: column.count,
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  states: {
    pending: {},
    active: { approved_at: column.timestamp },
    // The time of approval is kept.
    revoked: { revoked_at: column.timestamp, approved_at: column.optional(column.timestamp) },
  },
  constraints: {
    mandates_due: `(due_at IS NULL OR status <> 'active')
      AND (due_at IS NOT NULL OR status <> 'pending')`,
  },
})
