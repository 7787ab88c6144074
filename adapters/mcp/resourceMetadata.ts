import { RESOURCE_PATHS, SCOPES } from "../../core/oauth/Authorization.ts"

const WELL_KNOWN = "/.well-known/oauth-protected-resource"

/** The paths of the metadata (RFC 9728), each with the path of its tools. */
const METADATA: ReadonlyMap<string, string> = new Map([
  [WELL_KNOWN, RESOURCE_PATHS[0]],
  ...RESOURCE_PATHS.map((path) => [`${WELL_KNOWN}${path}`, path] as const),
])

/** Returns the path of the tools that the metadata at a path describe; undefined for others. */
export const describedAt = (path: string): string | undefined => METADATA.get(path)

/**
 * Returns the metadata that clients need to call tools (RFC 9728). The `Authorization` header takes
 * an API key, or a token that a person gives a program at the authorization server, if any.
 */
export const resourceMetadata = (baseUrl: string, path: string, authorizes: boolean) => ({
  resource: `${baseUrl}${path}`,
  resource_name: "payport",
  ...(authorizes && { authorization_servers: [baseUrl], scopes_supported: SCOPES }),
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/openapi.json`,
})

/**
 * Returns the `WWW-Authenticate` header of a 401 for the tools at a path. `invalid` says that an
 * invalid key was sent.
 */
export const challengeOf = (baseUrl: string, path: string, invalid: boolean): string => {
  const metadata = `resource_metadata="${baseUrl}${WELL_KNOWN}${path}"`
  return invalid ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}
