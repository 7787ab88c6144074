import { ACCOUNT_KINDS, PLANS } from "../../../core/accounts/Account.ts"
import { text, word, jsonArray, timestamp, id, nullable, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const accounts = makeTable({
  kind: "account",
  name: "accounts",
  fields: {
    id: id("acct"),
    version,
    name: text,
    kind: word(...ACCOUNT_KINDS),
    agent_id: text,
    merchant_account: nullable(text),
    plan: word(...PLANS),
    webhook_secret: text,
    created_at: timestamp,
    suspended_at: nullable(timestamp),
    previous_webhook_secrets: jsonArray(),
  },
})
