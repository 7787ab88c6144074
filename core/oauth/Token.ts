import { Result } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Hex from "effect/encoding/Hex"
import { isUuid } from "../shared/Id.ts"

/** A token of a program: a code to exchange, or a refresh token. */
export interface Token {
  readonly type: "code" | "refresh"
  /** The key that is, or becomes, the program's access token. */
  readonly key_id: string
  /** The number of the token for its key, from 1; 0 for a code. */
  readonly generation: number
}

const MARKS = { code: "oac", refresh: "ort" } as const

/**
 * Returns the text that the signature of a token covers. No other signed text begins like it.
 * Nobody else can sign it, so the token is as good as a secret, and every earlier token can be
 * recognized.
 */
export const signedTextOf = ({ generation, key_id, type }: Token): string =>
  `payport oauth ${type}\n${key_id}\n${generation}`

/** Formats a token with its signature. */
export const tokenText = ({ generation, key_id, type }: Token, signature: string): string =>
  `${MARKS[type]}_${key_id.slice("key_".length)}.${generation}.${signature}`

/**
 * Parses a token and its signature; undefined for other texts. The caller must check the signature.
 */
export const parsedToken = (text: string) => {
  const [, mark, uuid = "", generation, signature = ""] =
    /^(oac|ort)_([0-9a-f-]{36})\.(0|[1-9]\d{0,8})\.([\w-]{86})$/.exec(text) ?? []
  if (!isUuid(uuid)) return undefined
  const type = mark === MARKS.code ? "code" : "refresh"
  const token: Token = { type, key_id: `key_${uuid}`, generation: Number(generation) }
  return { token, signature }
}

const VERIFIER = /^[\w\-.~]{43,128}$/

/** Tells whether the verifier matches the challenge, by S256 only (RFC 7636 section 4.6). */
export const isVerifier = (
  verifier: string,
  challenge: string,
  sha256: (text: string) => string,
): boolean => {
  if (!VERIFIER.test(verifier)) return false
  const hash = Hex.decode(sha256(verifier))
  return Result.isSuccess(hash) && Base64Url.encode(hash.success) === challenge
}
