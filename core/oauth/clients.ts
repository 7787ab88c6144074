import { Clock, Effect } from "effect"
import { Vault } from "../ports/Vault.ts"
import { clientOf, encoded, parsedId, signedTextOf } from "./Client.ts"

/**
 * Registers a program (RFC 7591): its `client_id` holds what it said, signed, and nothing is
 * stored. It has no secret; whoever it is, PKCE shows that it is the one that asked.
 *
 * Fails with `invalid_redirect_uri` and `invalid_client_metadata`.
 */
export const registerClient = Effect.fn("registerClient")(function* (input: unknown) {
  const now = yield* Clock.currentTimeMillis
  const client = yield* Effect.fromResult(clientOf(input, now))
  const text = encoded(client)
  const signature = (yield* Vault).sign(signedTextOf(text))
  return {
    client_id: `oc_${text}.${signature}`,
    client_id_issued_at: client.issued_at,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  }
})

/** The program of a `client_id` that this installation has given; undefined for any other text. */
export const findClient = Effect.fnUntraced(function* (client_id: string) {
  const found = parsedId(client_id)
  if (found === undefined) return undefined
  const isOurs = (yield* Vault).isSigned(signedTextOf(found.text), found.signature)
  return isOurs ? found.client : undefined
})
