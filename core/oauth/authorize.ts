import { Clock, Effect } from "effect"
import { byKey, logged } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import type { ApiKey } from "../accounts/ApiKey.ts"
import { restrictionsView } from "../accounts/KeyRestrictions.ts"
import { makeKey } from "../accounts/makeKey.ts"
import { CODE_LASTS, type OauthGrant } from "../accounts/OauthGrant.ts"
import { storeKey } from "../accounts/storeKey.ts"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { issuerOf } from "../keys/issuerOf.ts"
import { keyEvent } from "../keys/KeyEvent.ts"
import { limitNewKey } from "../keys/limitNewKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Vault } from "../ports/Vault.ts"
import { canonicalJson } from "../shared/Text.ts"
import { fromIso, type Timestamp, toIso } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import {
  answerUri,
  type AuthorizationRequest,
  authorizationView,
  type AuthorizeInput,
  type CheckedRequest,
  checkRequest,
  limitsOf,
} from "./Authorization.ts"
import { findClient } from "./clients.ts"
import { hostOf } from "./RedirectUri.ts"
import { signedToken } from "./tokens.ts"

const checked = Effect.fnUntraced(function* (request: AuthorizationRequest) {
  const { base_url } = yield* Installation
  const client = yield* findClient(request.client_id)
  return yield* Effect.fromResult(checkRequest(request, client, base_url))
})

/** Shows a person what a program asks for. Fails with `INVALID_REQUEST`. */
export const showAuthorization = Effect.fn("showAuthorization")(function* (
  request: AuthorizationRequest,
) {
  const { base_url } = yield* Installation
  return authorizationView(request, yield* checked(request), base_url)
})

const grantOf = Effect.fnUntraced(function* (
  request: AuthorizationRequest,
  { client, resource }: CheckedRequest,
  ends_at: Timestamp,
) {
  const now = yield* Clock.currentTimeMillis
  const grant: OauthGrant = {
    client: (yield* Vault).sha256(request.client_id),
    client_name: client.name,
    redirect_uri: request.redirect_uri,
    resource,
    challenge: request.code_challenge,
    code_expires_at: Math.min(now + CODE_LASTS, ends_at),
    ends_at,
    generation: 0,
    token_expires_at: now,
  }
  return grant
})

/**
 * Consents to a program's request: issues a key for it under the caller's key, within the limits
 * that the person chose, and returns a code for that key. Until the code is exchanged nobody has
 * the key's secret, and the key ends with the code.
 *
 * Fails with `INVALID_REQUEST` for a program that has neither registered here nor has a document,
 * and as `issueKey` does.
 */
export const authorize = Effect.fn("authorize")(function* (
  caller: Caller,
  { request, restrictions: asked }: AuthorizeInput,
) {
  const ids = yield* Ids
  const { base_url } = yield* Installation
  const asks = yield* checked(request)
  const { client, scopes } = asks
  const wanted = yield* Effect.fromResult(limitsOf(asked, scopes))
  const { record: made } = yield* makeKey(caller.account, { expires_at: null })
  const code = yield* signedToken({ type: "code", key_id: made.id, generation: 0 })
  return yield* retryConflict(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const issuer = yield* issuerOf(caller, now)
      const limits = yield* limitNewKey(made.id, { restrictions: wanted }, issuer.key, now)
      const ends_at = limits.expires_at ?? fromIso(wanted.expires_at) ?? now
      const oauth = yield* grantOf(request, asks, ends_at)
      const { code_expires_at: expires_at } = oauth
      const record: ApiKey = { ...made, ...limits, minted_by: issuer.id, oauth, expires_at }
      const view = {
        redirect_to: answerUri(request, base_url, { code }),
        api_key_id: record.id,
        expires_at: toIso(ends_at),
      }
      const details = {
        client_name: client.name,
        ...(client.host !== null && { client_host: client.host }),
        redirect_host: hostOf(request.redirect_uri),
        expires_at: view.expires_at,
        restrictions: canonicalJson(restrictionsView(limits.restrictions ?? {})),
      }
      const own: CommitPart = {
        writes: [
          { op: "insert", kind: "api_key", record },
          yield* logged(byKey(caller), "api_key.created", record.id, details),
        ],
        events: eventsFor(keyEvent("api_key.created", record, caller.api_key_id), ids, now),
      }
      yield* storeKey(caller.account, merge(own, issuer.part, yield* replyWith(view)))
      return view
    }),
  )
})
