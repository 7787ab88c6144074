import { Result, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { safeLine } from "../agents/SafeText.ts"
import { type OauthRefusal, refused } from "./OauthRefusal.ts"
import { isRedirectUri, isRegistered, MOST_OF_URI } from "./RedirectUri.ts"

/** A program that asks people for authorization. */
export interface Client {
  /** The program's own name, as one line of visible characters. */
  readonly name: string
  readonly redirect_uris: ReadonlyArray<string>
  /** The host of the document at its `client_id`; null for a program that has registered here. */
  readonly host: string | null
}

/**
 * The contents of a `client_id`. No program is stored, so that registrations cannot fill the store.
 */
const Registered = Schema.Struct({
  name: Schema.String,
  redirect_uris: Schema.Array(Schema.String),
  /** Seconds since 1970. */
  issued_at: Schema.Int,
})
/** A registered program. */
export type Registered = typeof Registered.Type

/** The most characters of a `client_id`: its redirect URIs in base64url, and the rest. */
export const MOST_OF_CLIENT_ID = 3_000

const MOST_URIS = 10
const MOST_OF_ALL_URIS = 1_500
const MOST_OF_NAME = 60
const UNNAMED = "A program without a name"

/** The fields of a registration that are read (RFC 7591 section 2); others are ignored. */
const Registration = Schema.Struct({
  redirect_uris: Schema.Array(Schema.String).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(MOST_URIS),
  ),
  client_name: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(400))),
  grant_types: Schema.optionalKey(Schema.Array(Schema.String)),
  response_types: Schema.optionalKey(Schema.Array(Schema.String)),
})

const readRegistration = Schema.decodeUnknownResult(Registration)

/** Returns a program's own name in the form that is shown. */
export const named = (said: string): string => {
  const name = safeLine(said, MOST_OF_NAME)
  return name === "" ? UNNAMED : name
}

const badMetadata = (message: string) => Result.fail(refused("invalid_client_metadata", message))

/**
 * Returns the program of a registration. Fails with `invalid_redirect_uri` for a URI that is
 * neither https nor on the person's own machine, and with `invalid_client_metadata`.
 */
export const clientOf = (input: unknown, now: number): Result.Result<Registered, OauthRefusal> => {
  const read = readRegistration(input)
  if (Result.isFailure(read)) {
    return badMetadata("Send redirect_uris, a list of one to ten URIs, and a client_name.")
  }
  const { client_name = "", grant_types, redirect_uris, response_types } = read.success
  const isRight =
    redirect_uris.every(isRedirectUri) && redirect_uris.join("").length <= MOST_OF_ALL_URIS
  if (!isRight) {
    const message =
      "Each of redirect_uris has to be https, or http on 127.0.0.1, [::1] or localhost, without " +
      `a fragment, of at most ${MOST_OF_URI} characters, and ${MOST_OF_ALL_URIS} in all.`
    return Result.fail(refused("invalid_redirect_uri", message))
  }
  if (grant_types?.includes("authorization_code") === false) {
    return badMetadata("grant_types must contain authorization_code.")
  }
  if (response_types?.includes("code") === false) {
    return badMetadata("response_types must contain code.")
  }
  return Result.succeed({
    name: named(client_name),
    redirect_uris,
    issued_at: Math.floor(now / 1_000),
  })
}

/**
 * Returns the text that the signature of a `client_id` covers. No other signed text begins like it.
 */
export const signedTextOf = (encoded: string): string => `payport oauth client\n${encoded}`

/** Encodes a program as the text of its `client_id`. */
export const encoded = (client: Registered): string => Base64Url.encode(JSON.stringify(client))

const readClient = Schema.decodeUnknownOption(Schema.fromJsonString(Registered))

/** Parses a `client_id` into program and signature. The caller must check the signature. */
export const parsedId = (client_id: string) => {
  const [, text = "", signature = ""] = /^oc_([\w-]+)\.([\w-]+)$/.exec(client_id) ?? []
  if (client_id.length > MOST_OF_CLIENT_ID || text === "") return undefined
  const json = Base64Url.decodeString(text)
  const client = Result.isSuccess(json) ? readClient(json.success) : undefined
  return client?._tag === "Some" ? { client: client.value, text, signature } : undefined
}

/** Tells whether the program has registered the redirect URI. */
export const isAnsweredAt = ({ redirect_uris }: Client, uri: string): boolean =>
  isRegistered(redirect_uris, uri)
