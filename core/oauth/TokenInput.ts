import { Result, Schema } from "effect"
import { MOST_OF_CLIENT_ID } from "./Client.ts"
import { type OauthRefusal, refused } from "./OauthRefusal.ts"
import { MOST_OF_URI } from "./RedirectUri.ts"

const some = (most: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most))

const common = {
  client_id: some(MOST_OF_CLIENT_ID),
  resource: Schema.optionalKey(some(MOST_OF_URI)),
}

/** The exchange of a code (OAuth 2.1 section 4.1.3). */
export const CodeInput = Schema.Struct({
  ...common,
  code: some(256),
  redirect_uri: some(MOST_OF_URI),
  code_verifier: some(128),
})
/** See {@link CodeInput}. */
export type CodeInput = typeof CodeInput.Type

/** The use of a refresh token (OAuth 2.1 section 4.3.1). */
export const RefreshInput = Schema.Struct({ ...common, refresh_token: some(256) })
/** See {@link RefreshInput}. */
export type RefreshInput = typeof RefreshInput.Type

/** The revocation of a token, which ends its grant (RFC 7009 section 2.1). */
export const RevokeInput = Schema.Struct({ client_id: common.client_id, token: some(256) })
/** See {@link RevokeInput}. */
export type RevokeInput = typeof RevokeInput.Type

/** A request to the token endpoint. */
export type TokenInput =
  | { readonly type: "code"; readonly input: CodeInput }
  | { readonly type: "refresh"; readonly input: RefreshInput }

const readCode = Schema.decodeUnknownResult(CodeInput)
const readRefresh = Schema.decodeUnknownResult(RefreshInput)
const readRevoke = Schema.decodeUnknownResult(RevokeInput)

const incomplete = (fields: string) => refused("invalid_request", `Send each of ${fields} once.`)

/** Reads a form's fields into a token request. Fields that came twice are missing from `fields`. */
export const tokenInput = (fields: {
  readonly [name: string]: string
}): Result.Result<TokenInput, OauthRefusal> => {
  switch (fields["grant_type"]) {
    case "authorization_code":
      return Result.mapBoth(readCode(fields), {
        onSuccess: (input) => ({ type: "code", input }) as const,
        onFailure: () => incomplete("code, redirect_uri, code_verifier and client_id"),
      })
    case "refresh_token":
      return Result.mapBoth(readRefresh(fields), {
        onSuccess: (input) => ({ type: "refresh", input }) as const,
        onFailure: () => incomplete("refresh_token and client_id"),
      })
    default:
      return Result.fail(
        refused("unsupported_grant_type", "Send authorization_code or refresh_token."),
      )
  }
}

/** Reads a form's fields into a {@link RevokeInput}. */
export const revokeInput = (fields: {
  readonly [name: string]: string
}): Result.Result<RevokeInput, OauthRefusal> =>
  Result.mapError(readRevoke(fields), () => incomplete("token and client_id"))
