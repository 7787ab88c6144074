import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Endpoint } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { judgedAt } from "../../../core/webhooks/endpoints/EndpointHealth.ts"
import {
  id,
  integer,
  json,
  makeTable,
  nullable,
  text,
  textArray,
  timestamp,
  word,
} from "./Table.ts"

type Flat = Endpoint & { readonly due_at: Timestamp | null }

export const endpoints = makeTable<"endpoint", Flat>({
  kind: "endpoint",
  name: "endpoints",
  prefix: "we",
  due: true,
  columns: {
    id: id("we"),
    version: integer,
    account_id: id("acct"),
    place: integer,
    url: text,
    description: nullable(text),
    enabled_events: textArray,
    status: word(),
    disabled_reason: nullable(word()),
    disabled_at: nullable(timestamp),
    first_failure_at: nullable(timestamp),
    secret: text,
    previous_secrets: json(),
    encryption: nullable(json()),
    created_at: timestamp,
    updated_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: (endpoint) => ({ ...endpoint, due_at: judgedAt(endpoint) }),
  restore: ({ due_at: _dueAt, ...endpoint }) => endpoint,
})
