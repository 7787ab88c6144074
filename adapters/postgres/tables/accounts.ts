import { ACCOUNT_KINDS, PLANS } from "../../../core/accounts/Account.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const accounts = makeTable({
  kind: "account",
  name: "accounts",
  fields: {
    name: column.text,
    kind: column.word(...ACCOUNT_KINDS),
    agent_id: column.text,
    merchant_account: column.nullable(column.text),
    plan: column.word(...PLANS),
    webhook_secret: column.text,
    created_at: column.timestamp,
    suspended_at: column.nullable(column.timestamp),
    previous_webhook_secrets: column.jsonArray(),
  },
})
