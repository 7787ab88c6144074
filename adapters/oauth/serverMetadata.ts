import { RESOURCE_PATHS, SCOPES } from "../../core/oauth/Authorization.ts"

const WELL_KNOWN = "/.well-known/oauth-authorization-server"

/** The paths of the metadata (RFC 8414), also under the paths that tokens are for. */
export const METADATA_PATHS: ReadonlyArray<string> = [
  WELL_KNOWN,
  ...RESOURCE_PATHS.map((path) => `${WELL_KNOWN}${path}`),
]

/** The paths for programs' requests. */
export const REGISTER = "/oauth/register"
export const TOKEN = "/oauth/token"
export const REVOKE = "/oauth/revoke"

/** Returns the metadata for programs that request a key from a person (RFC 8414, RFC 9207). */
export const serverMetadata = (base_url: string) => ({
  issuer: base_url,
  authorization_endpoint: `${base_url}/console/authorize`,
  token_endpoint: `${base_url}${TOKEN}`,
  registration_endpoint: `${base_url}${REGISTER}`,
  revocation_endpoint: `${base_url}${REVOKE}`,
  scopes_supported: SCOPES,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  code_challenge_methods_supported: ["S256"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  service_documentation: `${base_url}/docs`,
})
