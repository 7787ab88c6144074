import { Result, Schema } from "effect"
import { type Client, named } from "./Client.ts"
import { isRedirectUri } from "./RedirectUri.ts"

// OAuth Client ID Metadata Document, draft-ietf-oauth-client-id-metadata-document-02.

/** The most bytes of a document that are read (section 8.7). */
export const MOST_OF_DOCUMENT = 5 * 1_024

const MOST_OF_ADDRESS = 512
const MOST_URIS = 100

const SAID = String.raw`\w\-.~:/@!$&'()*+,;=%`
const HOST = String.raw`[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?`
const ADDRESS = new RegExp(String.raw`^https://(${HOST})(/[${SAID}]*)(?:\?[${SAID}?]*)?$`)
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i

/**
 * Returns the host of a `client_id` that is the URL of a document (section 3); undefined for any
 * other text. URLs with upper-case hosts, other schemes, users, fragments or dot segments are not
 * accepted.
 */
export const documentHost = (client_id: string): string | undefined => {
  if (client_id.length > MOST_OF_ADDRESS) return undefined
  const [, host, path = ""] = ADDRESS.exec(client_id) ?? []
  return DOT_SEGMENT.test(path) ? undefined : host
}

/** The fields of a document that are read; others are ignored. */
const Document = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(400)),
  redirect_uris: Schema.Array(Schema.String).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(MOST_URIS),
  ),
  grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
  response_types: Schema.optionalKey(Schema.Array(Schema.String)),
  token_endpoint_auth_method: Schema.optionalKey(Schema.String),
  client_secret: Schema.optionalKey(Schema.Never),
})

const readDocument = Schema.decodeUnknownResult(Document)

/**
 * Returns the program of the document at the URL `client_id`, or its flaw as text to follow "its
 * document". Redirect URIs that are neither https nor on the person's own machine are left out.
 */
export const clientOfDocument = (
  client_id: string,
  document: unknown,
): Result.Result<Client, string> => {
  const read = readDocument(document)
  if (Result.isFailure(read)) {
    return Result.fail(
      "must have client_id, client_name and one to a hundred redirect_uris, and no client_secret",
    )
  }
  const { client_name, grant_types, response_types, token_endpoint_auth_method } = read.success
  const redirect_uris = read.success.redirect_uris.filter(isRedirectUri)
  const host = documentHost(client_id)
  if (host === undefined || read.success.client_id !== client_id) {
    return Result.fail("must have exactly its own URL as client_id")
  }
  if (redirect_uris.length === 0) {
    return Result.fail(
      "must have a redirect URI with https, or with http on 127.0.0.1 or localhost",
    )
  }
  if (token_endpoint_auth_method !== undefined && token_endpoint_auth_method !== "none") {
    return Result.fail("must have none as token_endpoint_auth_method")
  }
  if (grant_types?.includes("authorization_code") === false) {
    return Result.fail("must have authorization_code in grant_types")
  }
  if (response_types?.includes("code") === false) {
    return Result.fail("must have code in response_types")
  }
  return Result.succeed({ name: named(client_name), redirect_uris, host })
}
