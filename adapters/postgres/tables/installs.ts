import {
  text,
  uuid,
  checked,
  json,
  jsonArray,
  textArray,
  timestamp,
  id,
  nullable,
  version,
  moneyDocument,
  capDocument,
} from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const installs = makeTable({
  kind: "install",
  name: "installs",
  fields: {
    id: id("ins"),
    version,
    account_id: id("acct"),
    service_id: uuid,
    agent_id: text,
    auto_pay_limit: nullable(moneyDocument()),
    channel_preference: nullable(text),
    channels: textArray,
    spend_cap: nullable(capDocument()),
    spend_cap_in_force: nullable(capDocument()),
    budget_alerts: jsonArray(),
    mandate: nullable(checked(json(), "…->>'status' IN ('pending', 'active', 'revoked')")),
    created_at: timestamp,
    updated_at: timestamp,
  },
  constraints: { installs_order: "created_at <= updated_at" },
})
