import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const installs = makeTable({
  kind: "install",
  name: "installs",
  fields: {
    account_id: column.id("acct"),
    service_id: column.uuid,
    agent_id: column.text,
    auto_pay_limit: column.nullable(column.moneyDocument()),
    channel_preference: column.nullable(column.text),
    channels: column.textArray,
    spend_cap: column.nullable(column.capDocument()),
    spend_cap_in_force: column.nullable(column.capDocument()),
    budget_alerts: column.jsonArray(),
    mandate: column.nullable(
      column.checked(column.json(), "…->>'status' IN ('pending', 'active', 'revoked')"),
    ),
    created_at: column.timestamp,
    updated_at: column.timestamp,
  },
  constraints: { installs_order: "created_at <= updated_at" },
})
