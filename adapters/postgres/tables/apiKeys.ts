import type { KeyRestrictions } from "../../../core/accounts/KeyRestrictions.ts"
import type { OauthGrant } from "../../../core/accounts/OauthGrant.ts"
import * as column from "./codecs.ts"
import { makeTable } from "./Table.ts"

export const apiKeys = makeTable({
  kind: "api_key",
  name: "api_keys",
  fields: {
    account_id: column.id("acct"),
    hash: column.sha256,
    hint: column.text,
    created_at: column.timestamp,
    expires_at: column.nullable(column.timestamp),
    revoked_at: column.nullable(column.timestamp),
    minted_by: column.nullable(column.id("key")),
    restrictions: column.nullable(column.jsonObject<KeyRestrictions>()),
    suspended_at: column.nullable(column.timestamp),
    oauth: column.nullable(column.jsonObject<OauthGrant>()),
  },
})
