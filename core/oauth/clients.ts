import { Clock, Effect, Result } from "effect"
import { ClientDocuments } from "../ports/ClientDocuments.ts"
import { Vault } from "../ports/Vault.ts"
import { invalidField } from "../shared/Failure.ts"
import { type Client, clientOf, encoded, parsedId, signedTextOf } from "./Client.ts"
import { documentHost } from "./ClientDocument.ts"

/**
 * Registers a program (RFC 7591). Its `client_id` contains the signed registration, and nothing is
 * stored. A program has no secret; PKCE proves that it is the one that asked.
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

/** Tells whether this installation has issued the `client_id`. */
export const isRegisteredHere = Effect.fnUntraced(function* (client_id: string) {
  return (yield* registered(client_id)) !== undefined
})

const registered = Effect.fnUntraced(function* (client_id: string) {
  const found = parsedId(client_id)
  if (found === undefined) return undefined
  const isOurs = (yield* Vault).isSigned(signedTextOf(found.text), found.signature)
  return isOurs ? found.client : undefined
})

/**
 * Finds the program of a `client_id`: one that this installation has issued, or the URL of the
 * program's own document, which is fetched.
 *
 * Fails with `INVALID_REQUEST` for any other text, and for an invalid document.
 */
export const findClient = Effect.fnUntraced(function* (client_id: string) {
  if (documentHost(client_id) !== undefined) {
    const read = yield* (yield* ClientDocuments).read(client_id)
    if (Result.isSuccess(read)) return read.success
    return yield* invalidField("client_id", `is a URL whose document ${read.failure}`)
  }
  const found = yield* registered(client_id)
  if (found === undefined) {
    const expected = "must be a client_id that this service issued, or the URL of a client document"
    return yield* invalidField("client_id", expected)
  }
  const { name, redirect_uris } = found
  return { name, redirect_uris, host: null } satisfies Client
})
