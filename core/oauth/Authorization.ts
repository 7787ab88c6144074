import { Result, Schema } from "effect"
import { RestrictionsInput } from "../accounts/KeyRestrictions.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { type Failure, invalidField } from "../shared/Failure.ts"
import { Time } from "../shared/Wire.ts"
import { type Client, isAnsweredAt, MOST_OF_CLIENT_ID } from "./Client.ts"
import { hostOf, isLoopback, MOST_OF_URI, withParameters } from "./RedirectUri.ts"

/**
 * The scopes that programs may ask for: groups of requests. Keys and services are not among them.
 */
export const SCOPES = ["read", "pay"] as const
/** One of {@link SCOPES}. */
export type Scope = (typeof SCOPES)[number]

/** The paths of the resources that tokens are for: the tools of all services, and of the market. */
export const RESOURCE_PATHS = ["/mcp", "/mcp/market"] as const

const some = (most: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(most))
const said = (pattern: RegExp, expected: string) =>
  Schema.String.check(Schema.isPattern(pattern, { expected }))

/** An authorization request (OAuth 2.1 section 4.1.1, RFC 7636, RFC 8707). */
export const AuthorizationRequest = Schema.Struct({
  response_type: Schema.Literal("code").annotateKey({ description: "Always `code`." }),
  client_id: some(MOST_OF_CLIENT_ID).annotateKey({
    description: "The program: the id of its registration, or the URL of its metadata document.",
  }),
  redirect_uri: some(MOST_OF_URI).annotateKey({
    description: "The URL to which the person's browser returns.",
  }),
  code_challenge: said(/^[\w-]{43}$/, "43 base64url characters").annotateKey({
    description: "The SHA-256 of the program's code verifier, in base64url (PKCE).",
  }),
  code_challenge_method: Schema.Literal("S256").annotateKey({ description: "Always `S256`." }),
  state: Schema.optionalKey(
    said(/^[\x20-\x7e]{1,1024}$/, "up to 1024 ASCII characters"),
  ).annotateKey({ description: "A value of the program, which is returned unchanged." }),
  scope: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(256))).annotateKey({
    description: "The requested scopes, separated by spaces: `read`, `pay`.",
  }),
  resource: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(MOST_OF_URI))).annotateKey({
    description: "The address of the tools that the program wants to use. Default: `/mcp`.",
  }),
})
/** See {@link AuthorizationRequest}. */
export type AuthorizationRequest = typeof AuthorizationRequest.Type

/** A person's consent: the program's request as it came, and limits. */
export const AuthorizeInput = Schema.Struct({
  request: AuthorizationRequest.annotateKey({
    description: "The program's authorization request, unchanged.",
  }),
  restrictions: RestrictionsInput.annotateKey({ description: "The limits that the person sets." }),
})
/** See {@link AuthorizeInput}. */
export type AuthorizeInput = typeof AuthorizeInput.Type
/** Errors in it have the general codes. */
export const authorizeRules = {} satisfies FieldRules

/** A valid authorization request. */
export interface CheckedRequest {
  readonly client: Client
  readonly resource: string
  readonly scopes: ReadonlyArray<Scope>
}

const resourceOf = (asked: string | undefined, base_url: string): string | undefined => {
  const plain = (asked ?? `${base_url}${RESOURCE_PATHS[0]}`).replace(/\/$/, "")
  return RESOURCE_PATHS.map((path) => `${base_url}${path}`).find((each) => each === plain)
}

/** Returns the known scopes of a request. Programs also ask for scopes of other services. */
const scopesOf = (asked: string | undefined): ReadonlyArray<Scope> => {
  const words = asked?.split(" ") ?? SCOPES
  return SCOPES.filter((scope) => words.includes(scope))
}

/** Checks a request of a known program. Fails with the parameter that is wrong. */
export const checkRequest = (
  { redirect_uri, resource: asked, scope }: AuthorizationRequest,
  client: Client,
  base_url: string,
): Result.Result<CheckedRequest, Failure<"INVALID_REQUEST">> => {
  if (!isAnsweredAt(client, redirect_uri)) {
    return Result.fail(
      invalidField("redirect_uri", "must be a redirect URI that the program has registered"),
    )
  }
  const resource = resourceOf(asked, base_url)
  if (resource === undefined) {
    const known = RESOURCE_PATHS.map((path) => `${base_url}${path}`).join(" or ")
    return Result.fail(invalidField("resource", `must be ${known}`))
  }
  const scopes = scopesOf(scope)
  return scopes.length === 0
    ? Result.fail(invalidField("scope", `must have one of ${SCOPES.join(", ")}`))
    : Result.succeed({ client, resource, scopes })
}

