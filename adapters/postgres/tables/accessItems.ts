import { TARGET_TYPES } from "../../../core/registry/RevocationTarget.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const accessItems = makeTable({
  kind: "access_item",
  name: "access_items",
  fields: {
    account_id: column.id("acct"),
    type: column.word(...TARGET_TYPES),
    item_id: column.text,
    item_key: column.plainText("… ~ '^[0-9a-f]{64}$'"),
    payment_intent: column.nullable(column.id("pi")),
    scopes: column.textArray,
    revoked: column.jsonArray(),
    created_at: column.timestamp,
  },
  constraints: {
    access_items_known: "payment_intent IS NOT NULL OR json_array_length(revoked) > 0",
  },
})
