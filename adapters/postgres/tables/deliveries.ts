import type { Delivery } from "../../../core/webhooks/Delivery.ts"
import {
  asItIs,
  id,
  integer,
  json,
  makeTable,
  nullable,
  text,
  timestamp,
  uuid,
  word,
} from "./Table.ts"

export const deliveries = makeTable<"delivery", Delivery>({
  kind: "delivery",
  name: "deliveries",
  prefix: "wd",
  due: true,
  columns: {
    id: id("wd"),
    version: integer,
    account_id: id("acct"),
    event_id: id("evt"),
    event_type: text,
    service_id: uuid,
    url: text,
    status: word(),
    attempts: json(),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
