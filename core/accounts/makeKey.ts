import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Account } from "./Account.ts"
import { type ApiKey, hintOf, keyText } from "./ApiKey.ts"

/** Makes a new key of the account: the record to store, and the text that is shown once. */
export const makeKey = Effect.fnUntraced(function* (
  account: Pick<Account, "id" | "kind">,
  options: {
    readonly expires_at: Timestamp | null
    readonly text?: string | undefined
  },
) {
  const vault = yield* Vault
  const ids = yield* Ids
  const { mode } = yield* Installation
  const text = options.text ?? keyText(account.kind, mode, vault.token())
  const record: ApiKey = {
    id: `key_${ids.uuid()}`,
    version: 1,
    account_id: account.id,
    hash: vault.sha256(text),
    hint: hintOf(text),
    created_at: yield* Clock.currentTimeMillis,
    expires_at: options.expires_at,
    revoked_at: null,
    minted_by: null,
    restrictions: null,
    suspended_at: null,
    oauth: null,
  }
  return { record, text }
})
