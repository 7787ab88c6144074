import type { Install } from "../../../core/installs/Install.ts"
import {
  asItIs,
  id,
  integer,
  json,
  makeTable,
  nullable,
  text,
  textArray,
  timestamp,
  uuid,
} from "./Table.ts"

export const installs = makeTable<"install", Install>({
  kind: "install",
  name: "installs",
  prefix: "ins",
  columns: {
    id: id("ins"),
    version: integer,
    account_id: id("acct"),
    service_id: uuid,
    agent_id: text,
    auto_pay_limit: nullable(json()),
    channel_preference: nullable(text),
    channels: textArray,
    spend_cap: nullable(json()),
    spend_cap_in_force: nullable(json()),
    budget_alerts: json(),
    mandate: nullable(json()),
    created_at: timestamp,
    updated_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
