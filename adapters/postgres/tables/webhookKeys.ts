import type { WebhookKey } from "../../../core/webhooks/keys/WebhookKey.ts"
import { asItIs, id, integer, makeTable, nullable, text, timestamp, word } from "./Table.ts"

export const webhookKeys = makeTable<"webhook_key", WebhookKey>({
  kind: "webhook_key",
  name: "webhook_keys",
  prefix: "whk",
  columns: {
    id: id("whk"),
    version: integer,
    account_id: id("acct"),
    place: integer,
    key_type: word(),
    public_key: text,
    fingerprint: text,
    label: nullable(text),
    created_at: timestamp,
  },
  flatten: asItIs,
  restore: asItIs,
})
