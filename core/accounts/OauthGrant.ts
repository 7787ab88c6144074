import { Schema } from "effect"
import { HOUR, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** For how long a code can be exchanged, and how long an access token works. */
export const CODE_LASTS = 60 * SECOND
export const TOKEN_LASTS = HOUR

/**
 * What a person let a program do over OAuth. The key that has it is the program's access token: its
 * secret changes with every refresh, and its restrictions and budgets stay.
 */
export interface OauthGrant {
  /** Lower-case hex SHA-256 of the program's `client_id`. */
  readonly client: string
  /** How the program names itself: anybody's words. */
  readonly client_name: string
  readonly redirect_uri: string
  /** The one address that the token opens (RFC 8707). */
  readonly resource: string
  /** The S256 challenge of the program's verifier (RFC 7636). */
  readonly challenge: string
  readonly code_expires_at: Timestamp
  /** When the key ends, once its code has been exchanged; it ends with the code until then. */
  readonly ends_at: Timestamp
  /** How many tokens were given: none before the code is exchanged. */
  readonly generation: number
  readonly token_expires_at: Timestamp
}

/** Whether the access token opens that address now. */
export const opensAt = (
  { generation, resource, token_expires_at }: OauthGrant,
  address: string | undefined,
  now: Timestamp,
): boolean => generation > 0 && resource === address && now < token_expires_at

/** What a key's list tells of the program that holds it. */
export const OauthGrantView = Schema.Struct({
  client_name: Schema.String.annotate({
    description: "How the program names itself: its own words, which prove nothing.",
  }),
  redirect_uri: Schema.String.annotate({ description: "Where its authorization went." }),
  resource: Schema.String.annotate({ description: "The one address that the key opens." }),
}).annotate({
  identifier: "OauthGrant",
  description: "The program that a person gave this key over OAuth.",
  examples: [
    {
      client_name: "Reading assistant",
      redirect_uri: "http://127.0.0.1:33418/callback",
      resource: "https://pay.example/mcp",
    },
  ],
})
