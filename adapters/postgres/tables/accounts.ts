import type { Account } from "../../../core/accounts/Account.ts"
import { asItIs, id, integer, json, makeTable, nullable, text, timestamp, word } from "./Table.ts"

export const accounts = makeTable<"account", Account>({
  kind: "account",
  name: "accounts",
  prefix: "acct",
  columns: {
    id: id("acct"),
    version: integer,
    name: text,
    kind: word(),
    agent_id: text,
    merchant_account: nullable(text),
    plan: word(),
    webhook_secret: text,
    created_at: timestamp,
    previous_webhook_secrets: json(),
  },
  flatten: asItIs,
  restore: asItIs,
})
