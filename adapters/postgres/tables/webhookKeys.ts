import { MOST_KEYS } from "../../../core/webhooks/keys/WebhookKey.ts"
import { text, integer, word, checked, timestamp, id, nullable, version } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const webhookKeys = makeTable({
  kind: "webhook_key",
  name: "webhook_keys",
  fields: {
    id: id("whk"),
    version,
    account_id: id("acct"),
    place: checked(integer, `… BETWEEN 1 AND ${MOST_KEYS}`),
    key_type: word("x25519"),
    public_key: checked(text, "… ~ '^[A-Za-z0-9+/]{43}=$'"),
    fingerprint: checked(text, "… ~ '^fp_[0-9a-f]{16}$'"),
    label: nullable(text),
    created_at: timestamp,
  },
})
