import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type ApiKey, isValid } from "../accounts/ApiKey.ts"
import { suspended } from "../accounts/authenticate.ts"
import type { CommitPart } from "../commits/Commit.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

const ended = () =>
  new Failure({ code: "INVALID_API_KEY", message: "This API key has been revoked or has expired." })

/**
 * Reads the caller's key, for the commit to rewrite: a key that is revoked or suspended meanwhile
 * then has no further effect. Fails with `INVALID_API_KEY` where it has ended, and with
 * `ACCOUNT_SUSPENDED`.
 */
const callersKey = Effect.fnUntraced(function* (caller: Caller, now: Timestamp) {
  const key = yield* (yield* Store).find("api_key", caller.api_key_id)
  if (key === undefined || !isValid(key, now)) return yield* ended()
  return key.suspended_at === null ? key : yield* suspended("API key")
})

/** What issues a key: a key of the account, or its host, which may do everything. */
interface Issuer {
  readonly key: Pick<ApiKey, "expires_at" | "restrictions">
  /** The id of the key; null for the host. */
  readonly id: string | null
  /** What the commit that issues a key has to contain. */
  readonly part: CommitPart
}

const HOST = { expires_at: null, restrictions: null } as const

/**
 * Returns what issues keys for the caller: its key if that works, or the host that vouches for it.
 * So a host can give an account a key again that has lost its only one.
 *
 * Fails with `INVALID_API_KEY` and `ACCOUNT_SUSPENDED`.
 */
export const issuerOf = Effect.fnUntraced(function* (caller: Caller, now: Timestamp) {
  if (caller.vouched !== true) {
    const key = yield* callersKey(caller, now)
    const part: CommitPart = { writes: [{ op: "replace", kind: "api_key", record: key }] }
    return { key, id: key.id, part } satisfies Issuer
  }
  const account = yield* (yield* Store).find("account", caller.account.id)
  if (account === undefined) return yield* ended()
  if (account.suspended_at !== null) return yield* suspended("account")
  const { id, version } = account
  return {
    key: HOST,
    id: null,
    part: { guards: [{ kind: "account", id, version }] },
  } satisfies Issuer
})
