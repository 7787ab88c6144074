import type { Endpoint } from "../../../core/webhooks/Endpoint.ts"
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
  word,
} from "./Table.ts"

export const endpoints = makeTable<"endpoint", Endpoint>({
  kind: "endpoint",
  name: "endpoints",
  prefix: "we",
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
  },
  flatten: asItIs,
  restore: asItIs,
})