/**
 * Returns the limits of the new key: what the person chose, within what the program asks for. The
 * key always expires, and a key that may pay always has a budget. Fails with the field.
 */
export const limitsOf = (
  restrictions: RestrictionsInput,
  scopes: ReadonlyArray<Scope>,
): Result.Result<
  RestrictionsInput & { readonly expires_at: string },
  Failure<"INVALID_REQUEST">
> => {
  const wrong = (field: string, reason: string) =>
    Result.fail(invalidField(`restrictions.${field}`, reason))
  const { budget, expires_at, routes = scopes } = restrictions
  const known = new Set<string>(scopes)
  if (!routes.every((route) => known.has(route))) {
    return wrong("routes", "must not exceed the scopes that the program asks for")
  }
  if (expires_at === undefined)
    return wrong("expires_at", "is required: every grant to a program expires")
  return routes.includes("pay") && budget === undefined
    ? wrong("budget", "is required for a program that may pay")
    : Result.succeed({ ...restrictions, expires_at, routes })
}

/**
 * Returns the URL to which the person's browser goes, with the answer and its issuer (RFC 9207).
 */
export const answerUri = (
  { redirect_uri, state }: AuthorizationRequest,
  base_url: string,
  answer: { readonly code: string } | { readonly error: "access_denied" },
): string => withParameters(redirect_uri, { ...answer, state, iss: base_url })

/** What a person is shown before they consent. */
export const AuthorizationView = Schema.Struct({
  client_name: Schema.String.annotate({
    description: "The program's name as it states it. It is not verified.",
  }),
  client_host: Schema.NullOr(Schema.String).annotate({
    description:
      "The host of the program's metadata document; null if the program registered here.",
  }),
  redirect_host: Schema.String.annotate({ description: "The host that receives the answer." }),
  is_local: Schema.Boolean.annotate({
    description: "Whether that host is the person's own machine.",
  }),
  resource: Schema.String.annotate({ description: "The only address at which the key will work." }),
  scopes: Schema.Array(Schema.Literals(SCOPES)).annotateKey({
    description: "The scopes that the program requests.",
  }),
  deny_to: Schema.String.annotate({
    description: "The URL for the person's browser if the person refuses.",
  }),
}).annotate({
  identifier: "Authorization",
  description: "A program's request for access over OAuth.",
  examples: [
    {
      client_name: "Reading assistant",
      client_host: null,
      redirect_host: "127.0.0.1",
      is_local: true,
      resource: "https://pay.example/mcp",
      scopes: ["read", "pay"],
      deny_to: "http://127.0.0.1:33418/callback?error=access_denied&iss=https%3A%2F%2Fpay.example",
    },
  ],
})

/** See {@link AuthorizationView}. */
export const authorizationView = (
  request: AuthorizationRequest,
  { client, resource, scopes }: CheckedRequest,
  base_url: string,
): typeof AuthorizationView.Type => ({
  client_name: client.name,
  client_host: client.host,
  redirect_host: hostOf(request.redirect_uri),
  is_local: isLoopback(request.redirect_uri),
  resource,
  scopes,
  deny_to: answerUri(request, base_url, { error: "access_denied" }),
})

/** The result of a person's consent. */
export const AuthorizedView = Schema.Struct({
  redirect_to: Schema.String.annotate({
    description: "The URL for the person's browser: the program's address with a code.",
  }),
  api_key_id: Schema.String.annotate({ description: "The id of the program's key." }),
  expires_at: Time.annotateKey({ description: "When the key expires." }),
}).annotate({
  identifier: "Authorized",
  description: "A key for a program. The program exchanges the code for the key within a minute.",
  examples: [
    {
      redirect_to: "http://127.0.0.1:33418/callback?code=oac_…&iss=https%3A%2F%2Fpay.example",
      api_key_id: "key_01997d3e-8a00-7000-8000-000000000002",
      expires_at: "2026-03-02T08:00:00.000Z",
    },
  ],
})
