/** Where the metadata is that a 401 names (RFC 9728), and where clients look by themselves. */
export const METADATA_PATHS: ReadonlyArray<string> = [
  "/.well-known/oauth-protected-resource",
  "/.well-known/oauth-protected-resource/mcp",
]

/**
 * What a client has to know to call tools (RFC 9728): that an API key goes into the `Authorization`
 * header. Keys are issued by `POST /v1/api-keys` and not by an authorization server, so none is
 * named.
 */
export const resourceMetadata = (baseUrl: string) => ({
  resource: `${baseUrl}/mcp`,
  resource_name: "payport",
  bearer_methods_supported: ["header"],
  resource_documentation: `${baseUrl}/openapi.json`,
})

/** The challenge of a 401; `invalid` where a key was sent that opens nothing. */
export const challengeOf = (baseUrl: string, invalid: boolean): string => {
  const metadata = `resource_metadata="${baseUrl}${METADATA_PATHS[0]}"`
  return invalid ? `Bearer error="invalid_token", ${metadata}` : `Bearer ${metadata}`
}
