import {
  text,
  uuid,
  timestamp,
  id,
  nullable,
  version,
  count,
  optional,
  moneyDocument,
  capDocument,
} from "./codecs.ts"
import { makeStateTable } from "./Table.ts"

export const mandates = makeStateTable({
  kind: "mandate",
  name: "mandates",
  fields: {
    id: id("mnd"),
    version,
    account_id: id("acct"),
    install_id: id("ins"),
    service_id: uuid,
    agent_id: text,
    channel: text,
    auto_pay_limit: moneyDocument(),
    spend_cap: nullable(capDocument()),
    approval_url: nullable(text),
    asks: count,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  states: {
    pending: {},
    active: { approved_at: timestamp },
    // When it was approved stays known.
    revoked: { revoked_at: timestamp, approved_at: optional(timestamp) },
  },
  constraints: {
    mandates_due: `(due_at IS NULL OR status <> 'active')
      AND (due_at IS NOT NULL OR status <> 'pending')`,
  },
})
