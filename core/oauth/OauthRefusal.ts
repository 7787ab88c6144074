import { Data } from "effect"

/** The codes of RFC 6749 section 5.2, RFC 7591 section 3.2.2 and RFC 8707 section 2. */
export type OauthCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "unsupported_grant_type"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"

/** A refusal to a program, in OAuth's own form. */
export class OauthRefusal extends Data.TaggedError("OauthRefusal")<{
  readonly code: OauthCode
  /** What was wrong and what to do, in plain ASCII. */
  readonly message: string
}> {}

/** See {@link OauthRefusal}. */
export const refused = (code: OauthCode, message: string) => new OauthRefusal({ code, message })
