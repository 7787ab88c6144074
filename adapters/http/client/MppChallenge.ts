import { decodeFields, encodeFields, type Fields, MOST_TEXT } from "./Fields.ts"

/** The name of payport's method in the Machine Payments Protocol. */
export const METHOD = "payport"

/** The parameters that a challenge's id is computed from ("Payment" scheme, Challenge Binding). */
export interface ChallengeParameters {
  readonly realm: string
  readonly method: string
  readonly intent: string
  /** Canonical JSON as base64url, as sent. */
  readonly request: string
  /** RFC 3339. */
  readonly expires?: string
  /** The digest of the request's body (RFC 9530). */
  readonly digest?: string
  readonly opaque?: string
}

/** A challenge of the "Payment" scheme in `WWW-Authenticate`. */
export interface MppChallenge extends ChallengeParameters {
  readonly id: string
}

const OPTIONAL = ["expires", "digest", "opaque"] as const

/** Returns the optional parameters that are present. */
const optional = (said: Fields): Pick<ChallengeParameters, (typeof OPTIONAL)[number]> =>
  Object.fromEntries(
    OPTIONAL.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]])),
  )

/** Reads the parameters of a challenge; undefined if one is missing or malformed. */
export const decodeChallenge = (said: Fields): MppChallenge | undefined => {
  const { id, intent, method, realm, request } = said
  const isWhole = isText(id) && isText(realm) && isText(method) && isText(intent) && isText(request)
  if (!isWhole || !OPTIONAL.every((name) => said[name] === undefined || isText(said[name]))) {
    return undefined
  }
  const isForm = /^[a-z]+$/.test(method) && /^[A-Za-z0-9-]+$/.test(intent)
  if (!isForm || decodeFields(request) === undefined) return undefined
  return { id, realm, method, intent, request, ...optional(said) }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const quote = (value: string): string => `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/** Returns the challenge as a value of `WWW-Authenticate`. */
export const formatChallenge = ({ id, intent, method, realm, request, ...rest }: MppChallenge) =>
  `Payment ${Object.entries({ id, realm, method, intent, request, ...rest })
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(", ")}`

/** A parameter of a scheme, or the name of the next scheme. */
const PART = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/y

/**
 * Returns the challenges of the "Payment" scheme in the values of `WWW-Authenticate`, joined or
 * not. Skips other schemes, and challenges with a missing or repeated parameter.
 */
export const parseChallenges = (header: string): ReadonlyArray<MppChallenge> => {
  if (header.length > MOST_TEXT) return []
  const found: Array<Map<string, string> | null> = []
  const part = new RegExp(PART)
  for (let match = part.exec(header); match !== null; match = part.exec(header)) {
    const [, name = "", quoted, token] = match
    const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? token
    const last = found.at(-1)
    if (value === undefined) found.push(name.toLowerCase() === "payment" ? new Map() : null)
    else if (last?.has(name.toLowerCase())) found[found.length - 1] = null
    else last?.set(name.toLowerCase(), value)
  }
  return found.flatMap((said) => {
    const challenge = said === null ? undefined : decodeChallenge(Object.fromEntries(said))
    return challenge === undefined ? [] : [challenge]
  })
}

/** Returns the decoded `request` of a challenge. */
export const requestOf = ({ request }: MppChallenge): Fields => decodeFields(request) ?? {}

/** Returns a challenge's `request` as it is sent. */
export const requestText = (request: object): string => encodeFields(request)
