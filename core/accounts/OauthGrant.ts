import { Schema } from "effect"
import { HOUR, SECOND, type Timestamp } from "../shared/Timestamp.ts"

/** How long a code can be exchanged, and how long an access token works, in milliseconds. */
export const CODE_LASTS = 60 * SECOND
export const TOKEN_LASTS = HOUR

/**
 * A person's grant to a program over OAuth. The key with the grant is the program's access token:
 * each refresh replaces its secret and keeps its restrictions and budgets.
 */
export interface OauthGrant {
  /** Lower-case hex SHA-256 of the program's `client_id`. */
  readonly client: string
  /** The name that the program gives itself; it proves nothing. */
  readonly client_name: string
  readonly redirect_uri: string
  /** The only address that accepts the token (RFC 8707). */
  readonly resource: string
  /** The S256 challenge of the program's verifier (RFC 7636). */
  readonly challenge: string
  readonly code_expires_at: Timestamp
  /** When the key ends after its code was exchanged; before that it ends with the code. */
  readonly ends_at: Timestamp
  /** How many tokens were issued; 0 before the code is exchanged. */
  readonly generation: number
  readonly token_expires_at: Timestamp
}

/** Tells whether the access token is valid at that address now. */
export const opensAt = (
  { generation, resource, token_expires_at }: OauthGrant,
  address: string | undefined,
  now: Timestamp,
): boolean => generation > 0 && resource === address && now < token_expires_at

/** The program that holds a key, as lists of keys show it. */
export const OauthGrantView = Schema.Struct({
  client_name: Schema.String.annotate({
    description: "The program's name as it states it. It is not verified.",
  }),
  redirect_uri: Schema.String.annotate({ description: "The URL that received the authorization." }),
  resource: Schema.String.annotate({ description: "The only address at which the key works." }),
}).annotate({
  identifier: "OauthGrant",
  description: "The program that received this key from a person over OAuth.",
  examples: [
    {
      client_name: "Reading assistant",
      redirect_uri: "http://127.0.0.1:33418/callback",
      resource: "https://pay.example/mcp",
    },
  ],
})
