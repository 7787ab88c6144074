import { TARGET_TYPES } from "../../../core/registry/RevocationTarget.ts"
import {
  text,
  word,
  plainText,
  jsonArray,
  textArray,
  timestamp,
  id,
  nullable,
  version,
} from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const accessItems = makeTable({
  kind: "access_item",
  name: "access_items",
  fields: {
    id: id("ai"),
    version,
    account_id: id("acct"),
    type: word(...TARGET_TYPES),
    item_id: text,
    item_key: plainText("… ~ '^[0-9a-f]{64}$'"),
    payment_intent: nullable(id("pi")),
    scopes: textArray,
    revoked: jsonArray(),
    created_at: timestamp,
  },
  constraints: {
    access_items_known: "payment_intent IS NOT NULL OR json_array_length(revoked) > 0",
  },
})
