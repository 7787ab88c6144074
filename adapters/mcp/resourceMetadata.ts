import { RESOURCE_PATHS, SCOPES } from "../../core/oauth/Authorization.ts"

const WELL_KNOWN = "/.well-known/oauth-protected-resource"

/** The paths of the metadata (RFC 9728), each with the path of the tools that it is about. */
const METADATA: ReadonlyMap<string, string> = new Map([
  [WELL_KNOWN, RESOURCE_PATHS[0]],
  ...RESOURCE_PATHS.map((path) => [`${WELL_KNOWN}${path}`, path] as const),
])

/** The path of the tools that the metadata at a path is about; undefined for every other path. */
export const describedAt = (path: string): string | undefined => METADATA.get(path)

/**
 * The metadata that clients need to call tools (RFC 9728): the `Authorization` header takes an API
 * key, or a token that a person gives a program at the authorization server, where there is one.
 */
export const resourceMetadata = (baseUrl: string, path: string, authorizes: boolean) => ({
  resource: `${baseUrl}${path}`,
  resource_name: "payport",
  ...(authorizes && { authorization_servers: [baseUrl], scopes_supported: SCOPES }),
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/openapi.json`,
})

/**
 * The `WWW-Authenticate` header of a 401 of the tools at a path; `invalid` when a key was sent that
 * is not valid.
 */
export const challengeOf = (baseUrl: string, path: string, invalid: boolean): string => {
  const metadata = `resource_metadata="${baseUrl}${WELL_KNOWN}${path}"`
  return invalid ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}
