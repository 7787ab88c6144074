import { Clock, Effect } from "effect"
import { Installation } from "../ports/Installation.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import type { Caller } from "./Account.ts"
import { bearerKey, hasKeyFormat, isReadOnly, isValid } from "./ApiKey.ts"

const unauthorized = () =>
  new Failure({
    code: "UNAUTHORIZED",
    message: "Send your API key as Authorization: Bearer <key>.",
  })

const invalidKey = () =>
  new Failure({
    code: "INVALID_API_KEY",
    message: "This API key is unknown, was revoked or has expired.",
  })

const suspended = (what: string) =>
  new Failure({
    code: "ACCOUNT_SUSPENDED",
    message: `This ${what} is suspended by the operator of this service. Ask there.`,
  })

/** Refuses a key that can only read what changes something or shows a secret. */
export const requireActing = (caller: Caller): Effect.Effect<void, Failure<"FORBIDDEN">> =>
  caller.read_only === true
    ? Effect.fail(
        new Failure({
          code: "FORBIDDEN",
          message: "This API key can only read. Use one without that restriction.",
          details: { restrictions: { routes: ["read"] } },
        }),
      )
    : Effect.void

/**
 * Whose key the `Authorization` header holds (Authentication 1 and 2).
 *
 * Fails with `UNAUTHORIZED` without a bearer key and with `INVALID_API_KEY` for one that is
 * unknown, revoked, expired or of the other mode, and with `ACCOUNT_SUSPENDED`.
 */
export const authenticate = Effect.fnUntraced(function* (
  authorization: string | undefined,
): Effect.fn.Return<
  Caller,
  Failure<"UNAUTHORIZED" | "INVALID_API_KEY" | "ACCOUNT_SUSPENDED"> | StoreUnavailable,
  Store | Vault | Installation
> {
  const key = bearerKey(authorization)
  if (key === undefined) return yield* unauthorized()
  const { mode } = yield* Installation
  if (!hasKeyFormat(key, mode)) return yield* invalidKey()
  const store = yield* Store
  const vault = yield* Vault
  const found = yield* store.findCredential(vault.sha256(key))
  const now = yield* Clock.currentTimeMillis
  if (found === undefined || !isValid(found.api_key, now)) return yield* invalidKey()
  const { account, api_key } = found
  if (account.suspended_at !== null) return yield* suspended("account")
  if (api_key.suspended_at !== null) return yield* suspended("API key")
  return { account, api_key_id: api_key.id, read_only: isReadOnly(api_key) }
})
