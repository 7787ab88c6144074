import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import { asItIs, id, integer, makeTable, nullable, text, timestamp } from "./Table.ts"

export const apiKeys = makeTable<"api_key", ApiKey>({
  kind: "api_key",
  name: "api_keys",
  prefix: "key",
  columns: {
    id: id("key"),
    version: integer,
    account_id: id("acct"),
    hash: text,
    hint: text,
    created_at: timestamp,
    expires_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
  },
  flatten: asItIs,
  restore: asItIs,
})
