import { Clock, Effect } from "effect"
import { type ApiKey, hasKeyFormat, isValid } from "../accounts/ApiKey.ts"
import { makeKey } from "../accounts/makeKey.ts"
import { type OauthGrant, TOKEN_LASTS } from "../accounts/OauthGrant.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { ending } from "../keys/endKeys.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { documentHost } from "./ClientDocument.ts"
import { isRegisteredHere } from "./clients.ts"
import { refused } from "./OauthRefusal.ts"
import { isVerifier, parsedToken, signedTextOf, type Token, tokenText } from "./Token.ts"
import type { CodeInput, RefreshInput, RevokeInput } from "./TokenInput.ts"

/** Signs a token and returns its text. */
export const signedToken = Effect.fnUntraced(function* (token: Token) {
  return tokenText(token, (yield* Vault).sign(signedTextOf(token)))
})

interface ProgramKey extends ApiKey {
  readonly oauth: OauthGrant
}

const invalid = () =>
  refused(
    "invalid_grant",
    "The code or token is unknown, used, expired or was issued to another program.",
  )

/** Finds the key of a token of that type that we have signed; undefined for any other text. */
const keyOf = Effect.fnUntraced(function* (text: string, type: Token["type"]) {
  const found = parsedToken(text)
  if (found === undefined || found.token.type !== type) return undefined
  const { signature, token } = found
  if (!(yield* Vault).isSigned(signedTextOf(token), signature)) return undefined
  const key = yield* (yield* Store).find("api_key", token.key_id)
  const oauth = key?.oauth
  if (key === undefined || oauth === null || oauth === undefined) return undefined
  return { key: { ...key, oauth } satisfies ProgramKey, token }
})

/** Ends a program's grant. The account's log records it as the program's own action. */
const end = Effect.fnUntraced(function* (key: ApiKey, reason: string) {
  if (key.revoked_at !== null) return
  const now = yield* Clock.currentTimeMillis
  const by = { account_id: key.account_id, actor: key.id }
  const commit = yield* ending([key], by, now, { reason })
  yield* (yield* Store).commit(commit)
})

/** Fails unless the token is the program's, and the key and its account are active. */
const requireHolder = Effect.fnUntraced(function* (
  key: ProgramKey,
  { client_id, resource }: { readonly client_id: string; readonly resource?: string },
  now: Timestamp,
) {
  // The person has consented to this program already, so its document is not fetched again.
  if (documentHost(client_id) === undefined && !(yield* isRegisteredHere(client_id))) {
    return yield* refused(
      "invalid_client",
      "This service did not issue this client_id. Register the program first.",
    )
  }
  const isIts = (yield* Vault).sha256(client_id) === key.oauth.client
  if (!isIts || !isValid(key, now) || key.suspended_at !== null) return yield* invalid()
  const account = yield* (yield* Store).find("account", key.account_id)
  if (account === undefined || account.suspended_at !== null) return yield* invalid()
  if (resource !== undefined && resource.replace(/\/$/, "") !== key.oauth.resource) {
    return yield* refused("invalid_target", `The person consented only to ${key.oauth.resource}.`)
  }
  return account
})

/**
 * Issues the key's next secret and the next refresh token. The same commit invalidates the previous
 * ones, so that of two concurrent requests one is refused.
 */
const giveTokens = Effect.fnUntraced(function* (
  key: ProgramKey,
  kind: "seller" | "buyer",
  now: Timestamp,
) {
  const { record, text } = yield* makeKey({ id: key.account_id, kind }, { expires_at: null })
  const { ends_at } = key.oauth
  const token_expires_at = Math.min(now + TOKEN_LASTS, key.expires_at ?? ends_at)
  const oauth = { ...key.oauth, generation: key.oauth.generation + 1, token_expires_at }
  const { hash, hint } = record
  const { generation } = oauth
  const refresh_token = yield* signedToken({ type: "refresh", key_id: key.id, generation })
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "api_key", record: { ...key, hash, hint, oauth } }],
  })
  return {
    access_token: text,
    token_type: "Bearer",
    expires_in: Math.floor((token_expires_at - now) / SECOND),
    refresh_token,
    scope: (key.restrictions?.routes ?? []).join(" "),
  }
})

/**
 * Exchanges a code for tokens (OAuth 2.1 section 4.1.3), once and within a minute. A second use of
 * the code ends the grant, because one of the two users has stolen it.
 *
 * Fails with `invalid_grant`, `invalid_client` and `invalid_target`.
 */
export const redeemCode = Effect.fn("redeemCode")(function* (input: CodeInput) {
  return yield* retryConflict(
    Effect.gen(function* () {
      const found = yield* keyOf(input.code, "code")
      if (found === undefined) return yield* invalid()
      const { key } = found
      const { challenge, code_expires_at, ends_at, generation, redirect_uri } = key.oauth
      if (generation > 0) {
        yield* end(key, "its code came twice")
        return yield* invalid()
      }
      const now = yield* Clock.currentTimeMillis
      const { kind } = yield* requireHolder(key, input, now)
      const { sha256 } = yield* Vault
      const isRight =
        now < code_expires_at &&
        input.redirect_uri === redirect_uri &&
        isVerifier(input.code_verifier, challenge, sha256)
      if (!isRight) return yield* invalid()
      return yield* giveTokens({ ...key, expires_at: ends_at }, kind, now)
    }),
  )
})

/**
 * Issues new tokens for a refresh token, which is valid once. A second use ends the grant, because
 * the program and a thief cannot be distinguished (RFC 9700 section 4.14.2).
 *
 * Fails with `invalid_grant`, `invalid_client` and `invalid_target`.
 */
export const refreshTokens = Effect.fn("refreshTokens")(function* (input: RefreshInput) {
  return yield* retryConflict(
    Effect.gen(function* () {
      const found = yield* keyOf(input.refresh_token, "refresh")
      if (found === undefined) return yield* invalid()
      const { key, token } = found
      if (token.generation !== key.oauth.generation) {
        yield* end(key, "a refresh token came twice")
        return yield* invalid()
      }
      const now = yield* Clock.currentTimeMillis
      const { kind } = yield* requireHolder(key, input, now)
      return yield* giveTokens(key, kind, now)
    }),
  )
})

/** Finds the key of an access token; undefined for any other text. */
const keyOfAccess = Effect.fnUntraced(function* (text: string) {
  const { mode } = yield* Installation
  if (!hasKeyFormat(text, mode)) return undefined
  const found = yield* (yield* Store).findCredential((yield* Vault).sha256(text))
  // The credential may be from a cache, so the key is read again.
  return found && (yield* (yield* Store).find("api_key", found.api_key.id))
})

/**
 * Ends a program's grant by either of its tokens (RFC 7009). An unknown token or another program's
 * token changes nothing, and the response is the same.
 */
export const revokeToken = Effect.fn("revokeToken")(function* ({ client_id, token }: RevokeInput) {
  const client = (yield* Vault).sha256(client_id)
  yield* retryConflict(
    Effect.gen(function* () {
      const refresh = yield* keyOf(token, "refresh")
      const key = refresh?.key ?? (yield* keyOfAccess(token))
      if (key?.oauth?.client === client) yield* end(key, "its program gave it back")
    }),
  )
})
