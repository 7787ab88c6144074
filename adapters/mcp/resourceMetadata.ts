/** The paths of the metadata (RFC 9728): the one that a 401 names, and the well-known one. */
export const METADATA_PATHS: ReadonlyArray<string> = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
]

/**
 * The metadata that clients need to call tools (RFC 9728): the `Authorization` header takes an API
 * key. `POST /v1/api-keys` issues keys, so it names no authorization server.
 */
export const resourceMetadata = (baseUrl: string) => ({
  resource: `${baseUrl}/mcp`,
  resource_name: "payport",
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/openapi.json`,
})

/** The `WWW-Authenticate` header of a 401; `invalid` when a key was sent that is not valid. */
export const challengeOf = (baseUrl: string, invalid: boolean): string => {
  const metadata = `resource_metadata="${baseUrl}${METADATA_PATHS[0]}"`
  return invalid ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}
