import { MOST_KEYS } from "../../../core/webhooks/keys/WebhookKey.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const webhookKeys = makeTable({
  kind: "webhook_key",
  name: "webhook_keys",
  fields: {
    account_id: column.id("acct"),
    place: column.checked(column.integer, `… BETWEEN 1 AND ${MOST_KEYS}`),
    key_type: column.word("x25519"),
    public_key: column.checked(column.text, "… ~ '^[A-Za-z0-9+/]{43}=$'"),
    fingerprint: column.checked(column.text, "… ~ '^fp_[0-9a-f]{16}$'"),
    label: column.nullable(column.text),
    created_at: column.timestamp,
  },
})
