import type { Event } from "../../../core/webhooks/events/Event.ts"
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

export const events = makeTable<"event", Event>({
  kind: "event",
  name: "events",
  prefix: "evt",
  due: true,
  columns: {
    id: id("evt"),
    version: integer,
    account_id: id("acct"),
    type: word(),
    service_id: nullable(uuid),
    subject_id: text,
    data: json(),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
