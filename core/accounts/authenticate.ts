import { Clock, Effect } from "effect"
import { noteRefusal } from "../accountLog/noteRefusals.ts"
import type { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import type { Caller } from "./Account.ts"
import { bearerKey, hasKeyFormat, isValid, KEY_PREFIXES, type Mode } from "./ApiKey.ts"
import { allows, type RouteGroup, worksFrom } from "./KeyRestrictions.ts"
import { opensAt } from "./OauthGrant.ts"

const unauthorized = () =>
  new Failure({
    code: "UNAUTHORIZED",
    message: "Send your API key as Authorization: Bearer <key>.",
  })

/** The failure of a key that opens nothing, whatever is wrong with it. */
export const invalidKey = () =>
  new Failure({
    code: "INVALID_API_KEY",
    message: "This API key is unknown, was revoked or has expired.",
  })

/** The failure of a key that cannot be an account's. It says the same of every such key. */
const otherKind = (mode: Mode) => {
  const [seller, buyer] = KEY_PREFIXES[mode]
  return new Failure({
    code: "INVALID_API_KEY",
    message:
      `This is not a whole API key of an account: those have ${seller} or ${buyer} and 43 more ` +
      "characters. An operator's key works only on the routes of operators.",
  })
}

/** Returns the failure of a request by a key that is suspended, or whose account is. */
export const suspended = (what: "account" | "API key") =>
  new Failure({
    code: "ACCOUNT_SUSPENDED",
    message: `This ${what} is suspended by the operator of this service. Contact the operator.`,
  })

const elsewhere = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "This API key may not be used from this IP address.",
    details: { restriction: "addresses" },
  })

/** Refuses a key whose restrictions exclude the group of the request. */
export const requireGroup = (
  { restrictions }: Caller,
  group: RouteGroup,
): Effect.Effect<void, Failure<"FORBIDDEN">> => {
  const { routes = [] } = restrictions ?? {}
  if (restrictions == null || allows(restrictions, group)) return Effect.void
  const only = routes.join(", ")
  return Effect.fail(
    new Failure({
      code: "FORBIDDEN",
      message: `This API key may only ${only}. This request needs the right to ${group}.`,
      details: { restriction: "routes", restrictions: { routes }, needed: group },
    }),
  )
}

/**
 * Authenticates the key of the `Authorization` header (Authentication 1 and 2).
 *
 * Fails with `UNAUTHORIZED` without a bearer key, with `INVALID_API_KEY` for one that is unknown,
 * revoked, expired or of the other mode, with `ACCOUNT_SUSPENDED`, and with `FORBIDDEN` for a key
 * that is restricted to other client addresses. The token of a program is valid for its `resource`
 * only; other keys need none.
 */
export const authenticate = Effect.fnUntraced(function* (
  authorization: string | undefined,
  address?: string,
  resource?: string,
): Effect.fn.Return<
  Caller,
  | Failure<"UNAUTHORIZED" | "INVALID_API_KEY" | "ACCOUNT_SUSPENDED" | "FORBIDDEN">
  | StoreUnavailable,
  Store | Vault | Installation | Ids
> {
  const key = bearerKey(authorization)
  if (key === undefined) return yield* unauthorized()
  const { mode } = yield* Installation
  if (!hasKeyFormat(key, mode)) return yield* otherKind(mode)
  const store = yield* Store
  const vault = yield* Vault
  const found = yield* store.findCredential(vault.sha256(key))
  const now = yield* Clock.currentTimeMillis
  if (found === undefined || !isValid(found.api_key, now)) return yield* invalidKey()
  const { account, api_key } = found
  if (account.suspended_at !== null) return yield* suspended("account")
  if (api_key.suspended_at !== null) return yield* suspended("API key")
  const { id, oauth, restrictions } = api_key
  if (oauth !== null && !opensAt(oauth, resource, now)) return yield* invalidKey()
  if (restrictions !== null && !worksFrom(restrictions, address)) {
    yield* noteRefusal({ account_id: account.id, actor: id }, "addresses")
    return yield* elsewhere()
  }
  return { account, api_key_id: id, restrictions }
})
