import type { AccessItem } from "../../../core/revocations/AccessItem.ts"
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

export const accessItems = makeTable<"access_item", AccessItem>({
  kind: "access_item",
  name: "access_items",
  prefix: "ai",
  columns: {
    id: id("ai"),
    version: integer,
    account_id: id("acct"),
    type: word(),
    item_id: text,
    item_key: text,
    payment_intent: nullable(id("pi")),
    scopes: textArray,
    revoked: json(),
    created_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
