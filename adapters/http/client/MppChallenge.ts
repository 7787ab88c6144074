import { decodeFields, encodeFields, type Fields, MOST_TEXT } from "./Fields.ts"

/** The name of payport's method in the Machine Payments Protocol. */
export const METHOD = "payport"

/** The parameters of a challenge that its id is made from ("Payment" scheme, Challenge Binding). */
export interface ChallengeParameters {
  readonly realm: string
  readonly method: string
  readonly intent: string
  /** Canonical JSON as base64url, as it is on the wire. */
  readonly request: string
  /** RFC 3339. */
  readonly expires?: string
  /** Of the request's body, as RFC 9530 has it. */
  readonly digest?: string
  readonly opaque?: string
}

/** A challenge of the "Payment" scheme, as `WWW-Authenticate` carries it. */
export interface MppChallenge extends ChallengeParameters {
  readonly id: string
}

const OPTIONAL = ["expires", "digest", "opaque"] as const

/** The optional parameters that are there. */
const optional = (said: Fields): Pick<ChallengeParameters, (typeof OPTIONAL)[number]> =>
  Object.fromEntries(
    OPTIONAL.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]])),
  )

/** Reads the parameters of a challenge; undefined where one is missing or not of its form. */
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

/** A challenge as the value of `WWW-Authenticate`. */
export const formatChallenge = ({ id, intent, method, realm, request, ...rest }: MppChallenge) =>
  `Payment ${Object.entries({ id, realm, method, intent, request, ...rest })
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(", ")}`

/** A parameter of a scheme, or the name of the next scheme. */
const PART = /[\s,]*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+)))?/y

/**
 * The challenges of the "Payment" scheme in the values of `WWW-Authenticate`, joined or not. What
 * belongs to other schemes is passed over, and so is what lacks a parameter or has one twice.
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

/** What a challenge asks for: its `request`, decoded. */
export const requestOf = ({ request }: MppChallenge): Fields => decodeFields(request) ?? {}

/** A challenge's `request` on the wire. */
export const requestText = (request: object): string => encodeFields(request)
