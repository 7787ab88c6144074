import type { KeyRestrictions } from "../../../core/accounts/ApiKey.ts"
import { jsonObject, text, timestamp, id, nullable, version, sha256 } from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const apiKeys = makeTable({
  kind: "api_key",
  name: "api_keys",
  fields: {
    id: id("key"),
    version,
    account_id: id("acct"),
    hash: sha256,
    hint: text,
    created_at: timestamp,
    expires_at: nullable(timestamp),
    revoked_at: nullable(timestamp),
    minted_by: nullable(id("key")),
    restrictions: nullable(jsonObject<KeyRestrictions>()),
    suspended_at: nullable(timestamp),
  },
})
